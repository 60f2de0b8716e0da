#include "workloads/ti/read_ti.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/program_builder.hpp"
#include "workloads/mapped_file.hpp"

namespace busline {
namespace {

// SMPI's numbers of datatypes: double, int, char, short, long, float, byte.
constexpr std::array<std::uint64_t, 7> kTypeSizes{8, 4, 1, 2, 8, 4, 1};
constexpr std::uint64_t kByte = 6;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 53U, kMostTag = 0x7fff'ffff;

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const auto begin = line.find_first_not_of(" \t\r");
    if (begin == line.npos) return words;
    line.remove_prefix(begin);
    const auto end = std::min(line.find_first_of(" \t\r"), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

/// One rank's file.
class RankReader {
 public:
  RankReader(ProgramBuilder& program, std::uint32_t rank, const std::string& path, const TiOptions& options)
      : program_(program), rank_(rank), path_(path), options_(options) {}

  Expected<void> read(std::string_view text) {
    program_.begin_strand(rank_);
    while (!text.empty() && !failed_) {
      ++line_;
      const auto end = std::min(text.find('\n'), text.size());
      words_ = words_of(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      if (!words_.empty()) read_call();
    }
    if (failed_) return tl::unexpected(std::move(*failed_));
    return {};
  }

 private:
  struct Open {  // a request that nobody has waited for
    std::uint64_t source, destination, tag;
    std::optional<std::uint32_t> slot;  // none: nothing to wait for
  };

  void read_call() {
    if (words_.size() < 2 || number(0, "this rank's number", rank_) != rank_)
      return fail(fmt::format("expected '{} VERB ...'", rank_));
    const auto verb = words_[1];
    if (verb == "send" || verb == "isend" || verb == "recv" || verb == "irecv") return read_message(verb);
    if (verb == "wait") return read_wait();
    if (verb == "waitall") return wait_for_all();
    if (verb == "compute") return compute(options_.flops_per_second);
    if (verb == "sleep") return compute(1);
    if (verb == "barrier") return read_barrier();
    constexpr std::array<std::string_view, 5> kIgnored{"init", "finalize", "test", "comm_size", "location"};
    if (std::find(kIgnored.begin(), kIgnored.end(), verb) != kIgnored.end()) return;
    fail(fmt::format("'{}' is not read from such traces", verb));
    if (failed_) failed_->kind = Error::Kind::unsupported;
  }

  void read_message(std::string_view verb) {
    begin_call(verb == "send"    ? "MPI_Send"
               : verb == "isend" ? "MPI_Isend"
               : verb == "recv"  ? "MPI_Recv"
                                 : "MPI_Irecv");
    const auto peer = number(2, "a rank", program_.ranks() - 1);
    const auto tag = number(3, "a tag", kMostTag);
    const auto count = number(4, "a number of elements", kMostBytes);
    const auto type = words_.size() > 5 ? number(5, "a datatype", kTypeSizes.size() - 1) : kByte;
    if (failed_) return;
    const Bytes size{count * kTypeSizes[type] + options_.extra_bytes};
    const Envelope other{.peer = static_cast<std::uint32_t>(peer), .tag = static_cast<std::int32_t>(tag)};
    const bool sends = verb == "send" || verb == "isend";
    if (sends && count * kTypeSizes[type] < options_.detached_below) {
      program_.isend_and_forget(other, size, SendMode::synchronous);
      if (verb == "isend") open_.push_back({rank_, peer, tag, std::nullopt});
      return;
    }
    if (verb == "send") return program_.send(other, size);
    if (verb == "recv") return program_.recv(other, size);
    open_.push_back({sends ? rank_ : peer, sends ? peer : rank_, tag,
                     sends ? program_.isend(other, size) : program_.irecv(other, size)});
  }

  void read_wait() {
    begin_call("MPI_Wait");
    const auto source = number(2, "a rank", program_.ranks() - 1);
    const auto destination = number(3, "a rank", program_.ranks() - 1);
    const auto tag = number(4, "a tag", kMostTag);
    if (failed_) return;
    const auto found = std::find_if(open_.begin(), open_.end(), [&](const Open& o) {
      return o.source == source && o.destination == destination && o.tag == tag;
    });
    if (found == open_.end())
      return fail(
          fmt::format("nothing from rank {} to rank {} with tag {} is open here", source, destination, tag));
    if (found->slot) program_.wait(*found->slot);
    open_.erase(found);
  }

  void wait_for_all() {
    begin_call("MPI_Waitall");
    for (const auto& o : open_)
      if (o.slot) program_.wait(*o.slot);
    open_.clear();
  }

  void read_barrier() {
    begin_call("MPI_Barrier");
    program_.collective({.kind = CollectiveKind::barrier});
  }

  void begin_call(std::string_view name) { program_.begin_call(program_.call_name(name)); }

  /// The word at `index`, if it is a whole number up to `most`.
  std::uint64_t number(std::size_t index, std::string_view what, std::uint64_t most) {
    std::uint64_t value = 0;
    if (index < words_.size()) {
      const auto word = words_[index];
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (error == std::errc{} && end == word.data() + word.size() && value <= most) return value;
    }
    fail(fmt::format("expected {}, a whole number from 0 to {}, as word {}", what, most, index + 1));
    return 0;
  }

  /// The third word is an amount, of which so much is done in a second.
  void compute(double per_second) {
    double amount = -1;
    if (words_.size() > 2) {
      const auto word = words_[2];
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), amount);
      if (error != std::errc{} || end != word.data() + word.size()) amount = -1;
    }
    const auto time = Duration::seconds(std::isnan(amount) ? -1 : amount / per_second);
    if (time < Duration() || time == Duration::max())
      return fail("expected an amount that a run has time for, as word 3");
    program_.compute(time);
  }

  void fail(std::string message) {
    if (failed_) return;
    failed_.emplace();
    failed_->path = path_;
    failed_->line = line_;
    failed_->message = std::move(message);
  }

  ProgramBuilder& program_;
  const std::uint32_t rank_;
  const std::string& path_;
  const TiOptions& options_;
  std::uint64_t line_ = 0;
  std::vector<std::string_view> words_;
  std::deque<Open> open_;  // in the order of their calls
  std::optional<Error> failed_;
};

}  // namespace

Expected<Program> read_ti(const std::vector<std::string>& files, const TiOptions& options) {
  if (files.empty()) {
    Error e;
    e.message = "a trace has a file for each rank, and here is none";
    return tl::unexpected(std::move(e));
  }
  ProgramBuilder program(static_cast<std::uint32_t>(files.size()));
  for (std::uint32_t rank = 0; rank < files.size(); ++rank) {
    const auto file = MappedFile::open(files[rank]);
    if (!file) return tl::unexpected(file.error());
    RankReader reader(program, rank, files[rank], options);
    if (auto read = reader.read(file->text()); !read) return tl::unexpected(std::move(read.error()));
  }
  return program.build();
}

}  // namespace busline
