// The fields of a line of a liballprof trace.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"

namespace busline::liballprof {

/// "COMM,RANK,SIZE": a communicator by its handle, the rank in it, and its size.
struct CommunicatorField {
  std::uint64_t handle = 0;
  std::uint32_t rank = 0, size = 0;
};

/// The fields of a call, which it takes in the order of the prototype: NAME:START:arguments:END. A field that
/// is not as it should be sets error(), and all later ones are 0.
class CallFields {
 public:
  void split(std::string_view line, std::uint64_t number);

  std::string_view name() const { return fields_[0]; }
  std::size_t size() const { return fields_.size(); }
  std::uint64_t line() const { return line_; }
  /// In microseconds; `at` is 1 for the start and size() - 1 for the end.
  std::int64_t time(std::size_t at);
  bool has_time(std::size_t at) const { return at < fields_.size() && fields_[at] != "-"; }

  void skip(std::size_t fields = 1) { next_ += fields; }
  std::uint64_t address();
  std::int64_t number(std::string_view what, std::int64_t least, std::int64_t most);
  /// A count, and the datatype after it.
  std::uint64_t bytes();
  std::uint64_t count();
  std::uint64_t type_size();
  /// "ADDRESS:c0,c1,...".
  std::vector<std::uint64_t> list();
  CommunicatorField communicator();

  void fail(std::string message, Error::Kind kind = Error::Kind::bad_input, std::string hint = {});
  std::optional<Error>& error() { return error_; }

 private:
  std::string_view take();

  std::vector<std::string_view> fields_;
  std::size_t next_ = 2;
  std::uint64_t line_ = 0;
  std::optional<Error> error_;
};

}  // namespace busline::liballprof
