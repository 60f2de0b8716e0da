#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "measuring/linktest/layout.hpp"
#include "measuring/linktest/payload_buffer.hpp"
#include "measuring/linktest/write_linktest.hpp"
#include "sim/base/assert.hpp"

namespace busline::linktest {
namespace {

using namespace version2;

// Texts are written with their NUL, which their length counts.
std::size_t text_bytes(const std::string& text) {
  return std::min<std::size_t>(text.size(), kMostTextBytes - 1) + 1;
}

// What a rank has in an iteration, one entry per step or partner.
struct Entries {
  std::vector<double> seconds;
  std::vector<std::uint64_t> access;
};

// Whether N - 1 entries, one per step, hold all partners: both ranks name the same step, and neither has
// another partner in it.
bool fits_into_steps(const PairMatrix<std::uint32_t>& step) {
  const auto ranks = step.ranks();
  std::vector<std::uint32_t> busy_with(std::size_t{ranks} + 1);
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    for (std::uint32_t partner = 0; partner < ranks; ++partner) {
      const auto s = step(rank, partner);
      if (s == 0) continue;
      if (s >= ranks || s != step(partner, rank) || busy_with[s] == rank + 1) return false;
      busy_with[s] = rank + 1;
    }
  return true;
}

class Version2Writer {
 public:
  Version2Writer(const LinkTestResult& result, sion::ByteOrder order)
      : result_(result), order_(order), ranks_(result.ranks()), retests_(result.settings.retests) {
    SIM_ASSERT(ranks_ > 0);
    for (const auto& i : result.iterations) {
      retests_ = std::max<std::uint64_t>(retests_, i.retests.size());
      by_step_.push_back(fits_into_steps(i.step));
    }
    retests_ = std::min(retests_, kMostRetests);
  }

  std::uint64_t size(std::uint32_t rank) const {
    const auto header = rank == 0 ? 147 + text_bytes(result_.settings.mode) : kTag.size();
    return header + 8 + text_bytes(result_.places[rank].host) + kEnd.size() +
           result_.iterations.size() * record_bytes(rank, ranks_ - 1, result_.settings.all_to_all, retests_);
  }

  std::string stream(std::uint32_t rank) const {
    PayloadBuffer to(order_, size(rank));
    to.put_bytes(kTag);
    if (rank == 0) put_header(to);
    const auto& place = result_.places[rank];
    put_counted(to, place.host);
    to.put(place.core);
    for (std::size_t i = 0; i < result_.iterations.size(); ++i)
      put_iteration(to, result_.iterations[i], rank, by_step_[i]);
    to.put_bytes(kEnd);
    return to.take();
  }

 private:
  static void put_counted(PayloadBuffer& to, const std::string& text) {
    const auto bytes = text_bytes(text);
    to.put(static_cast<std::uint32_t>(bytes));
    to.put_text(text, bytes);
  }

  void put_header(PayloadBuffer& to) const {
    const auto& s = result_.settings;
    for (const auto number : {kNewestVersion.major, kNewestVersion.minor, kNewestVersion.patch})
      to.put(number);
    to.put_text(s.git_hash, kGitHashBytes);
    put_counted(to, s.mode);
    for (const bool flag : {s.all_to_all, s.kernel == KernelKind::bidirectional,
                            s.kernel == KernelKind::unidirectional, s.bisection})
      to.put(static_cast<std::uint8_t>(flag));
    to.put_all(s.flags);
    for (const auto number : {s.messages, s.message_bytes, s.warmup_messages.value_or(0), s.collect_number,
                              retests_, s.buffers, s.buffer_seed, s.shuffled_orders, s.order_seed})
      to.put(number);
  }

  void put_iteration(PayloadBuffer& to, const Iteration& iteration, std::uint32_t rank, bool by_step) const {
    if (rank == 0) {
      to.put_text(iteration.start_time, kTimeTextBytes);
      put_summary(to, iteration.summary);
      if (result_.settings.all_to_all) put_summary(to, iteration.all_to_all_summary.value_or(Summary{}));
    }
    const auto entries = entries_of(iteration, rank, by_step);
    to.put_all(entries.seconds);
    to.put_all(entries.access);
    if (result_.settings.all_to_all) to.put(all_to_all(iteration, rank));
    if (rank == 0) {
      put_retests(to, iteration.retests);
      to.put_text(iteration.end_time, kTimeTextBytes);
    }
  }

  static void put_summary(PayloadBuffer& to, const Summary& s) {
    for (const auto value : {s.min, s.avg, s.max}) to.put(value);
  }

  Entries entries_of(const Iteration& iteration, std::uint32_t rank, bool by_step) const {
    const std::size_t n = ranks_ - 1;
    Entries e{std::vector<double>(n), std::vector<std::uint64_t>(n, rank)};
    if (iteration.access == AccessPattern::unmapped) {
      const auto& raw = iteration.unmapped;
      for (std::size_t i = 0; i < std::min<std::size_t>(n, raw.entries); ++i) {
        e.seconds[i] = raw.seconds[std::size_t{rank} * raw.entries + i];
        e.access[i] = raw.access[std::size_t{rank} * raw.entries + i];
      }
      return e;
    }
    for (std::uint32_t partner = 0; partner < ranks_; ++partner) {
      if (partner == rank) continue;
      const auto step = iteration.step(rank, partner);
      const std::size_t of_partner = partner < rank ? partner : partner - 1;
      if (!by_step) e.access[of_partner] = step;
      if (step == 0) continue;
      if (by_step) e.access[step - 1] = partner;
      e.seconds[by_step ? step - 1 : of_partner] = iteration.seconds(rank, partner);
    }
    return e;
  }

  // One value per rank, where 1.x has one per step.
  double all_to_all(const Iteration& iteration, std::uint32_t rank) const {
    const auto& all = iteration.all_to_all;
    if (all.size() == ranks_) return all[rank];
    if (all.size() != std::size_t{ranks_} * ranks_ || ranks_ < 2) return 0;
    const auto* const of_rank = all.data() + std::size_t{rank} * ranks_;
    return std::accumulate(of_rank, of_rank + ranks_, 0.0) / (ranks_ - 1);
  }

  void put_retests(PayloadBuffer& to, const std::vector<Retest>& made) const {
    const auto slots = static_cast<std::size_t>(retests_);
    const auto put = [&](auto member, auto unused) {
      for (std::size_t i = 0; i < slots; ++i) to.put(i < made.size() ? member(made[i]) : unused);
    };
    put([](const Retest& r) { return r.second; }, 0.0);
    put([](const Retest& r) { return r.first; }, 0.0);
    put([](const Retest& r) { return std::uint64_t{r.initiator}; }, std::uint64_t{0});
    put([](const Retest& r) { return std::uint64_t{r.responder}; }, std::uint64_t{0});
  }

  const LinkTestResult& result_;
  sion::ByteOrder order_;
  std::uint32_t ranks_;
  std::uint64_t retests_;      // slots of each iteration
  std::vector<bool> by_step_;  // by iteration: entry i is that of step i + 1
};

}  // namespace

Expected<void> write_version2(const std::string& path, const LinkTestResult& result,
                              const sion::WriteOptions& options) {
  const Version2Writer writer(result, options.data_order);
  sion::Streams streams;
  for (std::uint32_t rank = 0; rank < result.ranks(); ++rank) streams.bytes.push_back(writer.size(rank));
  streams.content = [&](std::uint32_t rank) { return writer.stream(rank); };
  return sion::write_container(path, streams, options);
}

}  // namespace busline::linktest
