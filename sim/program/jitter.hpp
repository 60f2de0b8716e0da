// Programs whose bursts take longer or less, as they do from run to run on a real machine.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/program/program.hpp"

namespace busline {

/// Multiplies the time of each burst above 0 by factor(rank, operation), which is called in their order and
/// at most gives a quarter of the clock's range. Copies the operations and shares the other tables.
template <class Factor>
Program with_burst_factors(const Program& program, Factor&& factor) {
  struct Copy {
    Program source;
    std::vector<Operation> operations;
  };
  const auto copy = std::make_shared<Copy>();
  copy->source = program;
  copy->operations.assign(program.operations().begin(), program.operations().end());
  for (const auto& strand : program.strands())
    for (auto i = strand.begin; i < strand.end; ++i) {
      auto& op = copy->operations[i];
      if (op.kind != OpKind::compute || op.amount <= 0) continue;
      const double f = factor(strand.rank, op);
      if (f == 1) continue;
      constexpr auto kMost = Duration::max().count() / 4;
      op.amount = std::clamp<std::int64_t>(Duration::from_double(static_cast<double>(op.amount) * f).count(),
                                           0, std::max(kMost, op.amount));
    }
  auto tables = program.tables();
  tables.operations = copy->operations;
  return Program(tables, copy);
}

/// Multiplies the time of each burst by 1 + share x, where x is drawn from the standard normal distribution
/// for each burst by itself. `share` is 0 to 0.1. The same seed gives the same Program.
Program with_jitter(const Program& program, double share, std::uint64_t seed);

}  // namespace busline
