#include "documents/command_line/terminal.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>

#include "sim/base/text_parts.hpp"

namespace busline::cli {
namespace {

const char* name_of_program = "busline";

bool colourful(int descriptor) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return isatty(descriptor) == 1 && !(no_colour != nullptr && *no_colour != '\0') &&
         !(terminal != nullptr && std::string_view(terminal) == "dumb");
}

int columns() {
  winsize w{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 ? w.ws_col : 80;
}

}  // namespace

const char* program_name() {
  return name_of_program;
}

void set_program_name(const char* name) {
  name_of_program = name;
}

void print_error(const Error& error) {
  std::fflush(stdout);
  const bool colour = colourful(STDERR_FILENO);
  fmt::print(stderr, "{}{}:{} {}\n", colour ? "\033[31m" : "", program_name(), colour ? "\033[0m" : "",
             to_string(error));
}

void print_diagnostics(const Diagnostics& diagnostics) {
  constexpr std::size_t kFew = 8, kShown = 5;  // of one code
  std::map<std::pair<Diagnostic::Severity, std::string>, std::size_t> all, seen;
  for (const auto& d : diagnostics) ++all[{d.severity, d.code}];
  for (const auto& d : diagnostics) {
    const auto* const kind = d.severity == Diagnostic::Severity::warning ? "warning" : "note";
    const auto of_code = all[{d.severity, d.code}];
    const auto before = seen[{d.severity, d.code}]++;
    const bool folds = of_code > kFew;
    if (folds && before == kShown)
      fmt::print(stderr, "{}: {}: and {} more of this kind ({}): --json lists them\n", program_name(), kind,
                 of_code - kShown, d.code);
    if (folds && before >= kShown) continue;
    Error place;  // the same form as an error
    place.path = d.path;
    place.offset = d.offset;
    place.line = d.line;
    place.message = d.message;
    fmt::print(stderr, "{}: {}: {}\n", program_name(), kind, to_string(place));
  }
}

std::size_t output_width() {
  if (isatty(STDOUT_FILENO) != 1) return 0;
  if (const char* given = std::getenv("COLUMNS"))
    if (const auto number = whole_number<std::size_t>(given); number && *number > 0) return *number;
  winsize w{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 ? w.ws_col : 0;
}

std::string progress_line(double share, std::string_view what, double seconds_left, int width) {
  const auto done = std::clamp(share, 0.0, 1.0);
  auto text = fmt::format(" {:3.0f} %  {}", done * 100, what);
  if (seconds_left >= 1) text += fmt::format("  {:.0f} s left", seconds_left);
  const int room = std::clamp(width - static_cast<int>(text.size()) - 3, 10, 50);
  const int full = static_cast<int>(std::lround(done * room));
  return fmt::format("[{}{}]{}", std::string(static_cast<std::size_t>(full), '#'),
                     std::string(static_cast<std::size_t>(room - full), ' '), text);
}

ProgressBar::ProgressBar(bool wanted, std::string what)
    : on_(wanted && isatty(STDERR_FILENO) == 1), what_(std::move(what)) {}

ProgressBar::~ProgressBar() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
}

void ProgressBar::show(double share, std::string_view what) {
  using std::chrono::milliseconds;
  if (!on_) return;
  const auto now = Clock::now();
  if (now - started_ < milliseconds(500) || now - last_ < milliseconds(100)) return;
  last_ = now;
  drawn_ = true;
  const double elapsed = std::chrono::duration<double>(now - started_).count();
  const double left = share > 0.01 ? elapsed * (1 - share) / share : 0;
  fmt::print(stderr, "\r\033[K{}", progress_line(share, what, left, columns()));
  std::fflush(stderr);
}

}  // namespace busline::cli
