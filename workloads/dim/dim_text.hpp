// The text of a Dimemas trace on its way into a sink: whole lines of numbers with colons between them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "sim/base/units.hpp"
#include "workloads/dim/record_codes.hpp"
#include "workloads/files/text_lines.hpp"

namespace busline::dim {

/// Buffered. finish() returns the first Error of the sink; text after it is dropped.
class DimText : public TextLines {
 public:
  using TextLines::TextLines;

  using TextLines::line;
  /// "2:0:0:1:-1:8:4:1:0"
  void line(std::initializer_list<std::int64_t> fields) {
    bool first = true;
    for (const auto f : fields) {
      if (!first) put(':');
      first = false;
      number(f);
    }
    end_line();
  }
  /// "1:0:0:0.001000000": exact, with 9 digits or 12 after the point. `d` is not negative.
  void burst(std::int64_t task, std::int64_t thread, Duration d) {
    number(record::kBurst);
    put(':');
    number(task);
    put(':');
    number(thread);
    put(':');
    constexpr std::int64_t kNanosecond = 1000;
    const bool nanoseconds = d.count() % kNanosecond == 0;
    decimal(nanoseconds ? d.count() / kNanosecond : d.count(), nanoseconds ? 9 : 12);
    end_line();
  }
};

}  // namespace busline::dim
