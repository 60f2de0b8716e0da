// Errors and warnings as values: the place, what was expected, the next step.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace busline {

/// The reason why an operation failed, for a reader. Only fields that apply are set.
struct Error {
  enum class Kind {
    bad_input,    ///< the content of a file or an argument is wrong
    bad_option,   ///< the request names something that does not exist or does not fit together
    unreadable,   ///< the operating system refused to read or write
    unsupported,  ///< understood, but this program cannot run it
  };
  Kind kind = Kind::bad_input;
  std::string path;                     ///< the file as the user named it
  std::optional<std::uint64_t> offset;  ///< byte offset, for binary files
  std::optional<std::uint64_t> line;    ///< from 1, for text files
  std::optional<std::uint64_t> column;  ///< from 1, in bytes
  std::string where;                    ///< place inside: a JSON pointer, a record's name
  std::string message;                  ///< what was found and what was expected
  std::string hint;                     ///< the next step; may be empty
};

/// One line, control characters as escapes, and the hint indented on a second one when there is one:
/// `dumpi-0003.bin:+81234: MPI_Send record: count is -2, expected 0 or more`,
/// `cluster.json:12:20: /network/latency: a unit is missing, as in "1.5us"`.
std::string to_string(const Error& e);

template <class T>
using Expected = tl::expected<T, Error>;

/// An option, a parameter or a member of a document (`where`) asks for something that does not exist or fit.
Error option_error(std::string_view where, std::string message, std::string hint = {});
/// An error about the whole file `path`, as the user named it.
Error file_error(Error::Kind kind, std::string path, std::string message, std::string hint = {});

/// option_error and file_error, to return in place of a value.
tl::unexpected<Error> refuse_option(std::string_view where, std::string message, std::string hint = {});
tl::unexpected<Error> refuse_file(Error::Kind kind, std::string path, std::string message,
                                  std::string hint = {});

/// A message about something that does not stop the work.
struct Diagnostic {
  enum class Severity { warning, note };
  Severity severity = Severity::warning;
  std::string code;  ///< stable, for programs: "not-simulated", "ignored-calls"
  std::string message;
  std::string path{};
  std::optional<std::uint64_t> offset{};
  std::optional<std::uint64_t> line{};
  std::optional<std::uint32_t> rank{};
};
using Diagnostics = std::vector<Diagnostic>;

/// Adds the messages of `news` that are new: a message about one of many files usually holds for most others.
void tell_once(Diagnostics& told, Diagnostics&& news);

/// The one of `names` that `given` probably stands for (edit distance at most 2, a third of its length for
/// long names), or an empty text.
std::string nearest_name(const std::vector<std::string>& names, std::string_view given);

}  // namespace busline
