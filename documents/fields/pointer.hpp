// JSON Pointers (RFC 6901), and the place in a JSON text of the value that a pointer names.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace busline {

/// The unescaped tokens of "/nodes/0/links"; "" has none. Nothing if the text is not a pointer: it does not
/// start with '/', or a '~' is not followed by 0 or 1.
std::optional<std::vector<std::string>> split_pointer(std::string_view pointer);

/// Appends "/key" to `pointer`, escaped.
void append_token(std::string& pointer, std::string_view key);

/// "0", "17": the index that a token means in an array; nothing for "01", "-", "x".
std::optional<std::size_t> array_index(std::string_view token);

/// True if `inner` is `outer` or names something inside it.
bool is_within(std::string_view inner, std::string_view outer);

/// Byte offsets into a JSON text.
struct JsonPlace {
  std::size_t key = 0;    ///< the member's name, or the value itself if it has no name
  std::size_t value = 0;  ///< the value
  bool found = true;      ///< false: these are the places of the nearest value around it
};

/// The place of `pointer` in `json`, which should have the syntax of JSON up to there; for a duplicate
/// member, the last one. Cost: linear in the text for each token.
JsonPlace locate(std::string_view json, std::string_view pointer);

/// Line and column, from 1, of a byte; columns count bytes.
struct LineColumn {
  std::size_t line = 1, column = 1;
};
LineColumn line_column(std::string_view text, std::size_t offset);

}  // namespace busline
