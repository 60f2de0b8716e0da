// Takes things out of a Program: ends a rank earlier, leaves out operations, closes open receives. Like
// ProgramBuilder it keeps a Program's rules.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/program/program.hpp"

namespace busline {

/// Works on a copy of the operations; the other tables are shared. Indices are places in the operations of
/// the Program that was given.
class ProgramEditor {
 public:
  explicit ProgramEditor(Program source);

  /// The strand ends before operation `index`, which may be its end.
  void end_strand(std::size_t strand, std::uint64_t index);
  /// Turns an operation into a noop of the same call, so that calls can still be counted. The waits for a
  /// request must be erased together with what started it, or be behind the end of their strand.
  void erase(std::uint64_t index);
  /// An open receive, its wait, or an open probe names this channel from now on, which it must accept.
  void close(std::uint64_t index, std::uint32_t channel);
  /// How long the traced run took is not known of a part of it.
  void forget_traced_run_time() { has_traced_run_time_ = false; }

  /// The Program without what was taken out; the editor is empty afterwards. Linear.
  Program finish();

 private:
  Program source_;
  std::vector<Strand> strands_;
  std::vector<Operation> operations_;
  bool has_traced_run_time_ = true;
};

}  // namespace busline
