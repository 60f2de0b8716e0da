#include "sim/program/program_editor.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "sim/base/assert.hpp"

namespace busline {

ProgramEditor::ProgramEditor(Program source)
    : source_(std::move(source)),
      strands_(source_.strands().begin(), source_.strands().end()),
      operations_(source_.operations().begin(), source_.operations().end()) {}

void ProgramEditor::end_strand(std::size_t strand, std::uint64_t index) {
  SIM_ASSERT(index >= strands_[strand].begin && index <= strands_[strand].end);
  strands_[strand].end = index;
}

void ProgramEditor::erase(std::uint64_t index) {
  auto& op = operations_[index];
  Operation gone;
  gone.flags = op.flags & Operation::first_of_call;
  gone.call = op.call;
  op = gone;
}

void ProgramEditor::close(std::uint64_t index, std::uint32_t channel) {
  auto& op = operations_[index];
  SIM_ASSERT((op.detail & kAnyChannel) != 0 && channel < source_.channels().size());
  op.peer = source_.channels()[channel].source;
  op.detail = channel;
}

void ProgramEditor::redirect(std::uint64_t index, std::uint32_t channel, std::int64_t bytes) {
  auto& op = operations_[index];
  SIM_ASSERT(channel < source_.channels().size());
  op.peer = source_.channels()[channel].source;
  op.detail = channel;
  op.amount = bytes;
}

Program ProgramEditor::finish() {
  std::uint64_t kept = 0;
  for (auto& s : strands_) {
    const auto from = operations_.begin() + static_cast<std::ptrdiff_t>(s.begin);
    const auto length = s.end - s.begin;
    const auto to = operations_.begin() + static_cast<std::ptrdiff_t>(kept);
    if (from != to) std::copy(from, from + static_cast<std::ptrdiff_t>(length), to);
    s = {s.rank, kept, kept + length};
    kept += length;
  }
  operations_.resize(kept);

  std::vector<std::uint32_t> slots(source_.ranks(), 0);
  bool has_open = false;
  for (const auto& s : strands_)
    for (auto at = s.begin; at < s.end; ++at) {
      const auto& op = operations_[at];
      if (op.request != kNoRequest) slots[s.rank] = std::max(slots[s.rank], op.request + 1);
      has_open = has_open || is_open_receive(op);
    }

  struct Edited {
    Program source;  // whose other tables are used
    std::vector<Strand> strands;
    std::vector<Operation> operations;
    std::vector<std::uint32_t> request_slots;
  };
  const auto edited = std::make_shared<const Edited>(
      Edited{std::move(source_), std::move(strands_), std::move(operations_), std::move(slots)});
  const auto& source = edited->source;
  ProgramTables tables;
  tables.strands = edited->strands;
  tables.operations = edited->operations;
  tables.channels = source.channels();
  if (has_open) tables.wildcards = source.wildcards();
  tables.communicators = source.communicators();
  tables.collectives = source.collectives();
  tables.block_lists = source.block_lists();
  tables.call_names = source.call_names();
  tables.event_labels = source.event_labels();
  tables.request_slots = edited->request_slots;
  if (has_traced_run_time_) tables.traced_run_time = source.traced_run_time();
  return Program(tables, edited);
}

}  // namespace busline
