#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "measuring/linktest/access_pattern.hpp"
#include "measuring/linktest/layout.hpp"
#include "measuring/linktest/payload_cursor.hpp"
#include "measuring/linktest/payload_readers.hpp"
#include "sim/base/text_parts.hpp"

namespace busline::linktest {
namespace {

using namespace version2;

// Details that the documentation leaves open and the file's content must show.
struct Reading {
  bool mode_ends_after_its_length = false;  // the length does not count the NUL
  bool host_ends_after_its_length = false;
  bool half = false;  // a bisection run with entries for its steps only
};

class Version2Reader {
 public:
  Version2Reader(const sion::Container& container, Encoding encoding, Diagnostics& diagnostics)
      : container_(container), encoding_(encoding), diagnostics_(diagnostics), ranks_(container.ranks()) {}

  Expected<LinkTestResult> read() {
    if (auto found = find_reading(); !found) return tl::unexpected(std::move(found.error()));
    warn_of_settings();
    for (std::uint64_t i = 0; i < iterations_; ++i) read_iteration(i, result_.iterations.emplace_back());
    return std::move(result_);
  }

 private:
  // The first reading under which all ranks end where a record ends, after equally many records. Documented
  // is the first one; its error is the one to tell.
  Expected<void> find_reading() {
    Expected<void> first = tl::unexpected(Error{});
    for (std::uint32_t n = 0; n < 8; ++n) {
      const Reading reading{(n & 2U) != 0, (n & 1U) != 0, (n & 4U) != 0};
      auto read = try_reading(reading);
      if (read) return read;
      if (n == 0) first = std::move(read);
    }
    return first;
  }

  Expected<void> try_reading(const Reading& reading) {
    result_ = {};
    records_.clear();
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      PayloadCursor from = cursor(rank);
      Expected<void> read;
      if (rank == 0) {
        read = read_header(from, reading);
        entries_ = reading.half ? ranks_ / 2 : ranks_ - 1;
      } else if (!from.sees(kTag)) {
        read = tl::unexpected(from.wrong(0, "tag", fmt::format("is not '{}'", kTag)));
      } else {
        from.move_to(kTag.size());
      }
      if (read) read = read_place(from, reading);
      if (read) read = find_end(from, rank);
      if (!read) return read;
    }
    return {};
  }

  Expected<void> read_header(PayloadCursor& from, const Reading& reading) {
    from.move_to(kTag.size());
    auto& v = result_.version;
    v.major = from.read<std::uint32_t>();
    v.minor = from.read<std::uint32_t>();
    v.patch = from.read<std::uint32_t>();
    auto& s = result_.settings;
    s.git_hash = from.read_text(kGitHashBytes);
    if (auto mode = read_counted(from, "mode", reading.mode_ends_after_its_length))
      s.mode = std::move(*mode);
    else
      return tl::unexpected(std::move(mode.error()));

    const auto flags_at = from.position();
    std::array<std::uint8_t, 4> known{};
    from.read(known.data(), known.size());
    for (std::size_t i = 0; i < known.size(); ++i)
      if (known[i] > 1)
        return tl::unexpected(
            from.wrong(flags_at + i, "flags", fmt::format("flag {} is {}, expected 0 or 1", i, known[i])));
    s.all_to_all = known[0] != 0;
    s.kernel = known[1] != 0   ? KernelKind::bidirectional
               : known[2] != 0 ? KernelKind::unidirectional
                               : KernelKind::semidirectional;
    both_kernels_ = known[1] != 0 && known[2] != 0;
    s.bisection = known[3] != 0;
    if (reading.half && !s.bisection) return tl::unexpected(from.wrong(flags_at, "flags", "no bisection"));
    from.read(s.flags.data(), s.flags.size());
    for (auto* const number : {&s.messages, &s.message_bytes}) *number = from.read<std::uint64_t>();
    s.warmup_messages = from.read<std::uint64_t>();
    s.collect_number = from.read<std::uint64_t>();
    const auto retests_at = from.position();
    for (auto* const number : {&s.retests, &s.buffers, &s.buffer_seed, &s.shuffled_orders, &s.order_seed})
      *number = from.read<std::uint64_t>();
    if (!from.ok()) return tl::unexpected(from.cut("header"));
    if (s.retests > kMostRetests)
      return tl::unexpected(from.wrong(retests_at, "number of retests",
                                       fmt::format("is {}, expected at most {}", s.retests, kMostRetests)));
    return {};
  }

