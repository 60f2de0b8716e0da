#include "workloads/ti/rank_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "sim/base/text_parts.hpp"

namespace busline::ti {
namespace {

// By SMPI's number of a datatype, as in its traces (SimGrid 3.32); 0: unused.
constexpr std::array<std::uint8_t, 60> kTypeSizes{
    8, 4,  1,  2, 8, 4, 1,  8,  1, 1, 2, 4,  8, 8,  16, 4, 1, 1, 2, 4,  8, 1, 2, 4, 8, 8, 16, 32, 8, 8,
    8, 16, 16, 8, 8, 8, 16, 16, 4, 4, 8, 16, 8, 16, 16, 4, 2, 4, 8, 16, 0, 0, 0, 0, 0, 0, 0,  1,  0, 8};
constexpr std::int64_t kMostCountInTi = std::int64_t{1} << 53, kMostTag = 0x7fff'ffff;
// SMPI's MPI_ANY_TAG, and the value of MPI_ANY_SOURCE in a captured trace.
constexpr std::int64_t kSmpiAnyTag = -444, kSmpiAnySource = -333;

}  // namespace

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

RankReader::RankReader(ProgramBuilder& program, std::uint32_t rank, const std::string& path,
                       const TiOptions& options)
    : program_(program), rank_(rank), path_(path), options_(options) {
  program_.begin_strand(rank);
}

const std::vector<RankReader::Verb>& RankReader::verbs() {
  static const std::vector<Verb> all{{"send", &RankReader::read_send},
                                     {"isend", &RankReader::read_isend},
                                     {"recv", &RankReader::read_receive},
                                     {"irecv", &RankReader::read_receive},
                                     {"sendRecv", &RankReader::read_send_receive},
                                     {"sendrecv", &RankReader::read_send_receive},
                                     {"wait", &RankReader::read_wait},
                                     {"waitall", &RankReader::wait_for_all},
                                     {"waitAll", &RankReader::wait_for_all},
                                     {"compute", &RankReader::read_compute},
                                     {"sleep", &RankReader::read_sleep},
                                     {"barrier", &RankReader::read_barrier},
                                     {"bcast", &RankReader::read_bcast},
                                     {"reduce", &RankReader::read_reduce},
                                     {"allreduce", &RankReader::read_allreduce},
                                     {"scan", &RankReader::read_scan},
                                     {"exscan", &RankReader::read_exscan},
                                     {"alltoall", &RankReader::read_alltoall},
                                     {"alltoallv", &RankReader::read_alltoallv},
                                     {"allgather", &RankReader::read_allgather},
                                     {"allgatherv", &RankReader::read_allgatherv},
                                     {"gather", &RankReader::read_gather},
                                     {"gatherv", &RankReader::read_gatherv},
                                     {"scatter", &RankReader::read_scatter},
                                     {"scatterv", &RankReader::read_scatterv},
                                     {"reducescatter", &RankReader::read_reduce_scatter},
                                     {"init", &RankReader::read_init},
                                     {"finalize", &RankReader::ignore},
                                     {"test", &RankReader::ignore},
                                     {"location", &RankReader::ignore},
                                     {"comm_size", &RankReader::ignore},
                                     {"comm_split", &RankReader::ignore},
                                     {"comm_dup", &RankReader::ignore}};
  return all;
}

bool RankReader::read(std::uint64_t line_number, std::string_view line) {
  line_ = line_number;
  words_ = words_of(line);
  if (words_.empty()) return true;
  if (words_.size() < 2 || number(0, "this rank's number", rank_, rank_) != rank_) {
    fail(fmt::format("expected '{} VERB ...'", rank_));
    return false;
  }
  const auto& all = verbs();
  const auto verb =
      std::find_if(all.begin(), all.end(), [this](const Verb& v) { return v.name == words_[1]; });
  if (verb == all.end())
    fail(fmt::format("'{}' is not supported in such traces, nor by SMPI's replay", words_[1]),
         Error::Kind::unsupported);
  else
    (this->*verb->read)();
  return !failed_;
}

/// Traces of an older tracer have "init" followed by a word, and mean MPI_DOUBLE where they name no type.
void RankReader::read_init() {
  if (words_.size() > 2) default_type_size_ = kTypeSizes[0];
}

Envelope RankReader::envelope(std::size_t at) {
  const auto peer = number(at, "a rank", 0, std::int64_t{program_.ranks()} - 1);
  const auto tag = number(at + 1, "a tag", 0, kMostTag);
  return {.peer = static_cast<std::uint32_t>(peer), .tag = static_cast<std::int32_t>(tag)};
}

/// Nothing to wait for: it is detached.
std::optional<std::uint32_t> RankReader::start_send(const Envelope& to, std::uint64_t bytes) {
  const Bytes size{bytes + options_.extra_bytes};
  if (bytes >= options_.detached_below) return program_.isend(to, size);
  program_.isend_and_forget(to, size, SendMode::synchronous);
  return std::nullopt;
}

void RankReader::read_send() {
  const auto to = envelope(2);
  const auto size = bytes(4, 5);
  if (failed_) return;
  begin_call("MPI_Send");
  if (size < options_.detached_below)
    start_send(to, size);
  else
    program_.send(to, Bytes{size + options_.extra_bytes});
}

void RankReader::read_isend() {
  const auto to = envelope(2);
  const auto size = bytes(4, 5);
  if (failed_) return;
  begin_call("MPI_Isend");
  open_.push_back({rank_, to.peer, to.tag, start_send(to, size)});
}

void RankReader::read_receive() {
  const auto source = number(2, "a rank", kSmpiAnySource, std::int64_t{program_.ranks()} - 1);
  const auto tag = number(3, "a tag", kSmpiAnyTag, kMostTag);
  // A size below 0 stands for the message's size.
  const bool open = words_.size() > 4 && words_[4].starts_with('-');
  const auto size = open ? 0 : bytes(4, 5);
  if ((source < 0 && source != kSmpiAnySource) || (tag < 0 && tag != kSmpiAnyTag))
    fail(fmt::format("expected a rank or {} as word 3, and a tag or {} as word 4", kSmpiAnySource,
                     kSmpiAnyTag));
  if (failed_) return;
  begin_call(words_[1] == "recv" ? "MPI_Recv" : "MPI_Irecv");
  const Envelope from{.peer = source < 0 ? kAnySource : static_cast<std::uint32_t>(source),
                      .tag = tag < 0 ? kAnyTag : static_cast<std::int32_t>(tag)};
  const Bytes asked{size + options_.extra_bytes};
  if (words_[1] == "recv") return program_.recv(from, asked);
  open_.push_back({source, rank_, tag, program_.irecv(from, asked)});
}

/// "SIZE TARGET SIZE SOURCE"; SMPI's replay takes 0 for both tags.
void RankReader::read_send_receive() {
  const auto most = std::int64_t{program_.ranks()} - 1;
  const auto sent = bytes(2, 6), received = bytes(4, 7);
  const auto target = number(3, "a rank", 0, most), source = number(5, "a rank", 0, most);
  if (failed_) return;
  begin_call("MPI_Sendrecv");
  const auto slot = start_send({.peer = static_cast<std::uint32_t>(target)}, sent);
  program_.recv({.peer = static_cast<std::uint32_t>(source)}, Bytes{received + options_.extra_bytes});
  if (slot) program_.wait(*slot);
}

void RankReader::read_wait() {
  begin_call("MPI_Wait");
  const auto most = std::int64_t{program_.ranks()} - 1;
  const auto source = number(2, "a rank", kSmpiAnySource, most);
  const auto destination = number(3, "a rank", 0, most);
  const auto tag = number(4, "a tag", kSmpiAnyTag, kMostTag);
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

void RankReader::wait_for_all() {
  begin_call("MPI_Waitall");
  for (const auto& o : open_)
    if (o.slot) program_.wait(*o.slot);
  open_.clear();
}

void RankReader::read_compute() {
  const auto time = duration(2, options_.flops_per_second);
  if (!failed_) program_.compute(time);
}

void RankReader::read_sleep() {
  begin_call("sleep");
  const auto time = duration(2, 1);
  if (!failed_) program_.elapse(time);
}

/// The word at this place as an amount; `per_second` of it is done in a second.
Duration RankReader::duration(std::size_t at, double per_second) {
  double amount = -1;
  if (at < words_.size()) {
    const auto word = words_[at];
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), amount);
    if (error != std::errc{} || end != word.data() + word.size() || std::isnan(amount)) amount = -1;
  }
  const auto time = Duration::seconds(amount / per_second);
  if (amount >= 0 && time != Duration::max()) return time;
  fail(fmt::format("expected an amount that fits in a run's time, as word {}", at + 1));
  return {};
}

