#include "workloads/dumpi/format/values.hpp"

namespace busline::dumpi {

Status load_status(const char* at, std::size_t width) {
  Status s;
  s.bytes = load_big_endian<std::int32_t>(at);
  s.source = load_big_endian<std::int32_t>(at + 4);
  s.cancelled = static_cast<std::uint8_t>(at[8]);
  s.error = static_cast<std::uint8_t>(at[9]);
  s.tag = width == status_bytes(kNewestKnown) ? load_big_endian<std::int32_t>(at + 10) : -1;
  return s;
}

Value value_of(const Record& record, std::size_t i) {
  if (!record.present(i)) return Absent{};
  const char* const data = record.arguments[i].data;
  const auto n = static_cast<std::size_t>(record.arguments[i].number);
  switch (shape_in(record.version, record.function, i)) {
    case Shape::byte:
    case Shape::int16:
    case Shape::int32:
    case Shape::int64:
      return record[i];
    case Shape::text:
      return std::string_view(data, n);
    case Shape::bytes:
      return Numbers(data, n, 1);
    case Shape::int16s:
      return Numbers(data, n, 2);
    case Shape::int32s:
      return Numbers(data, n, 4);
    case Shape::int32_lists:
      return Int32Lists(data, n);
    case Shape::texts:
      return Texts(data, n);
    case Shape::text_lists:
      return TextLists(data, n);
    case Shape::statuses:
      if ((record.mask & Record::has_statuses) == 0) return Absent{};
      return Statuses(data, n, status_bytes(record.version));
  }
  return Absent{};
}

}  // namespace busline::dumpi
