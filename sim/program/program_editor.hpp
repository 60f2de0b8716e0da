// Changes parts of a Program: ends a rank earlier, removes operations, closes open receives, scales
// computation. Like ProgramBuilder, it keeps a Program's rules.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/program/program.hpp"

namespace busline {

/// Works on a copy of the operations; the other tables are shared. Indices refer to the operations of the
/// given Program.
class ProgramEditor {
 public:
  explicit ProgramEditor(Program source);

  /// The strand ends before operation `index`, which may be its end.
  void end_strand(std::size_t strand, std::uint64_t index);
  /// Turns an operation into a noop of the same call, so that calls can still be counted. The waits for a
  /// request must be erased together with the operation that started it, or lie after the end of their
  /// strand.
  void erase(std::uint64_t index);
  /// An open receive, its wait, or an open probe names this channel from now on, which it must accept.
  void close(std::uint64_t index, std::uint32_t channel);
  /// A computation takes this long, which is not negative.
  void set_duration(std::uint64_t index, Duration d) { operations_[index].amount = d.count(); }
  /// A receive or its wait, open or not, names this channel to its rank and this size from now on.
  void redirect(std::uint64_t index, std::uint32_t channel, std::int64_t bytes);
  /// Drops the traced run time, which is unknown for a part of the run.
  void forget_traced_run_time() { has_traced_run_time_ = false; }

  /// Returns the Program without the removed parts, and without wildcards if no open receive is left; the
  /// editor is empty afterwards. Linear.
  Program finish();

 private:
  Program source_;
  std::vector<Strand> strands_;
  std::vector<Operation> operations_;
  bool has_traced_run_time_ = true;
};

}  // namespace busline
