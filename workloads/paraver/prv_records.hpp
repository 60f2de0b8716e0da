// The lines below the header of a Paraver trace. Each is read with all its fields and checked against the
// header before a sink gets it.
#pragma once
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "workloads/dim/record_codes.hpp"
#include "workloads/dim/scan.hpp"
#include "workloads/paraver/prv_header.hpp"

namespace busline::paraver {

/// Whose record it is; numbers from 0. `index`: the thread's number among all of the file.
struct Place {
  std::uint32_t application = 0, task = 0;
  std::uint64_t thread = 0, index = 0;
};

struct StateRecord {
  Place place;
  std::int64_t begin = 0, end = 0, state = 0;
};

struct EventPair {
  std::int64_t type = 0, value = 0;
};

struct MessageRecord {
  Place sender, receiver;
  std::int64_t logical_send = 0, physical_send = 0, logical_receive = 0, physical_receive = 0;
  std::int64_t bytes = 0, tag = 0;
};

/// "c:APPLICATION:NUMBER:SIZE:TASK:...", as it stands there.
struct CommunicatorLine {
  std::int64_t application = 0, number = 0;
  std::vector<std::int64_t> tasks;
};

/// Sink has `bool state(const StateRecord&)`, `bool events(const Place&, std::int64_t at, const EventPair*,
/// std::size_t)`, `bool message(const MessageRecord&)` and `bool communicator(const CommunicatorLine&)`.
/// False ends the reading; the sink calls `fail` before.
template <class Sink>
class RecordReader {
 public:
  /// `text` is the whole file, whose last line may lack its end; it is not read then.
  RecordReader(std::string_view text, const std::string& path, const Header& header, Sink& sink)
      : text_(text), path_(path), header_(header), sink_(sink) {
    most_time_ = (std::int64_t{1} << 62) / header.unit;
  }

  /// False: error() says what is wrong, and end_of_whole_lines() where it begins.
  bool read() {
    const char* const first = text_.data();
    const auto header_end = text_.find('\n');
    const auto last_end = text_.rfind('\n');
    if (header_end == std::string_view::npos) return true;
    line_ = first + header_end + 1;
    end_ = first + last_end + 1;
    for (; line_ < end_; line_ = after_ + 1) {
      ++line_number_;
      if (!read_line()) return false;
    }
    return true;
  }

  const std::optional<Error>& error() const { return error_; }
  /// Bytes of the lines that were read.
  std::size_t read_bytes() const { return static_cast<std::size_t>(line_ - text_.data()); }
  std::uint64_t line_number() const { return line_number_; }

  /// An error of the line being read. Returns false.
  bool fail(const char* at, std::string message, std::string hint = {},
            Error::Kind kind = Error::Kind::bad_input) {
    Error e;
    e.kind = kind;
    e.path = path_;
    e.line = line_number_;
    e.column = static_cast<std::uint64_t>(at - line_) + 1;
    e.where = name_of_line();
    e.message = std::move(message);
    e.hint = std::move(hint);
    error_ = std::move(e);
    return false;
  }
  bool fail(std::string message, std::string hint = {}, Error::Kind kind = Error::Kind::bad_input) {
    return fail(line_, std::move(message), std::move(hint), kind);
  }

 private:
  static constexpr std::size_t kMostPairs = 64;  // that are given at once

  std::string name_of_line() const {
    switch (*line_) {
      case '1':
        return "state record";
      case '2':
        return "event record";
      case '3':
        return "message record";
      case 'c':
      case 'C':
        return "communicator";
      default:
        return "";
    }
  }

  // Sets after_ to the '\n' that ends the line.
  bool read_line() {
    p_ = line_;
    const char kind = *p_;
    if (kind >= '1' && kind <= '3' && p_[1] == ':') {
      p_ += 2;
      return kind == '1' ? state() : kind == '2' ? events() : message();
    }
    if ((kind == 'c' || kind == 'C') && p_[1] == ':') {
      p_ += 2;
      return communicator();
    }
    if (kind != '#' && kind != '\n' && kind != '\r')
      return fail(
          "the line is no record: expected 1: (state), 2: (events), 3: (message), c: (communicator) or #");
    after_ = static_cast<const char*>(std::memchr(line_, '\n', static_cast<std::size_t>(end_ - line_)));
    return true;
  }

  // A whole number of up to 64 bits, which may have no sign.
  bool number(std::int64_t& value, const char* what) {
    if (const char* const next = dim::scan_number(p_, value); next != nullptr) [[likely]] {
      p_ = next;
      return true;
    }
    const char* q = p_;
    std::uint64_t n = 0;
    for (unsigned digit; (digit = static_cast<unsigned>(*q) - '0') <= 9; ++q) {
      if (n > (~std::uint64_t{0} - digit) / 10) return fail(p_, std::string(what) + " has more than 64 bits");
      n = n * 10 + digit;
    }
    if (q == p_) return fail(p_, std::string("expected ") + what + ", a whole number");
    value = static_cast<std::int64_t>(n);
    p_ = q;
    return true;
  }
  bool field(std::int64_t& value, const char* what) {
    if (!number(value, what)) return false;
    if (*p_ == ':') [[likely]] {
      ++p_;
      return true;
    }
    return fail(p_, std::string("expected a colon after ") + what);
  }
  bool last(std::int64_t& value, const char* what) { return number(value, what) && end_of_line(); }
  bool end_of_line() {
    if (*p_ == '\r') ++p_;
    after_ = p_;
    return *p_ == '\n' || fail(p_, "expected the end of the line");
  }
  bool between(const char* at, std::int64_t value, std::uint64_t most, const char* what) {
    if (value >= 1 && static_cast<std::uint64_t>(value) <= most) [[likely]]
      return true;
    return fail(
        at, std::string(what) + " is " + std::to_string(value) + ", expected 1 to " + std::to_string(most));
  }

