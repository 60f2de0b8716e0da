#include "tests/damage/damaged_file.hpp"

#include <fmt/format.h>

#include <variant>

#include "workloads/dumpi/format/call_reader.hpp"
#include "workloads/dumpi/format/trace_file.hpp"
#include "workloads/dumpi/format/values.hpp"

namespace busline {
namespace {

using namespace dumpi;

// Looks at each element, so that a view beyond the bytes is noticed.
struct SumOfValue {
  std::uint64_t operator()(Absent) const { return 0; }
  std::uint64_t operator()(std::int64_t n) const { return static_cast<std::uint64_t>(n); }
  std::uint64_t operator()(std::string_view text) const {
    std::uint64_t sum = 0;
    for (const char c : text) sum += static_cast<unsigned char>(c);
    return sum;
  }
  std::uint64_t operator()(std::int32_t n) const { return static_cast<std::uint32_t>(n); }
  std::uint64_t operator()(const Status& s) const {
    return static_cast<std::uint32_t>(s.bytes) + static_cast<std::uint32_t>(s.source) + s.cancelled;
  }
  template <class List>
  std::uint64_t operator()(const List& list) const {
    std::uint64_t sum = list.size();
    if constexpr (requires { list.begin(); })
      for (const auto& element : list) sum += (*this)(element);
    else
      for (std::size_t i = 0; i < list.size(); ++i) sum += (*this)(list[i]);
    return sum;
  }
};

}  // namespace

std::string fault_in(const Error& e, std::size_t size, const std::string& name) {
  if (e.message.empty()) return "an error without a message";
  if (e.path.empty()) return "an error without a path: " + e.message;
  if (e.path == name && e.offset && *e.offset > size)
    return fmt::format("an error at {}, behind the end of the file: {}", *e.offset, e.message);
  return {};
}

std::string fault_in_file(std::string_view bytes) {
  for (const auto how : {Opening::whole, Opening::salvage}) {
    Diagnostics told;
    const auto file = TraceFile::in_memory("a.bin", bytes, told, how);
    if (!file) {
      if (auto fault = fault_in(file.error(), bytes.size(), "a.bin"); !fault.empty()) return fault;
      continue;
    }
    std::uint64_t sum = 0;
    for (const auto& label : file->labels()) sum += label.key + SumOfValue()(label.text);
    sum += SumOfValue()(file->type_sizes());
    CallReader reader(*file);
    while (const Record* const r = reader.next()) {
      for (std::size_t i = 0; i < kLayouts[r->function].arguments; ++i)
        sum += std::visit(SumOfValue(), value_of(*r, i));
      for (std::size_t i = 0; i < r->counters.size(); ++i) sum += r->counters[i];
      if (r->offset >= bytes.size()) return "a record behind the end of the file";
    }
    if (reader.error())
      if (auto fault = fault_in(*reader.error(), bytes.size(), "a.bin"); !fault.empty()) return fault;
    // The sum is unused, but must be computed.
    volatile auto looked_at = sum;
    (void)looked_at;
  }
  return {};
}

}  // namespace busline
