// Names and texts of the records of a Dimemas trace, for error messages.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace busline::dim {

/// "send record"; "record" for an unknown number.
std::string_view record_name(std::int64_t number);

/// The fields of a record with this number, as "1:task:thread:seconds"; [x] may be missing.
std::string_view record_layout(std::int64_t number);

/// The name of a field of `line`, counted from 0: "tag". Empty if the line has no meaning or lacks that
/// field.
std::string field_name(std::string_view line, std::size_t field);

/// A field of `line`, cut after 40 bytes.
std::string_view field_text(std::string_view line, std::size_t field);

/// Where a field of `line` begins, from 1 and in bytes; the end of the line if there are fewer fields.
std::size_t column_of(std::string_view line, std::size_t field);

}  // namespace busline::dim
