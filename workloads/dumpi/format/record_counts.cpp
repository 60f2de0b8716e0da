#include "workloads/dumpi/format/record_counts.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace busline::dumpi {
namespace {

constexpr std::size_t kFooterMagicBytes = 8;  // before its counts

}  // namespace

std::optional<Error> check_record_counts(const TraceFile& file, const RecordCounts& counts) {
  const auto called = file.called(), ignored = file.ignored();
  if (called.empty() || called[kCountedFunctions] == 0) return std::nullopt;
  const auto wrong = [&](std::size_t i, std::string message) {
    return damaged(file.path(), file.index().at[kFooter] + kFooterMagicBytes + i * sizeof(std::uint32_t),
                   "footer", std::move(message));
  };
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < kCountedFunctions; ++i) {
    total += called[i];
    if (called[i] < ignored[i] || called[i] - ignored[i] != counts[i])
      return wrong(i,
                   fmt::format("{} {} calls were made and {} of them not recorded, but there are {} records",
                               called[i], kFunctionTable[i].name, ignored[i], counts[i]));
  }
  if (total == called[kCountedFunctions]) return std::nullopt;
  return wrong(kCountedFunctions, fmt::format("{} calls were made, but by function it counts {}",
                                              called[kCountedFunctions], total));
}

}  // namespace busline::dumpi
