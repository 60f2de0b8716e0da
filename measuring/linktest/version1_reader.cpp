#include <fmt/format.h>

#include <utility>

#include "measuring/linktest/layout.hpp"
#include "measuring/linktest/payload_cursor.hpp"
#include "measuring/linktest/payload_readers.hpp"

namespace busline::linktest {
namespace {

using namespace version1;

class Version1Reader {
 public:
  Version1Reader(const sion::Container& container, Encoding encoding, Diagnostics& diagnostics)
      : container_(container), encoding_(encoding), diagnostics_(diagnostics), ranks_(container.ranks()) {}

  Expected<LinkTestResult> read() {
    // The streams' lengths first: nothing is allocated for times that do not exist.
    PayloadCursor first = cursor(0);
    auto read = read_beginning(first, 0).and_then([&] { return read_parameters(first); });
    if (read) read = check_lengths();
    if (!read) return tl::unexpected(std::move(read.error()));

    auto& iteration = result_.iterations.emplace_back();
    iteration.summary = summary_;
    if (result_.settings.all_to_all) iteration.all_to_all_summary = all_to_all_summary_;
    iteration.seconds = PairMatrix<double>(ranks_);
    iteration.step = PairMatrix<std::uint32_t>(ranks_);
    if (result_.settings.all_to_all) iteration.all_to_all.reserve(std::size_t{ranks_} * ranks_);
    if (read = read_times(first, 0, iteration); !read) return tl::unexpected(std::move(read.error()));
    read_retests(first, iteration);
    for (std::uint32_t rank = 1; rank < ranks_; ++rank) {
      PayloadCursor next = cursor(rank);
      read = read_beginning(next, rank).and_then([&] { return read_times(next, rank, iteration); });
      if (!read) return tl::unexpected(std::move(read.error()));
    }
    return std::move(result_);
  }

 private:
  PayloadCursor cursor(std::uint32_t rank) const { return {container_, rank, encoding_.order}; }

  // Tag, version and place of a rank.
  Expected<void> read_beginning(PayloadCursor& from, std::uint32_t rank) {
    Version version{1, 0, 0};
    if (encoding_.tagged) {
      if (!from.sees(kTag)) return tl::unexpected(from.wrong(0, "tag", fmt::format("is not '{}'", kTag)));
      from.move_to(kTag.size());
      version.major = from.read<std::uint32_t>();
      version.minor = from.read<std::uint32_t>();
      version.patch = from.read<std::uint32_t>();
    }
    if (rank == 0) {
      result_.version = version;
      if (version > kNewestVersion1)
        warn("unknown-version", fmt::format("written by version {}.{}p{}, newer than 1.2p1: read as that",
                                            version.major, version.minor, version.patch));
    } else if (version != result_.version) {
      return tl::unexpected(from.wrong(
          kTag.size(), "version",
          fmt::format("is {}.{}p{}, but that of rank 0 is {}.{}p{}", version.major, version.minor,
                      version.patch, result_.version.major, result_.version.minor, result_.version.patch)));
    }
    auto& place = result_.places.emplace_back();
    place.host = from.read_text(kLocationBytes);
    place.coordinates = from.read_all<std::int32_t>(coordinates(version.minor));
    if (!from.ok()) return tl::unexpected(from.cut("location"));
    return {};
  }

