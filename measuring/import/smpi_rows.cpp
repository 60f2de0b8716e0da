#include "measuring/import/smpi_rows.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

#include "documents/fields/printable.hpp"
#include "sim/base/text_parts.hpp"

namespace busline::measure {
namespace {

constexpr std::string_view kCallPrefix = "MPI_";
constexpr std::size_t kWithoutRanks = 4, kWithRanks = 5;
constexpr std::uint64_t kMostBytesOfRow = std::uint64_t{1} << 40U;
constexpr double kMostSeconds = 1e6;  // 11 days

bool is_call(std::string_view field) {
  return field.starts_with(kCallPrefix) && field.size() > kCallPrefix.size();
}

}  // namespace

std::size_t smpi_columns(std::string_view text) {
  TextLines lines(text, {});
  while (lines.next() && lines.text().empty()) {
  }
  const auto fields = split(lines.text(), ',');
  if (fields.size() == kWithoutRanks && is_call(fields[0])) return kWithoutRanks;
  if (fields.size() == kWithRanks && is_call(fields[1]) && whole_number<std::uint32_t>(fields[0]))
    return kWithRanks;
  return 0;
}

Expected<SmpiRow> smpi_row(const TextLines& line, std::size_t columns) {
  auto fields = split(line.text(), ',');
  const auto cut = line.is_whole() ? "" : "the file ends within this line: it appears to be truncated";
  if (fields.size() != columns)
    return tl::unexpected(
        line.error(fmt::format("a row of {}, expected {}", counted(fields.size(), "column"), columns), cut));
  const auto refuse = [&](std::string_view expected, std::string_view found) {
    return tl::unexpected(
        line.error(fmt::format("expected {}, found '{}'", expected, printable(found)), cut));
  };
  SmpiRow row;
  if (columns == kWithRanks) {
    const auto rank = whole_number<std::uint32_t>(fields.front());
    if (!rank) return refuse("a rank", fields.front());
    row.rank = *rank;
    fields.erase(fields.begin());
  }
  row.operation = fields[0];
  if (!is_call(row.operation)) return refuse("a call such as MPI_Send", row.operation);
  const auto bytes = whole_number<std::uint64_t>(fields[1]);
  if (!bytes || *bytes > kMostBytesOfRow) return refuse("a whole number of bytes up to 2^40", fields[1]);
  row.bytes = *bytes;
  const auto start = decimal_number(fields[2]), time = decimal_number(fields[3]);
  if (!start || !std::isfinite(*start)) return refuse("the time of the start", fields[2]);
  const double unit = columns == kWithRanks ? 1e-3 : 1;
  if (!time || !(*time > 0) || *time * unit > kMostSeconds)
    return refuse("a duration above 0 and up to 11 days", fields[3]);
  row.time = Duration::seconds(*time * unit);
  return row;
}

}  // namespace busline::measure
