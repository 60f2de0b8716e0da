#include "sim/program/jitter.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "sim/base/assert.hpp"
#include "sim/base/random.hpp"

namespace busline {

Program with_jitter(const Program& program, double share, std::uint64_t seed) {
  SIM_ASSERT(share >= 0 && share <= 0.1);
  struct Copy {
    Program source;
    std::vector<Operation> operations;
  };
  const auto copy = std::make_shared<Copy>();
  copy->source = program;
  copy->operations.assign(program.operations().begin(), program.operations().end());
  Random random(seed);
  for (auto& o : copy->operations)
    if (o.kind == OpKind::compute && o.amount > 0)
      o.amount = Duration::from_double(static_cast<double>(o.amount) * (1 + share * random.normal())).count();
  auto tables = program.tables();
  tables.operations = copy->operations;
  return Program(tables, copy);
}

}  // namespace busline