std::int64_t RankReader::number(std::size_t at, std::string_view what, std::int64_t least,
                                std::int64_t most) {
  if (at < words_.size())
    if (const auto value = whole_number<std::int64_t>(words_[at]); value && *value >= least && *value <= most)
      return *value;
  fail(fmt::format("expected {}, a whole number from {} to {}, as word {}", what, least, most, at + 1));
  return 0;
}

std::uint64_t RankReader::count(std::size_t at) {
  return static_cast<std::uint64_t>(number(at, "a number of elements", 0, kMostCountInTi));
}

std::uint64_t RankReader::type_size(std::size_t at) {
  if (at >= words_.size()) return default_type_size_;
  if (words_[at] == "-1")
    fail(fmt::format("word {} is -1, a datatype made by the program, whose size the trace does not give",
                     at + 1),
         Error::Kind::unsupported);
  const auto type = number(at, "a datatype", 0, static_cast<std::int64_t>(kTypeSizes.size()) - 1);
  const std::uint64_t size = kTypeSizes[static_cast<std::size_t>(type)];
  if (size == 0) fail(fmt::format("there is no datatype {}", type));
  return size;
}

std::uint64_t RankReader::bytes(std::size_t count_at, std::size_t type_at) {
  return count(count_at) * type_size(type_at);
}

void RankReader::fail(std::string message, Error::Kind kind) {
  if (failed_) return;
  failed_.emplace();
  failed_->kind = kind;
  failed_->path = path_;
  failed_->line = line_;
  failed_->message = std::move(message);
}

}  // namespace busline::ti
