// Names from traces, in files whose lines and quotes mean something.
#pragma once
#include <algorithm>
#include <string>

namespace busline::timeline {

/// Control characters, and `quote`, become blanks.
inline std::string one_line(std::string text, char quote = '\0') {
  std::replace_if(
      text.begin(), text.end(),
      [quote](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7f' || c == quote; }, ' ');
  return text;
}

}  // namespace busline::timeline
