// Records of a DUMPI trace for human readers and programs: 'busline inspect --records'.
#pragma once
#include <cstddef>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "workloads/dumpi/compile/clock.hpp"
#include "workloads/dumpi/format/record.hpp"

namespace busline {

/// How much of long lists and texts to show; the rest is counted.
struct RecordLimits {
  std::size_t elements = 8;  ///< of a list
  std::size_t bytes = 60;    ///< of a text
  static RecordLimits none() {
    return {std::numeric_limits<std::size_t>::max(), std::numeric_limits<std::size_t>::max()};
  }
};

/// Shows records of one file. Seconds are stored modulo 65536, so that each record must be followed, in
/// order, whether it is shown or not.
class RecordView {
 public:
  /// `file` must outlive this.
  explicit RecordView(const dumpi::TraceFile& file);

  void follow(const dumpi::Record& record);

  /// The names of the columns of `line`, with a newline.
  std::string heading() const;
  /// One line: number, thread, wall and CPU clock (seconds at entry, microseconds until exit), and the call
  /// with its arguments as they are stored. It contains no terminal control sequences. `record` is the last
  /// one that was followed.
  std::string line(const dumpi::Record& record, const RecordLimits& limits) const;
  /// The same as a JSON object, complete, with times in nanoseconds. Arguments are the stored numbers;
  /// "names" tells what those with a meaning of their own mean.
  nlohmann::ordered_json json(const dumpi::Record& record) const;

 private:
  std::string label_of(const dumpi::Record& record) const;
  std::string counter_name(std::size_t i) const;

  const dumpi::TraceFile& file_;
  std::size_t wall_width_, cpu_width_;  // of the columns with the time at entry
  dumpi::UnrolledClock wall_clock_, cpu_clock_;
  std::optional<dumpi::Interval> wall_, cpu_;  // of the last record
  std::unordered_map<std::uint64_t, std::string_view> labels_;
  std::vector<std::string> counters_;
};

}  // namespace busline
