// Takes the fields of a record one by one, by name. Keeps the first error; values read after it have no
// meaning.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/description/platform.hpp"
#include "platforms/dimemas/records.hpp"
#include "sim/base/error.hpp"

namespace busline::dimemas {

class FieldReader {
 public:
  /// Refers to both, which must outlive it. The caller has checked the number of fields.
  FieldReader(const Record& record, const std::string& path) : record_(record), path_(path) {}

  std::string text(std::string_view what);
  std::int64_t whole(std::string_view what, std::int64_t least, std::int64_t most);
  /// A finite number of `least` or more.
  double number(std::string_view what, double least);
  Duration seconds(std::string_view what);
  /// Dimemas's MB/s: 2^20 bytes/s; 0 is unlimited.
  Bandwidth megabytes(std::string_view what);
  /// 0 is unlimited.
  Count servers(std::string_view what);
  /// Two fields, input and output: both 0 is unlimited; one 0 is half duplex (Dimemas, node.c).
  Links links(std::string_view in, std::string_view out);
  std::vector<std::int64_t> list(std::string_view what, std::int64_t least, std::int64_t most);
  /// The index of the name in the field.
  std::size_t choice(std::string_view what, const std::vector<std::string>& names);

  std::size_t fields() const { return record_.fields.size(); }
  std::size_t line() const { return record_.line; }
  /// An error about the field taken last, unless there is already one.
  void refuse(const std::string& message, Error::Kind kind = Error::Kind::bad_input);
  /// The same for the whole record.
  void refuse_record(std::string message);
  const std::optional<Error>& error() const { return error_; }

 private:
  const Field& next(std::string_view what);
  void expected(std::string_view what);

  const Record& record_;
  const std::string& path_;
  std::size_t taken_ = 0;
  std::string what_;  // the name of the field taken last
  std::optional<Error> error_;
};

}  // namespace busline::dimemas
