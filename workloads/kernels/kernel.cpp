#include "workloads/kernels/kernel.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <utility>

#include "sim/program/program_builder.hpp"
#include "workloads/kernels/operations.hpp"

namespace busline {
namespace {

tl::unexpected<Error> wrong(const Kernel& kernel, std::string message, std::string hint = {}) {
  return refuse_option("kernel " + kernel.operation, std::move(message), std::move(hint));
}

constexpr std::uint64_t kMostSize = std::uint64_t{1} << 50U;

Expected<void> check_ranks(const Kernel& k, KernelPattern pattern, std::uint32_t ranks) {
  const auto n = k.ranks.size();
  const bool fits = pattern == KernelPattern::simple          ? n == 1
                    : pattern == KernelPattern::collective    ? n >= 1
                    : pattern == KernelPattern::master_worker ? n >= 2
                                                              : n >= 2 && n % 2 == 0;
  if (!fits) {
    constexpr std::array kExpected{"2 or another even number", "2 or more", "1 or more", "1"};
    return wrong(
        k, fmt::format("{} ranks take part, expected {}", n, kExpected[static_cast<std::size_t>(pattern)]));
  }
  std::vector<bool> seen(ranks);
  for (const auto rank : k.ranks) {
    if (rank >= ranks)
      return wrong(k, fmt::format("rank {} takes part, but the job has {} ranks", rank, ranks));
    if (seen[rank]) return wrong(k, fmt::format("rank {} takes part twice", rank));
    seen[rank] = true;
  }
  return {};
}

// Upper bounds of the Program's contents.
Expected<void> check_length(const Kernel& k, const KernelOperation& op, const KernelPlan& plan) {
  if (plan.samples == 0 || k.messages == 0) return wrong(k, "makes no samples, or samples of no messages");
  if (k.bytes > kMostSize)
    return wrong(k, fmt::format("a message has {} bytes, expected at most 2^50", k.bytes));
  if (op.pattern == KernelPattern::master_worker && k.messages != 1)
    return wrong(
        k, fmt::format("a sample has {} messages, expected 1: the work is counted in chunks", k.messages));
  const double n = static_cast<double>(k.ranks.size());
  const double repetitions =
      static_cast<double>(plan.samples) * (static_cast<double>(plan.warmup) + k.messages);
  const double each = op.pattern == KernelPattern::collective      ? 4 * n
                      : op.pattern == KernelPattern::master_worker ? 2 * static_cast<double>(k.chunks) + 8
                                                                   : 5;
  if (const double operations = n * repetitions * each;
      operations > static_cast<double>(kMostKernelOperations))
    return wrong(k,
                 fmt::format("would be {:.1e} operations, expected at most {:.1e}", operations,
                             static_cast<double>(kMostKernelOperations)),
                 "fewer messages, repetitions or ranks");
  return {};
}

class KernelWriter {
 public:
  KernelWriter(const Kernel& kernel, const KernelOperation& op, const KernelPlan& plan, std::uint32_t ranks)
      : kernel_(kernel), op_(op), plan_(plan), builder_(ranks), position_(ranks, kNone) {
    for (std::size_t i = 0; i < kernel.ranks.size(); ++i) position_[kernel.ranks[i]] = i;
    bool everybody = kernel.ranks.size() == ranks;
    for (std::uint32_t r = 0; everybody && r < ranks; ++r) everybody = position_[r] == r;
    if (!everybody) communicator_ = builder_.add_communicator(kernel.ranks);
  }