  // A text after its length; with `ends_after`, its NUL follows.
  static Expected<std::string> read_counted(PayloadCursor& from, std::string_view what, bool ends_after) {
    const auto begin = from.position();
    const auto bytes = from.read<std::uint32_t>();
    if (from.ok() && bytes > kMostTextBytes)
      return tl::unexpected(from.wrong(
          begin, what, fmt::format("has a length of {}, expected at most {}", bytes, kMostTextBytes)));
    auto text = from.read_bytes(bytes);
    const bool ends = !ends_after || (!text.empty() && text.back() == '\0') || from.read<char>() == '\0';
    if (!from.ok()) return tl::unexpected(from.cut(what));
    if (!ends) return tl::unexpected(from.wrong(begin, what, "does not end with a NUL"));
    text.resize(std::min(text.find('\0'), text.size()));
    return text;
  }

  Expected<void> read_place(PayloadCursor& from, const Reading& reading) {
    auto host = read_counted(from, "host name", reading.host_ends_after_its_length);
    if (!host) return tl::unexpected(std::move(host.error()));
    auto& place = result_.places.emplace_back();
    place.host = std::move(*host);
    place.core = from.read<std::int32_t>();
    if (!from.ok()) return tl::unexpected(from.cut("core"));
    return {};
  }

  std::uint64_t record_size(std::uint32_t rank) const {
    return record_bytes(rank, entries_, result_.settings.all_to_all, result_.settings.retests);
  }

  // The number of records is not stored: they end where END_BLOCK is.
  Expected<void> find_end(PayloadCursor& from, std::uint32_t rank) {
    const auto begin = from.position(), size = record_size(rank);
    const auto most = from.left() / size;
    std::uint64_t records = 0;
    while (records <= most && !from.sees(kEnd)) {
      ++records;
      if (records <= most) from.move_to(begin + records * size);
    }
    if (records > most)
      return tl::unexpected(from.wrong(
          begin, "records",
          fmt::format("do not end with {} after 0 to {} records of {} bytes each", kEnd, most, size),
          "the file is truncated, or its lengths are wrong"));
    if (rank > 0 && records != iterations_)
      return tl::unexpected(
          from.wrong(begin, "records", fmt::format("are {}, but rank 0 has {}", records, iterations_)));
    iterations_ = records;
    records_.push_back(begin);
    return {};
  }

  void warn_of_settings() {
    const auto& v = result_.version;
    if (v != kNewestVersion)
      warn("unknown-version",
           fmt::format("written by version {}.{}.{}: read as 2.1.16", v.major, v.minor, v.patch));
    if (both_kernels_)
      warn("both-kernels", "claims to be both bidirectional and unidirectional: taken as bidirectional");
    const auto expected = std::max<std::uint64_t>(1, result_.settings.shuffled_orders);
    if (iterations_ != expected)
      warn("iterations",
           fmt::format("has {}, but its header declares {}", counted(iterations_, "iteration"), expected));
  }

  // The access pattern of all ranks comes first: it says where the times belong.
  void read_iteration(std::uint64_t number, Iteration& to) {
    const AccessEntries access = read_access(number);
    const auto reading = reading_of(access, result_.settings.bisection);
    to.access = reading.pattern;
    if (reading.pattern == AccessPattern::unmapped) {
      warn("unmapped",
           fmt::format("the access pattern of iteration {} names neither partners nor steps", number + 1));
      to.unmapped.entries = entries_;
    } else {
      to.seconds = PairMatrix<double>(ranks_);
      to.step = PairMatrix<std::uint32_t>(ranks_);
    }
    std::vector<double> times(entries_);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      PayloadCursor from = record(rank, number);
      if (rank == 0) read_summaries(from, to);
      from.read(times.data(), times.size());
      if (reading.pattern == AccessPattern::unmapped)
        keep_unmapped(from, times, to.unmapped);
      else
        from.move_to(from.position() + 8 * std::uint64_t{entries_});
      for (std::uint32_t i = 0; i < entries_; ++i)
        if (const auto m = reading.meeting(access, rank, i)) {
          to.seconds(rank, m->partner) = times[i];
          to.step(rank, m->partner) = m->step;
        }
      if (result_.settings.all_to_all) to.all_to_all.push_back(from.read<double>());
      if (rank == 0) {
        read_retests(from, to);
        to.end_time = from.read_text(kTimeTextBytes);
      }
    }
  }

