// The text of Dimemas's .cfg files as records of fields (Dimemas 5.5, new_configuration.c and
// cfgs/ideal.cfg): one record per line, "name" {field, field, ...};;
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"

namespace busline::dimemas {

/// One value of a record: a word, a quoted text, or a list `[n] {a, b}`.
struct Field {
  enum class Kind { word, text, list };
  Kind kind = Kind::word;
  std::string text;                ///< without quotes; of a list the n
  std::vector<std::string> items;  ///< of a list
  std::size_t column = 1;          ///< from 1, in bytes
};

struct Record {
  std::string name;
  std::size_t line = 1;
  std::vector<Field> fields;
};

/// A line that is not blank.
struct Line {
  std::string_view text;  ///< without blanks at its ends
  std::size_t number = 1, column = 1;
};
std::vector<Line> split_lines(std::string_view text);

/// Words separated by blanks.
std::vector<Field> split_words(const Line& line, std::size_t from);

/// Splits a .cfg after its header line. Comments are lines with //, and those from one with /* to one with
/// */. A record hidden by a // goes to `diagnostics`.
Expected<std::vector<Record>> split_records(std::string_view text, const std::string& path,
                                            Diagnostics& diagnostics);

/// A remark about a line of a file; code "no-effect" if the line changes nothing here.
Diagnostic remark(Diagnostic::Severity severity, std::string code, std::string message,
                  const std::string& path, std::size_t line);

/// An Error about a line of a file.
Error error_in_line(const std::string& path, std::size_t line, std::string where, std::string message);

}  // namespace busline::dimemas
