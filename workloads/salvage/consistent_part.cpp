#include "workloads/salvage/consistent_part.hpp"

#include "sim/program/program_editor.hpp"
#include "sim/results/blocked.hpp"
#include "workloads/salvage/untimed_run.hpp"

namespace busline {
namespace {

void count(const Operation& op, Unmatched& n) {
  switch (op.kind) {
    case OpKind::send:
    case OpKind::isend:
      ++n.sends;
      break;
    case OpKind::recv:
    case OpKind::irecv:
      ++n.receives;
      break;
    case OpKind::probe:
      ++n.probes;
      break;
    case OpKind::collective_start:
      ++n.collectives;
      break;
    default:
      break;  // waits are not counted in addition to their operations
  }
}

EarlyEnd early_end(const Program& program, StrandId strand, const UntimedRun& run) {
  const auto& s = program.strands()[raw(strand)];
  const auto stop = run.stopped_at(strand);
  const auto& op = program.operations()[stop];
  return {s.rank,
          s.end - s.begin,
          stop - s.begin,
          program.call_number(s, stop),
          program.call_names()[op.call],
          what_it_waits_for(program, op, run.arrived_with(strand))};
}

}  // namespace

ConsistentPart consistent_part(const Program& program, const std::vector<bool>& sends_may_lack) {
  ConsistentPart part{program, {}, {}};
  UntimedRun run(program, sends_may_lack);
  run.run();
  for (const auto i : ids<StrandId>(program.strands().size())) {
    const auto& s = program.strands()[raw(i)];
    if (run.stopped_at(i) != s.end) part.early_ends.push_back(early_end(program, i, run));
    for (auto at = s.begin; at != run.stopped_at(i); ++at)
      if (!run.has_counterpart(at)) count(program.operations()[at], part.unmatched);
  }
  if (part.whole()) return part;

  ProgramEditor editor(program);
  for (const auto i : ids<StrandId>(program.strands().size())) {
    for (auto at = program.strands()[raw(i)].begin; at != run.stopped_at(i); ++at) {
      const auto& op = program.operations()[at];
      if (!run.has_counterpart(at))
        editor.erase(at);
      else if (is_open_receive(op))
        editor.close(at, run.channel_of(at));
    }
    editor.end_strand(raw(i), run.stopped_at(i));
  }
  editor.forget_traced_run_time();
  part.program = editor.finish();
  return part;
}

}  // namespace busline
