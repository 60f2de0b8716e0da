// What a report shows, before it is known whether in a page or in files for gnuplot: sections of a few
// sentences and figures. Texts are as read from files; writers must escape them (shown_text.hpp).
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/units.hpp"

namespace busline::report {

/// What a number counts; the output chooses the unit.
enum class Unit : std::uint8_t {
  number,     ///< as it is
  time,       ///< picoseconds
  bytes,      ///< powers of 1000 when shown
  bandwidth,  ///< bytes per second
  share,      ///< 0.02 is 2 %
  multiple,   ///< 1.5 is 1.5 times
};

/// A time as a figure's number.
inline double ps(Duration d) {
  return static_cast<double>(d.count());
}

/// Whether an axis from `least` to `most` is logarithmic to begin with: above 20-fold.
inline bool spans_widely(double least, double most) {
  return least > 0 && most / least > 20;
}

/// What is along an axis, or in a column or a field of colours.
struct Scale {
  std::string label;
  Unit unit = Unit::number;
  bool logarithmic = false;  ///< to begin with; readers of a page can change it
};

/// Numbers over numbers.
struct Chart {
  struct Sample {
    double x = 0, y = 0;
    std::optional<double> low, high;  ///< how far off y may be; both or none
    std::string name;                 ///< of this sample alone
  };
  enum class Style : std::uint8_t {
    line,
    points,
    steps,  ///< of a histogram: a sample's y holds from its x to the next one's
  };
  struct Curve {
    std::string name;
    Style style = Style::line;
    std::vector<Sample> samples;  ///< ascending in x
  };
  Scale x, y;
  std::vector<Curve> curves;
  bool diagonal = false;  ///< a line where y = x
};

/// Bars that are made of parts, one below the other.
struct Bars {
  struct Row {
    std::string name;
    std::vector<double> values;  ///< of each part, 0 or more
  };
  Scale scale;
  std::vector<std::string> parts;
  std::vector<Row> rows;
};

/// A square field of colours.
struct Matrix {
  std::string from, to;  ///< what rows and columns are: "sender", "receiver"
  Scale value;
  std::vector<std::string> names;             ///< of rows and of columns alike
  std::vector<std::optional<double>> values;  ///< row by row
  bool low_is_bad = false;                    ///< such as a bandwidth
};

struct Table {
  using Cell = std::variant<std::monostate, double, std::string>;
  struct Column {
    std::string label;
    Unit unit = Unit::number;  ///< of the numbers in it
  };
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  ///< with a cell for each column
};

/// Points of a study: what was varied, and figures of each. The reader chooses what is drawn over what.
struct Points {
  struct Value {
    std::string name;
    std::optional<double> number;  ///< nothing: a name such as "unlimited", or no number at all
  };
  struct Axis {
    Scale scale;
    std::vector<Value> values;  ///< in the order in which they are to be shown
    bool of_workloads = false;  ///< points with different values are of different work: nothing compares them
  };
  struct Point {
    std::uint64_t number = 0;
    std::vector<std::uint32_t> places;           ///< of each axis, which value
    std::vector<std::optional<double>> figures;  ///< of each column
  };
  /// How the axes were combined.
  enum class Combined : std::uint8_t {
    product,
    together,  ///< all axes move on at once
    sampled,   ///< by chance: no two points need to have a value in common
  };
  struct Column {
    Scale scale;
    bool more_is_better = false;
    bool is_result = false;  ///< what points are judged by: has a best value and a threshold
  };
  std::vector<Axis> axes;
  std::vector<Column> columns;
  std::vector<Point> points;
  Combined combined = Combined::product;
  /// Numbers of axes, to begin with: what is drawn over, and what has a curve for each value.
  std::optional<std::size_t> over{}, by{};
  double within =
      0;  ///< how much worse than the best of its workload is good enough, as a share; 0: not asked
  std::vector<Point>
      mix{};  ///< of several workloads together; their places on axes of workloads mean nothing
  std::string mix_name{};
};

/// What each of several lanes does when, one below the other, and what goes from lane to lane.
struct Lanes {
  struct Piece {
    std::int64_t from = 0, to = 0;  ///< picoseconds
    std::uint32_t kind = 0;
  };
  struct Lane {
    std::string name;
    std::vector<Piece> pieces;  ///< one after the other; there may be gaps
  };
  struct Arrow {
    std::uint32_t source = 0, destination = 0;  ///< lanes
    std::int64_t sent = 0, received = 0;        ///< picoseconds
    double bytes = 0;
  };
  std::int64_t from = 0, to = 0;  ///< picoseconds; all is between them
  std::vector<std::string> kinds;
  std::vector<Lane> lanes;
  std::vector<Arrow> arrows;
};

struct Figure {
  std::string title;
  std::string caption;  ///< what one must know to read it; may be empty
  std::variant<Chart, Bars, Matrix, Table, Points, Lanes> content;
};

/// The section of one document.
struct Section {
  /// "study", "run", "timeline", "measurement", "validation", "traffic", "curve" or "find".
  std::string kind;
  std::string title;                                         ///< what it is of
  std::string source;                                        ///< the file
  std::vector<std::string> summary;                          ///< sentences, the most important first
  std::vector<std::pair<std::string, std::string>> facts{};  ///< name and value
  std::vector<Figure> figures{};
};

struct Report {
  std::string title;
  std::string program;  ///< which made it: "busline 1.0 (abc)"
  std::vector<Section> sections;
};

}  // namespace busline::report
