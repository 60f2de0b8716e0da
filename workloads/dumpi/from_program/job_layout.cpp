#include "workloads/dumpi/from_program/job_layout.hpp"

#include <fmt/format.h>

#include "workloads/dumpi/format/special_numbers.hpp"

namespace busline::dumpi {
namespace {

std::uint32_t communicator_of(const Program& program, const Operation& op) {
  switch (op.kind) {
    case OpKind::collective:
    case OpKind::collective_start:
      return program.collectives()[op.detail].communicator;
    case OpKind::send:
    case OpKind::isend:
    case OpKind::recv:
    case OpKind::irecv:
    case OpKind::probe:
      return (op.detail & kAnyChannel) != 0 ? program.wildcards()[op.detail & ~kAnyChannel].communicator
                                            : program.channels()[op.detail].communicator;
    default:
      return 0;
  }
}

// Whether the operation is a collective that has a record between MPI_Init and MPI_Finalize.
bool meets(const Program& program, const Operation& op) {
  if (op.kind != OpKind::collective && op.kind != OpKind::collective_start) return false;
  const auto kind = program.collectives()[op.detail].kind;
  return kind != CollectiveKind::init && kind != CollectiveKind::finalize;
}

}  // namespace

JobLayout::JobLayout(const Program& program)
    : program_(program),
      ids_(program.communicators().size(), 0),
      places_(program.communicators().size()),
      roots_(program.communicators().size()) {
  std::vector<bool> used(ids_.size(), false);
  std::vector<std::size_t> calls;
  for (const auto& strand : program.strands()) {
    calls.assign(ids_.size(), 0);
    for (const auto& op : program.operations(strand)) {
      const auto c = communicator_of(program, op);
      used[c] = true;
      if (!meets(program, op)) continue;
      const auto n = calls[c]++;
      if (!program.collectives()[op.detail].is_root) continue;
      if (roots_[c].size() <= n) roots_[c].resize(n + 1, 0);
      roots_[c][n] = strand.rank;
    }
  }
  ids_[0] = kCommWorld;
  for (std::uint32_t c = 1; c < used.size(); ++c) {
    if (!used[c]) continue;
    ids_[c] = kFirstMadeComm + static_cast<std::int64_t>(made_.size());
    made_.push_back(c);
    const auto& members = program.communicators()[c].members;
    if (members.empty()) continue;
    places_[c].assign(program.ranks(), kAnySource);
    for (std::uint32_t i = 0; i < members.size(); ++i) places_[c][members[i]] = i;
  }
}

std::int64_t JobLayout::id(std::uint32_t communicator) const {
  return ids_[communicator];
}

std::uint32_t JobLayout::size(std::uint32_t communicator) const {
  const auto& members = program_.communicators()[communicator].members;
  return members.empty() ? program_.ranks() : static_cast<std::uint32_t>(members.size());
}

std::uint32_t JobLayout::place(std::uint32_t communicator, std::uint32_t rank) const {
  return places_[communicator].empty() ? rank : places_[communicator][rank];
}

std::uint32_t JobLayout::root(std::uint32_t communicator, std::size_t n) const {
  const auto& roots = roots_[communicator];
  return n < roots.size() ? place(communicator, roots[n]) : 0;
}

void Replaced::tell(const JobLayout& layout, Diagnostics& diagnostics) const {
  const auto say = [&](Diagnostic::Severity severity, const char* code, std::string message) {
    diagnostics.push_back({severity, code, std::move(message)});
  };
  using enum Diagnostic::Severity;
  if (!layout.made().empty())
    say(warning, "made-communicators",
        fmt::format("{} communicators are made after MPI_Init, at the cost of an MPI_Comm_split each",
                    layout.made().size()));
  if (collectives > 0)
    say(warning, "replaced-collectives",
        fmt::format("{} collectives without data are written as MPI_Barrier", collectives));
  if (sizes > 0)
    say(warning, "one-size",
        fmt::format("{} collectives sent and received different sizes; the trace holds the larger", sizes));
  if (events > 0) say(note, "left-out-events", fmt::format("{} user events are left out", events));
}

}  // namespace busline::dumpi