  AccessEntries read_access(std::uint64_t number) const {
    AccessEntries access{ranks_, entries_, {}};
    access.values.reserve(std::size_t{ranks_} * entries_);
    std::vector<std::uint64_t> row(entries_);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      PayloadCursor from = record(rank, number);
      const auto before = rank == 0 ? kTimeTextBytes + (result_.settings.all_to_all ? 48U : 24U) : 0U;
      from.move_to(from.position() + before + 8 * std::uint64_t{entries_});
      from.read(row.data(), row.size());
      for (const auto v : row)
        access.values.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(v, 0xffffffffU)));
    }
    return access;
  }

  void read_summaries(PayloadCursor& from, Iteration& to) const {
    const auto read = [&] {
      Summary s;
      for (auto* const value : {&s.min, &s.avg, &s.max}) *value = from.read<double>();
      return s;
    };
    to.start_time = from.read_text(kTimeTextBytes);
    to.summary = read();
    if (result_.settings.all_to_all) to.all_to_all_summary = read();
  }

  void keep_unmapped(PayloadCursor& from, const std::vector<double>& times, Unmapped& to) const {
    to.seconds.insert(to.seconds.end(), times.begin(), times.end());
    const auto access = from.read_all<std::uint64_t>(entries_);
    to.access.insert(to.access.end(), access.begin(), access.end());
  }

  // A rank has 8 bytes without a documented type. Large ones may be a double.
  std::uint64_t rank_in(std::uint64_t bits) const {
    if (bits < ranks_) return bits;
    const auto number = std::bit_cast<double>(bits);
    return number >= 0 && number < ranks_ && number == std::floor(number) ? static_cast<std::uint64_t>(number)
                                                                          : bits;
  }

  void read_retests(PayloadCursor& from, Iteration& to) {
    const auto n = result_.settings.retests;
    const auto second = from.read_all<double>(n), first = from.read_all<double>(n);
    auto initiators = from.read_all<std::uint64_t>(n), responders = from.read_all<std::uint64_t>(n);
    for (auto* const ranks : {&initiators, &responders})
      std::transform(ranks->begin(), ranks->end(), ranks->begin(),
                     [this](auto bits) { return rank_in(bits); });
    if (auto left_out = add_retests(to, ranks_, first, second, initiators, responders); !left_out.empty())
      warn("retest", std::move(left_out));
  }

  PayloadCursor cursor(std::uint32_t rank) const { return {container_, rank, encoding_.order}; }
  PayloadCursor record(std::uint32_t rank, std::uint64_t number) const {
    PayloadCursor from = cursor(rank);
    from.move_to(records_[rank] + number * record_size(rank));
    return from;
  }

  void warn(const char* code, std::string message) {
    diagnostics_.push_back({Diagnostic::Severity::warning, code, std::move(message), container_.path()});
  }

  const sion::Container& container_;
  Encoding encoding_;
  Diagnostics& diagnostics_;
  std::uint32_t ranks_;
  std::uint32_t entries_ = 0;  // measurements of a rank in an iteration
  std::uint64_t iterations_ = 0;
  std::vector<std::uint64_t> records_;  // where they begin in the stream, by rank
  bool both_kernels_ = false;
  LinkTestResult result_;
};

}  // namespace

Expected<LinkTestResult> read_version2(const sion::Container& container, Encoding encoding,
                                       Diagnostics& diagnostics) {
  return Version2Reader(container, encoding, diagnostics).read();
}

}  // namespace busline::linktest
