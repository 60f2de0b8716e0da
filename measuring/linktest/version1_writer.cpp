#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "measuring/linktest/layout.hpp"
#include "measuring/linktest/payload_buffer.hpp"
#include "measuring/linktest/write_linktest.hpp"
#include "sim/base/assert.hpp"

namespace busline::linktest {
namespace {

using namespace version1;

class Version1Writer {
 public:
  Version1Writer(const LinkTestResult& result, const Iteration& iteration, sion::ByteOrder order)
      : result_(result), iteration_(iteration), order_(order), ranks_(result.ranks()) {}

  std::uint64_t size(std::uint32_t rank) const {
    return kTagAndVersionBytes +
           stream_bytes(rank, ranks_, kNewestVersion1.minor, result_.settings.all_to_all);
  }

  std::string stream(std::uint32_t rank) const {
    PayloadBuffer to(order_, size(rank));
    to.put_bytes(kTag);
    for (const auto number : {kNewestVersion1.major, kNewestVersion1.minor, kNewestVersion1.patch})
      to.put(number);
    const auto& place = result_.places[rank];
    to.put_text(place.host, kLocationBytes);
    // Outside a Blue Gene, LinkTest writes the rank and zeros.
    std::vector<std::int32_t> where(coordinates(kNewestVersion1.minor));
    where[0] = static_cast<std::int32_t>(rank);
    if (!place.coordinates.empty())
      for (std::size_t i = 0; i < where.size(); ++i)
        where[i] = i < place.coordinates.size() ? place.coordinates[i] : 0;
    to.put_all(where);
    if (rank == 0) put_parameters(to);
    for (std::uint32_t partner = 0; partner < ranks_; ++partner) to.put(iteration_.seconds(rank, partner));
    for (std::uint32_t partner = 0; partner < ranks_; ++partner) to.put(iteration_.step(rank, partner));
    if (result_.settings.all_to_all)
      for (std::uint32_t step = 0; step < ranks_; ++step) to.put(all_to_all(rank, step));
    if (rank == 0) put_retests(to);
    return to.take();
  }

 private:
  void put_parameters(PayloadBuffer& to) const {
    const auto& s = result_.settings;
    const std::int32_t integers[kIntegers] = {static_cast<std::int32_t>(s.messages),
                                              static_cast<std::int32_t>(s.message_bytes),
                                              s.all_to_all,
                                              kCollectNumber,
                                              s.flags[kSerial] != 0,
                                              s.mixed_order,
                                              0,
                                              0,
                                              0,
                                              kNewestVersion1.major};
    to.put_all(integers);
    const auto& t = iteration_.summary;
    const auto a = iteration_.all_to_all_summary.value_or(Summary{});
    const double doubles[kDoubles] = {t.min, t.max, t.avg, a.min, a.max, a.avg};
    to.put_all(doubles);
  }

  // One value per step, where 2.x has one per rank.
  double all_to_all(std::uint32_t rank, std::uint32_t step) const {
    const auto& all = iteration_.all_to_all;
    if (all.size() == std::size_t{ranks_} * ranks_) return all[std::size_t{rank} * ranks_ + step];
    return all.size() == ranks_ && step > 0 ? all[rank] : 0;
  }

  void put_retests(PayloadBuffer& to) const {
    std::vector<Retest> slots(iteration_.retests.begin(),
                              iteration_.retests.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(
                                                               ranks_, iteration_.retests.size())));
    slots.resize(ranks_);
    for (const auto& r : slots) to.put(r.second);
    for (const auto& r : slots) to.put(r.first);
    for (const auto& r : slots) to.put(r.initiator);
    for (const auto& r : slots) to.put(r.responder);
  }

  const LinkTestResult& result_;
  const Iteration& iteration_;
  sion::ByteOrder order_;
  std::uint32_t ranks_;
};

Error does_not_fit(const std::string& path, std::string what, std::string message) {
  Error e;
  e.kind = Error::Kind::unsupported;
  e.path = path;
  e.where = std::move(what);
  e.message = std::move(message);
  e.hint = "write a LinkTest 2.1 file instead";
  return e;
}

}  // namespace

Expected<void> write_version1(const std::string& path, const LinkTestResult& result, std::size_t iteration,
                              const sion::WriteOptions& options) {
  SIM_ASSERT(iteration < result.iterations.size() && result.ranks() > 0);
  constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
  const auto& s = result.settings;
  for (const auto& [what, value] :
       {std::pair{"number of messages", s.messages}, std::pair{"message size", s.message_bytes}})
    if (value > kMost)
      return tl::unexpected(does_not_fit(
          path, what,
          fmt::format("{} does not fit into a LinkTest 1.2 file, which holds at most {}", value, kMost)));
  if (result.iterations[iteration].access == AccessPattern::unmapped)
    return tl::unexpected(
        does_not_fit(path, "access pattern",
                     "a LinkTest 1.2 file records the pair of ranks of each time, which is not known here"));
  const Version1Writer writer(result, result.iterations[iteration], options.data_order);
  sion::Streams streams;
  for (std::uint32_t rank = 0; rank < result.ranks(); ++rank) streams.bytes.push_back(writer.size(rank));
  streams.content = [&](std::uint32_t rank) { return writer.stream(rank); };
  return sion::write_container(path, streams, options);
}

}  // namespace busline::linktest