  Program write() {
    for (std::uint32_t rank = 0; rank < position_.size(); ++rank) {
      builder_.begin_strand(rank);
      if (position_[rank] != kNone) write_rank(rank);
    }
    return builder_.build();
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  bool is_first(std::uint32_t rank) const {
    const auto position = position_[rank];
    switch (op_.pattern) {
      case KernelPattern::pairs:
        return position % 2 == 0;
      case KernelPattern::master_worker:
        return position == 0;
      default:
        return true;
    }
  }

  std::uint32_t peer_of(std::uint32_t rank) const {
    if (op_.pattern == KernelPattern::pairs) return kernel_.ranks[position_[rank] ^ 1U];
    return kernel_.ranks.front();
  }

  void write_rank(std::uint32_t rank) {
    RankCalls::Place place{.rank = rank,
                           .peer = peer_of(rank),
                           .communicator = communicator_,
                           .ranks = kernel_.ranks,
                           .size = Bytes{kernel_.bytes},
                           .chunks = kernel_.chunks};
    RankCalls calls(builder_, place);
    const bool alone = kernel_.ranks.size() == 1;
    builder_.compute(Duration());  // Dimemas leaves out ranks that do not begin with a burst
    for (std::uint32_t i = 0; i < plan_.samples; ++i) {
      if (!alone) lead_in(calls, i);
      if (plan_.warmup > 0) {
        warm_up(calls, place);
        // Pairs continue at once, as in LinkTest: the load that is then on the network is part of the
        // measurement.
        if (!alone && op_.pattern != KernelPattern::pairs) meet(calls);
      }
      op_.prepare(calls, is_first(rank), kernel_.messages);
      builder_.mark(kSampleBegins);
      if (op_.pattern == KernelPattern::master_worker)
        hand_out(calls, true);
      else
        repeat(calls, place, kernel_.messages);
      if (!ends_early(rank)) builder_.mark(kSampleEnds);
    }
  }

  void lead_in(RankCalls& calls, std::uint32_t sample) {
    constexpr std::uint64_t kVerdict = 4;  // an int
    if (plan_.lead_in == LeadIn::none && sample > 0) return;
    if (plan_.lead_in == LeadIn::verdict_and_barrier)
      calls.collective(CollectiveKind::bcast, kVerdict, kVerdict);
    meet(calls);
  }

  void meet(RankCalls& calls) const {
    // Init synchronises at no cost.
    if (plan_.lead_in == LeadIn::together)
      calls.collective(CollectiveKind::init, 0, 0);
    else
      calls.barrier();
  }

  void repeat(RankCalls& calls, RankCalls::Place& place, std::uint32_t messages) {
    if (op_.pattern == KernelPattern::master_worker) {
      for (std::uint32_t i = 0; i < messages; ++i) hand_out(calls, false);
      return;
    }
    op_.emit(calls, place, is_first(place.rank), messages);
  }

  void warm_up(RankCalls& calls, RankCalls::Place& place) {
    op_.prepare(calls, is_first(place.rank), plan_.warmup);
    repeat(calls, place, plan_.warmup);
  }

  // A master's sample ends when the last piece is handed out; dismissing the workers is not timed.
  bool ends_early(std::uint32_t rank) const {
    return op_.pattern == KernelPattern::master_worker && is_first(rank);
  }

  void hand_out(RankCalls& calls, bool timed) {
    const bool nothing = &op_ == &empty_operation(KernelPattern::master_worker);
    if (is_first(calls.place().rank)) {
      for (std::uint64_t i = 0; i < kernel_.chunks; ++i) op_.first(calls);
      if (timed) builder_.mark(kSampleEnds);
      for (std::size_t i = 1; i < kernel_.ranks.size() && !nothing; ++i) {
        calls.recv_request();
        calls.dismiss();
      }
    } else if (!nothing) {
      const auto begin = builder_.position();
      op_.second(calls);
      builder_.repeat_until(begin, kStopTag, communicator_, static_cast<std::uint32_t>(kernel_.chunks));
    }
  }

  const Kernel& kernel_;
  const KernelOperation& op_;
  const KernelPlan& plan_;
  ProgramBuilder builder_;
  std::vector<std::size_t> position_;  // of each rank in Kernel::ranks
  std::uint32_t communicator_ = 0;
};

}  // namespace

LeadIn usual_lead_in(const Kernel& kernel) {
  const auto* op = find_operation(kernel.operation);
  return op != nullptr && op->pattern == KernelPattern::collective ? LeadIn::together : LeadIn::barrier;
}

Expected<Program> kernel_program(const Kernel& kernel, const KernelPlan& plan, std::uint32_t ranks) {
  const auto* op = find_operation(kernel.operation);
  if (op == nullptr)
    return wrong(kernel, "there is no such operation", "docs/reference/kernels.md lists all");
  if (auto ok = check_ranks(kernel, op->pattern, ranks); !ok) return tl::unexpected(std::move(ok.error()));
  if (auto ok = check_length(kernel, *op, plan); !ok) return tl::unexpected(std::move(ok.error()));
  return KernelWriter(kernel, *op, plan, ranks).write();
}

}  // namespace busline
