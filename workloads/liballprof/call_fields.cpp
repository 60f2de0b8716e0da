#include "workloads/liballprof/call_fields.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "sim/base/text_parts.hpp"

namespace busline::liballprof {
namespace {

constexpr std::int64_t kMostCountInField = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMostMicroseconds = std::int64_t{1} << 62U;

}  // namespace

void CallFields::split(std::string_view line, std::uint64_t number) {
  fields_.clear();
  line_ = number;
  next_ = 2;
  for (;;) {
    const auto end = line.find(':');
    fields_.push_back(line.substr(0, end));
    if (end == line.npos) break;
    line.remove_prefix(end + 1);
  }
}

void CallFields::fail(std::string message, Error::Kind kind, std::string hint) {
  if (error_) return;
  error_.emplace();
  error_->kind = kind;
  error_->line = line_;
  error_->where = std::string(fields_[0].substr(0, 40));
  error_->message = std::move(message);
  error_->hint = std::move(hint);
}

std::string_view CallFields::take() {
  // The last field is the end.
  if (next_ + 1 < fields_.size()) return fields_[next_++];
  fail("ends before its arguments are complete");
  return "0";
}

// Whole microseconds with six zeros behind the point, or without a point.
std::int64_t CallFields::time(std::size_t at) {
  auto text = at < fields_.size() ? fields_[at] : std::string_view();
  const auto point = text.find('.');
  const bool whole = point == text.npos || text.find_first_not_of('0', point + 1) == text.npos;
  const auto value = whole_number<std::int64_t>(text.substr(0, point));
  if (whole && value && *value >= 0 && *value <= kMostMicroseconds) return *value;
  fail(fmt::format("expected a time in whole microseconds as field {}", at + 1));
  return 0;
}

std::uint64_t CallFields::address() {
  const auto value = whole_number<std::uint64_t>(take());
  if (!value) fail(fmt::format("expected an address as field {}", next_));
  return value.value_or(0);
}

std::int64_t CallFields::number(std::string_view what, std::int64_t least, std::int64_t most) {
  const auto value = whole_number<std::int64_t>(take());
  if (value && *value >= least && *value <= most) return *value;
  fail(fmt::format("expected {}, a whole number from {} to {}, as field {}", what, least, most, next_));
  return least;
}

std::uint64_t CallFields::count() {
  return static_cast<std::uint64_t>(number("a count", 0, kMostCountInField));
}

// "ID,SIZE,EXTENT": the extent may be rubbish.
std::uint64_t CallFields::type_size() {
  auto text = take();
  const auto id = text.find(',');
  text.remove_prefix(id == text.npos ? text.size() : id + 1);
  const auto size = whole_number<std::uint32_t>(text.substr(0, text.find(',')));
  if (!size || *size > kMostCountInField)
    fail(fmt::format("expected a datatype, as in 10,8,8, as field {}", next_));
  return size.value_or(0);
}

std::uint64_t CallFields::bytes() {
  const auto n = count();
  return n * type_size();
}

std::vector<std::uint64_t> CallFields::list() {
  address();
  auto text = take();
  std::vector<std::uint64_t> all;
  for (;;) {
    const auto end = text.find(',');
    const auto value = whole_number<std::int64_t>(text.substr(0, end));
    if (!value || *value < 0 || *value > kMostCountInField) {
      fail(fmt::format("expected counts with commas between them as field {}", next_));
      return {};
    }
    all.push_back(static_cast<std::uint64_t>(*value));
    if (end == text.npos) return all;
    text.remove_prefix(end + 1);
  }
}

CommunicatorField CallFields::communicator() {
  const auto parts = busline::split(take(), ',');
  CommunicatorField c;
  if (parts.size() == 3) {
    const auto handle = whole_number<std::int64_t>(parts[0]);
    const auto address = whole_number<std::uint64_t>(parts[0]);
    const auto rank = whole_number<std::uint32_t>(parts[1]), size = whole_number<std::uint32_t>(parts[2]);
    if ((handle || address) && rank && size && *rank < *size) {
      c = {address ? *address : static_cast<std::uint64_t>(*handle), *rank, *size};
      return c;
    }
  }
  fail(fmt::format("expected a communicator, as in 0,1,4 (handle, rank, size), as field {}", next_));
  c.size = 1;
  return c;
}

}  // namespace busline::liballprof
