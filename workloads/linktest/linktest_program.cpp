#include "workloads/linktest/linktest_program.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "sim/program/program_builder.hpp"
#include "workloads/kernels/kernel.hpp"
#include "workloads/kernels/operations.hpp"

namespace busline::linktest {
namespace {

class Writer {
 public:
  Writer(const Schedule& schedule, const LinktestProgram& run, const KernelOperation& op)
      : schedule_(schedule), run_(run), op_(op), builder_(schedule.ranks()) {
    // Kernels that load both directions at once have no second phase.
    phases_ = op.first == op.second ? 1 : 2;
    if (run.serial)
      for (std::uint32_t step = 0; step < schedule.steps(); ++step) serial_.push_back(schedule.serial(step));
  }

  Program write() {
    for (std::uint32_t rank = 0; rank < schedule_.ranks(); ++rank) {
      builder_.begin_strand(rank);
      builder_.compute(Duration());  // Dimemas leaves out ranks that do not begin with a burst
      for (std::uint32_t step = 0; step < schedule_.steps(); ++step)
        run_.serial ? alone(rank, step) : together(rank, step);
    }
    return builder_.build();
  }

 private:
  void alone(std::uint32_t rank, std::uint32_t step) {
    for (const auto& pair : serial_[step]) {
      barrier(rank);
      if (rank == pair.first) measure(rank, pair.second, true);
      if (rank == pair.second) measure(rank, pair.first, false);
    }
  }

  void together(std::uint32_t rank, std::uint32_t step) {
    const auto turn = schedule_.turn(rank, step);
    for (int phase = 0; phase < phases_; ++phase) {
      barrier(rank);
      if (turn) measure(rank, turn->partner, turn->first == (phase == 0));
    }
  }

  void barrier(std::uint32_t rank) {
    const std::array everybody{rank};
    const RankCalls::Place place{.rank = rank, .ranks = everybody};
    RankCalls(builder_, place).barrier();
  }

  void measure(std::uint32_t rank, std::uint32_t partner, bool first) {
    const std::array pair{first ? rank : partner, first ? partner : rank};
    RankCalls::Place place{.rank = rank, .peer = partner, .ranks = pair, .size = run_.size};
    RankCalls calls(builder_, place);
    if (run_.warmup > 0) op_.emit(calls, place, first, run_.warmup);
    builder_.mark(kSampleBegins);
    op_.emit(calls, place, first, run_.messages);
    builder_.mark(kSampleEnds);
  }

  const Schedule& schedule_;
  const LinktestProgram& run_;
  const KernelOperation& op_;
  ProgramBuilder builder_;
  int phases_ = 2;
  std::vector<std::vector<Pair>> serial_;  // by step
};

}  // namespace

Expected<Program> linktest_program(const Schedule& schedule, const LinktestProgram& run) {
  const auto* op = find_operation(run.operation);
  if (op == nullptr || op->pattern != KernelPattern::pairs) {
    Error e;
    e.kind = Error::Kind::bad_option;
    e.message = fmt::format("'{}' is not a pair operation", run.operation);
    e.hint = "docs/reference/kernels.md lists them";
    return tl::unexpected(std::move(e));
  }
  return Writer(schedule, run, *op).write();
}

}  // namespace busline::linktest
