// The lines of a result file, and the columns of its rows.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measuring/skampi/result_file.hpp"
#include "sim/base/error.hpp"

namespace busline::skampi {

struct Line {
  std::string_view text;  ///< without blanks at its ends
  std::uint64_t number = 0;
  bool whole = false;  ///< it has an end; what has none may be cut in the middle of a number
};

class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  /// False: there are no more.
  bool next(Line& line);

 private:
  std::string_view rest_;
  std::uint64_t number_ = 0;
};

/// What is between blanks.
std::vector<std::string_view> columns_of(std::string_view text);
/// What is between `before` and `after`, if both are there in this order.
std::optional<std::string_view> between(std::string_view text, std::string_view before,
                                        std::string_view after);
/// Text that a measurement may hold: one line of UTF-8, without control characters.
std::string clean_text(std::string_view text);

/// Reads columns one after another; what is wrong is kept until error() is asked.
class RowReader {
 public:
  RowReader(const std::string& path, const Line& line, std::span<const std::string_view> columns)
      : path_(path), line_(line), columns_(columns) {}
  std::size_t left() const { return columns_.size() - at_; }
  /// A whole number that can be an argument or a count.
  std::uint64_t whole(std::string_view name);
  /// A time or an error, in microseconds. Below 0, as the result of a subtraction: 0, and any_below_zero().
  double microseconds(std::string_view name);
  ResultTime result();
  std::vector<double> node_times();

  bool ok() const { return !error_; }
  bool any_below_zero() const { return below_zero_; }
  const Error& error() const { return *error_; }

 private:
  std::string_view take(std::string_view name);
  void fail(std::string message);

  const std::string& path_;
  Line line_;
  std::span<const std::string_view> columns_;
  std::size_t at_ = 0;
  bool below_zero_ = false;
  std::optional<Error> error_;
};

/// Makes the names of a file's suites unique: the second NAME becomes NAME_2.
class UniqueNames {
 public:
  std::string operator()(const std::string& name);

 private:
  std::map<std::string, std::size_t> used_;
};

/// The warning that a file has no end.
void warn_incomplete(const ResultFile& file, const std::string& path, std::string_view missing,
                     Diagnostics& diagnostics);
/// The warning that a row was left out because its line has no end.
void warn_cut_row(const Line& line, const std::string& path, Diagnostics& diagnostics);
void warn_below_zero(const Line& line, const std::string& path, Diagnostics& diagnostics);

// The readers of the two formats (result_file.cpp chooses one).
Expected<ResultFile> parse_skampi4(std::string_view text, const std::string& path, Diagnostics& diagnostics);
Expected<ResultFile> parse_skampi5(std::string_view text, const std::string& path, Diagnostics& diagnostics);

}  // namespace busline::skampi
