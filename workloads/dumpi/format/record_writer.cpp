#include "workloads/dumpi/format/record_writer.hpp"

namespace busline::dumpi {
namespace {

void put_stamps(ByteBuffer& to, const Stamps& s) {
  to.put(s.entry_seconds);
  to.put(s.entry_nanoseconds);
  to.put(s.exit_seconds);
  to.put(s.exit_nanoseconds);
}

template <class... Cases>
struct Visitor : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Visitor(Cases...) -> Visitor<Cases...>;  // Clang 14 does not find it

}  // namespace

void RecordWriter::begin(const RecordPrefix& prefix) {
  assert(prefix.function < kFunctions && kLayouts[prefix.function].recorded);
  assert((prefix.mask & RecordPrefix::unknown_bits) == 0);
  function_ = prefix.function;
  mask_ = prefix.mask;
  argument_ = 0;
  to_.put(function_);
  to_.put(mask_);
  if ((mask_ & RecordPrefix::has_thread) != 0) to_.put(prefix.thread);
  if ((mask_ & RecordPrefix::has_cpu_time) != 0) put_stamps(to_, prefix.cpu);
  if ((mask_ & RecordPrefix::has_wall_time) != 0) put_stamps(to_, prefix.wall);
  if ((mask_ & RecordPrefix::has_counters) == 0) return;
  const auto n = prefix.counters.size();
  assert(n % 2 == 0 && n / 2 <= 0xff);
  to_.put(static_cast<std::uint8_t>(n / 2));
  for (std::size_t i = 0; i < n; ++i) to_.put(prefix.counters[i]);
}

void RecordWriter::end() {
  assert(argument_ == kLayouts[function_].arguments);
}

void RecordWriter::text(std::string_view text) {
  [[maybe_unused]] const auto shape = next();
  assert(shape == Shape::text);
  to_.put_text<std::uint32_t>(text);
}

void RecordWriter::put_status(const Status& status) {
  to_.put(status.bytes);
  to_.put(status.source);
  to_.put(status.cancelled);
  to_.put(status.error);
  if (version_ >= kStatusHasTag) to_.put(status.tag);
}

void RecordWriter::absent() {
  [[maybe_unused]] const auto& argument = kLayouts[function_].all[argument_];
  assert(argument.root_only ||
         (argument.shape == Shape::statuses && (mask_ & RecordPrefix::has_statuses) == 0));
  next();
}

void RecordWriter::value(const Value& value) {
  std::visit(
      Visitor{[this](Absent) { absent(); }, [this](std::int64_t v) { number(v); },
              [this](std::string_view v) { text(v); }, [this](const Numbers& v) { numbers(v); },
              [this](const Int32Lists& v) { number_lists(v); }, [this](const Texts& v) { texts(v); },
              [this](const TextLists& v) { text_lists(v); }, [this](const Statuses& v) { statuses(v); }},
      value);
}

}  // namespace busline::dumpi