  bool place(Place& at) {
    std::int64_t cpu = 0, application = 0, task = 0, thread = 0;
    if (!field(cpu, "a CPU")) return false;
    const char* begin = p_;
    if (!field(application, "an application") ||
        !between(begin, application, header_.applications.size(), "the application"))
      return false;
    const auto& tasks = header_.applications[static_cast<std::size_t>(application - 1)].tasks;
    begin = p_;
    if (!field(task, "a task") || !between(begin, task, tasks.size(), "the task")) return false;
    const auto& t = tasks[static_cast<std::size_t>(task - 1)];
    begin = p_;
    if (!field(thread, "a thread") || !between(begin, thread, t.threads, "the thread")) return false;
    at.application = static_cast<std::uint32_t>(application - 1);
    at.task = static_cast<std::uint32_t>(task - 1);
    at.thread = static_cast<std::uint64_t>(thread - 1);
    at.index = t.first_thread + at.thread;
    return true;
  }
  bool time(std::int64_t& at, const char* what) {
    const char* const begin = p_;
    if (!field(at, what)) return false;
    if (at >= 0 && at <= most_time_) [[likely]]
      return true;
    return fail(begin, std::string(what) + " is " + std::to_string(at) + ", expected 0 to " +
                           std::to_string(most_time_));
  }

  bool state() {
    StateRecord r;
    if (!place(r.place) || !time(r.begin, "a begin") || !time(r.end, "an end") || !last(r.state, "a state"))
      return false;
    return sink_.state(r);
  }

  bool events() {
    Place at;
    std::int64_t when = 0;
    if (!place(at) || !time(when, "a time")) return false;
    std::size_t pairs = 0;
    for (;;) {
      EventPair& e = pairs_[pairs];
      if (!field(e.type, "an event's type") || !number(e.value, "an event's value")) return false;
      ++pairs;
      const bool more = *p_ == ':';
      if (!more && !end_of_line()) return false;
      if (!more || pairs == kMostPairs) {
        if (!sink_.events(at, when, pairs_, pairs)) return false;
        pairs = 0;
      }
      if (!more) return true;
      ++p_;
    }
  }

  bool message() {
    MessageRecord r;
    if (!place(r.sender) || !time(r.logical_send, "a logical send") ||
        !time(r.physical_send, "a physical send") || !place(r.receiver) ||
        !time(r.logical_receive, "a logical receive") || !time(r.physical_receive, "a physical receive"))
      return false;
    const char* begin = p_;
    if (!field(r.bytes, "a size")) return false;
    if (r.bytes < 0 || r.bytes > dim::kMostBytes)
      return fail(begin, "the size is " + std::to_string(r.bytes) + ", expected bytes, 0 to " +
                             std::to_string(dim::kMostBytes));
    begin = p_;
    if (!last(r.tag, "a tag")) return false;
    if (r.tag < 0 || r.tag > 0x7fff'ffff)
      return fail(begin, "the tag is " + std::to_string(r.tag) + ", expected 0 to 2147483647");
    return sink_.message(r);
  }

  bool communicator() {
    CommunicatorLine c;
    std::int64_t size = 0;
    const char* const begin = p_;
    if (!field(c.application, "an application") || !field(c.number, "a communicator's number")) return false;
    if (!between(begin, c.application, header_.applications.size(), "the application")) return false;
    if (!number(size, "a size")) return false;
    while (*p_ == ':') {
      ++p_;
      std::int64_t task = 0;
      if (!number(task, "a task")) return false;
      c.tasks.push_back(task);
    }
    if (!end_of_line()) return false;
    if (size < 1 || static_cast<std::uint64_t>(size) != c.tasks.size())
      return fail("the communicator has " + std::to_string(size) + " tasks, but lists " +
                  std::to_string(c.tasks.size()));
    return sink_.communicator(c);
  }

  std::string_view text_;
  const std::string& path_;
  const Header& header_;
  Sink& sink_;
  std::optional<Error> error_;
  const char* line_ = nullptr;   // being read
  const char* p_ = nullptr;      // what is read next
  const char* after_ = nullptr;  // its '\n'
  const char* end_ = nullptr;
  std::uint64_t line_number_ = 1;
  std::int64_t most_time_ = 0;
  EventPair pairs_[kMostPairs];  // NOLINT(*-avoid-c-arrays)
};

}  // namespace busline::paraver
