#include "workloads/dumpi/statistics/call_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>

#include "workloads/dumpi/compile/functions.hpp"
#include "workloads/dumpi/format/names.hpp"
#include "workloads/dumpi/statistics/call_counter.hpp"

namespace busline {
namespace {

using namespace dumpi;

// The functions with calls, those with the most time first.
std::vector<CallStatistics::Function> functions_of(CallTotals& totals) {
  std::vector<CallStatistics::Function> list;
  for (std::uint16_t f = 0; f < kFunctions; ++f) {
    auto& function = totals.functions[f];
    if (function.calls == 0 && function.not_recorded == 0) continue;
    function.name = kFunctionTable[f].name;
    function.collective = collective_kind(f).has_value();
    list.push_back(function);
  }
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
    return std::tie(b.wall_ns, b.calls, a.name) < std::tie(a.wall_ns, a.calls, b.name);
  });
  return list;
}

std::vector<CallStatistics::Communicator> communicators_of(CallTotals& totals) {
  std::vector<CallStatistics::Communicator> list;
  for (std::size_t i = 0; i < totals.communicators.size(); ++i) {
    auto& c = totals.communicators[i];
    if (c.made == 0 && c.messages == 0 && c.collectives == 0) continue;
    if (i == CallTotals::kWorld) c.made_by = name_of(Meaning::communicator, kCommWorld);
    if (i == CallTotals::kSelf) c.made_by = name_of(Meaning::communicator, kCommSelf);
    if (i >= CallTotals::kMadeCommunicators)
      c.made_by = kFunctionTable[i - CallTotals::kMadeCommunicators].name;
    list.push_back(c);
  }
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  return list;
}

std::vector<CallStatistics::Datatype> datatypes_of(CallTotals& totals) {
  std::vector<CallStatistics::Datatype> list;
  for (std::size_t i = 0; i < totals.datatypes.size(); ++i) {
    auto& t = totals.datatypes[i];
    if (t.calls == 0) continue;
    if (i < CallTotals::kNoType) t.made_by = name_of(Meaning::datatype, static_cast<std::int64_t>(i));
    if (i >= CallTotals::kMadeTypes) t.made_by = kFunctionTable[i - CallTotals::kMadeTypes].name;
    list.push_back(t);
  }
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  return list;
}

// Counts the readable part of the rank's file, and returns the error in it, if any.
std::optional<Error> count_rank(const std::string& path, Opening how, CallStatistics& result,
                                CallTotals& totals, Diagnostics& diagnostics) {
  Diagnostics news;
  const auto file = TraceFile::open(path, news, how);
  tell_once(diagnostics, std::move(news));
  if (!file) return file.error();
  auto& rank = result.ranks.back();
  CallCounter counter(*file, rank, totals);
  auto wrong = counter.run();
  result.ranks_with_wall += counter.clock().has_wall() ? 1U : 0U;
  result.ranks_with_cpu += counter.clock().has_cpu() ? 1U : 0U;
  result.calls += rank.calls;
  result.messages += rank.messages_sent;
  add(result.bytes, rank.bytes_sent);
  return wrong;
}

Diagnostic salvaged(std::uint32_t rank, const Error& wrong, bool something) {
  Diagnostic d{Diagnostic::Severity::warning, "salvaged", wrong.message, wrong.path};
  if (!wrong.where.empty()) d.message = fmt::format("{}: {}", wrong.where, wrong.message);
  if (something) d.message += "; the records before it count";
  d.offset = wrong.offset;
  d.rank = rank;
  return d;
}

}  // namespace

Expected<CallStatistics> read_call_statistics(const std::vector<std::string>& rank_files, bool salvage,
                                              Diagnostics& diagnostics) {
  CallStatistics result;
  const auto totals = std::make_unique<CallTotals>();
  for (std::uint32_t r = 0; r < rank_files.size(); ++r) {
    result.ranks.emplace_back().path = rank_files[r];
    if (rank_files[r].empty()) {
      diagnostics.push_back(
          {Diagnostic::Severity::warning, "salvaged", fmt::format("rank {} has no file", r)});
      continue;
    }
    const auto wrong =
        count_rank(rank_files[r], salvage ? Opening::salvage : Opening::whole, result, *totals, diagnostics);
    if (!wrong) continue;
    if (!salvage) return tl::unexpected(*wrong);
    diagnostics.push_back(salvaged(r, *wrong, result.ranks.back().calls > 0));
  }
  result.functions = functions_of(*totals);
  result.communicators = communicators_of(*totals);
  result.datatypes = datatypes_of(*totals);
  for (std::size_t s = 0; s < totals->message_sizes.size(); ++s)
    if (auto& sizes = totals->message_sizes[s]; sizes.messages > 0) {
      sizes.from = s == 0 ? 0 : std::uint64_t{1} << (s - 1);
      result.message_sizes.push_back(sizes);
    }
  return result;
}

}  // namespace busline
