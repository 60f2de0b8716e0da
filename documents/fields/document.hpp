// A JSON text whose values know their places, so that an error can name file, line and column. Values of
// single members can be replaced from the command line (--set); an error that such a value causes names the
// --set instead.
#pragma once
#include <cstddef>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"

namespace busline {

class Document {
 public:
  Document(const Document& other);
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;
  ~Document();

  /// Reads a complete JSON text (RFC 8259). `path` names it in messages. Errors (bad_input, with line and
  /// column): wrong syntax, a key given twice, nesting deeper than 64, a number beyond the range of a double.
  static Expected<Document> parse(std::string text, std::string path);
  /// The same from a file; also an Error if it cannot be read or is larger than 64 MiB.
  static Expected<Document> read(const std::string& path);
  /// A document without a text: errors in it name `path` and the JSON pointer.
  static Document of(nlohmann::ordered_json root, std::string path);

  const nlohmann::ordered_json& root() const { return *root_; }
  const std::string& path() const { return path_; }

  /// Replaces or creates the value that `assignment` names: "/network/buses=4", a JSON Pointer (RFC 6901),
  /// '=' and a value, which is JSON if it parses as such and else a string. Missing objects on the path are
  /// created; in an array an index must exist, or be '-' to append. The reader of the document checks whether
  /// the member has a meaning. Errors are of kind bad_option; the document is then unchanged.
  Expected<void> set(std::string_view assignment);

  /// An error about the value at `pointer`, with its place in the text or the --set that gave it. A missing
  /// value has the place of the nearest enclosing one. `offset` counts characters into a string, for an error
  /// inside it. Cost: linear in the text.
  Error error_at(const std::string& pointer, std::string message, std::size_t offset = 0) const;
  /// The same about a member's name.
  Error error_at_key(const std::string& pointer, std::string message) const;

 private:
  struct Setting {
    std::string pointer;
    std::string value;  // as given
  };
  enum class Part { key, value };
  Document();
  Error error(const std::string& pointer, std::string message, Part part, std::size_t offset) const;
  const Setting* setting_of(const std::string& pointer) const;

  std::string text_, path_;
  std::unique_ptr<nlohmann::ordered_json> root_;
  std::vector<Setting> settings_;
};

}  // namespace busline
