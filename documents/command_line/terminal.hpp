// Output to stderr: errors, warnings and, on a terminal only, a progress bar.
#pragma once
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"

namespace busline::cli {

/// The program name at the start of the lines below; "busline" unless set_program_name() was called.
const char* program_name();
/// `name` is a literal. Call it once, before other threads start.
void set_program_name(const char* name);

/// "busline: ..." on stderr, the first word in red on a terminal unless NO_COLOR is set.
void print_error(const Error& error);
/// "busline: warning: FILE: ..." for each one.
void print_diagnostics(const Diagnostics& diagnostics);

/// The width of the terminal that stdout is: COLUMNS if that is a number above 0, else what the terminal
/// says. 0 if stdout is no terminal, or does not say.
std::size_t output_width();

/// A line that updates in place; it appears after half a second and disappears at the end.
class ProgressBar {
 public:
  /// Never shows anything if `wanted` is false or stderr is not a terminal.
  ProgressBar(bool wanted, std::string what);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `share` of the completed work, 0 to 1.
  void show(double share) { show(share, what_); }
  /// With the current activity.
  void show(double share, std::string_view what);

 private:
  using Clock = std::chrono::steady_clock;
  bool on_;
  bool drawn_ = false;
  std::string what_;
  Clock::time_point started_ = Clock::now(), last_ = started_;
};

/// "[#####     ]  50 %  replaying  12 s left" for a line of `width` columns.
std::string progress_line(double share, std::string_view what, double seconds_left, int width);

}  // namespace busline::cli