  Expected<void> read_parameters(PayloadCursor& from) {
    const auto begin = from.position();
    std::int32_t integers[kIntegers] = {};
    double doubles[kDoubles] = {};
    from.read(integers, kIntegers);
    from.read(doubles, kDoubles);
    if (!from.ok()) return tl::unexpected(from.cut("parameters"));
    constexpr const char* kNames[] = {"number of messages", "message size"};
    for (std::size_t i = 0; i < 2; ++i)
      if (integers[i] < 0)
        return tl::unexpected(
            from.wrong(begin + 4 * i, kNames[i], fmt::format("is {}, expected 0 or more", integers[i])));
    if (integers[3] != kCollectNumber) {
      auto e = from.wrong(begin + 12, "collect number", fmt::format("is {}, expected 1", integers[3]),
                          "files in which one rank wrote for several are not supported");
      e.kind = Error::Kind::unsupported;
      return tl::unexpected(std::move(e));
    }
    auto& s = result_.settings;
    s.messages = static_cast<std::uint64_t>(integers[0]);
    s.message_bytes = static_cast<std::uint64_t>(integers[1]);
    s.all_to_all = integers[2] != 0;
    s.collect_number = kCollectNumber;
    s.flags[kSerial] = integers[4] != 0;
    s.mixed_order = integers[5] != 0;
    s.retests = ranks_;
    // The order of 1.x is min, max, avg.
    summary_ = {doubles[0], doubles[2], doubles[1]};
    all_to_all_summary_ = {doubles[3], doubles[5], doubles[4]};
    return {};
  }

  Expected<void> check_lengths() {
    std::uint64_t left_over = 0;
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      PayloadCursor stream = cursor(rank);
      const auto expected = stream_bytes(rank, ranks_, result_.version.minor, result_.settings.all_to_all) +
                            (encoding_.tagged ? kTagAndVersionBytes : 0);
      if (stream.size() < expected)
        return tl::unexpected(stream.wrong(stream.size(), "end",
                                           fmt::format("the rank wrote {} bytes, expected {} for {} ranks",
                                                       stream.size(), expected, ranks_)));
      if (stream.size() > expected) ++left_over;
    }
    if (left_over > 0)
      warn("left-over", fmt::format("{} of {} ranks wrote more than the result; the excess is ignored",
                                    left_over, ranks_));
    return {};
  }

  Expected<void> read_times(PayloadCursor& from, std::uint32_t rank, Iteration& to) {
    from.read(to.seconds.row(rank), ranks_);
    const auto steps_at = from.position();
    auto* const steps = to.step.row(rank);
    from.read(steps, ranks_);
    for (std::uint32_t partner = 0; partner < ranks_; ++partner)
      if (steps[partner] > ranks_ || (partner == rank && steps[partner] != 0))
        return tl::unexpected(
            from.wrong(steps_at + 4 * std::uint64_t{partner}, "access pattern",
                       fmt::format("the step with rank {} is {}, expected {}", partner,
                                   static_cast<std::int32_t>(steps[partner]),
                                   partner == rank ? "0" : fmt::format("0 to {}", ranks_))));
    if (result_.settings.all_to_all) {
      const auto times = from.read_all<double>(ranks_);
      to.all_to_all.insert(to.all_to_all.end(), times.begin(), times.end());
    }
    if (!from.ok()) return tl::unexpected(from.cut("times"));
    return {};
  }

  void read_retests(PayloadCursor& from, Iteration& to) {
    const auto second = from.read_all<double>(ranks_), first = from.read_all<double>(ranks_);
    const auto initiators = from.read_all<std::uint32_t>(ranks_),
               responders = from.read_all<std::uint32_t>(ranks_);
    if (auto left_out = add_retests(to, ranks_, first, second, {initiators.begin(), initiators.end()},
                                    {responders.begin(), responders.end()});
        !left_out.empty())
      warn("retest", std::move(left_out));
  }

  void warn(const char* code, std::string message) {
    diagnostics_.push_back({Diagnostic::Severity::warning, code, std::move(message), container_.path()});
  }

  const sion::Container& container_;
  Encoding encoding_;
  Diagnostics& diagnostics_;
  std::uint32_t ranks_;
  LinkTestResult result_;
  Summary summary_, all_to_all_summary_;
};

}  // namespace

Expected<LinkTestResult> read_version1(const sion::Container& container, Encoding encoding,
                                       Diagnostics& diagnostics) {
  return Version1Reader(container, encoding, diagnostics).read();
}

}  // namespace busline::linktest
