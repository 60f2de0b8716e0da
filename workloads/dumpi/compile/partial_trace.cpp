#include "workloads/dumpi/compile/partial_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "workloads/dumpi/compile/functions.hpp"

namespace busline::dumpi {
namespace {

struct Balance {
  std::int64_t sends = 0, receives = 0;
};

std::vector<Balance> balances(const Program& program, std::vector<std::int64_t>& open_receives) {
  std::vector<Balance> all(program.channels().size());
  open_receives.assign(program.ranks(), 0);
  for (const auto& strand : program.strands())
    for (const auto& op : program.operations(strand)) {
      if (op.kind == OpKind::send || op.kind == OpKind::isend) ++all[op.detail].sends;
      if (op.kind != OpKind::recv && op.kind != OpKind::irecv) continue;
      if ((op.detail & kAnyChannel) != 0)
        ++open_receives[strand.rank];
      else
        ++all[op.detail].receives;
    }
  return all;
}

std::string text_of(const Channel& c, std::int64_t n, const char* what) {
  return fmt::format("{} {} rank {} to rank {} with tag {} (communicator {})", n, what, c.source,
                     c.destination, c.tag, c.communicator);
}

// An operation without a partner. Open receives may take any surplus of messages to their rank.
std::optional<std::string> unmatched_message(const Program& program) {
  std::vector<std::int64_t> open;
  const auto all = balances(program, open);
  std::optional<std::string> surplus;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& c = program.channels()[i];
    if (all[i].receives > all[i].sends)
      return text_of(c, all[i].receives - all[i].sends, "receives of messages from");
    open[c.destination] -= all[i].sends - all[i].receives;
    if (open[c.destination] < 0 && !surplus)
      surplus = text_of(c, all[i].sends - all[i].receives, "messages from");
  }
  if (surplus) return surplus;
  for (std::size_t rank = 0; rank < open.size(); ++rank)
    if (open[rank] > 0) return fmt::format("{} receives of rank {} from any source", open[rank], rank);
  return std::nullopt;
}

std::optional<std::string> unmatched_collective(const Program& program) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> calls;  // (communicator, rank)
  for (const auto& strand : program.strands())
    for (const auto& op : program.operations(strand))
      if (op.kind == OpKind::collective || op.kind == OpKind::collective_start)
        ++calls[{program.collectives()[op.detail].communicator, strand.rank}];
  for (std::uint32_t c = 0; c < program.communicators().size(); ++c) {
    const auto& members = program.communicators()[c].members;
    for (const auto rank : members)
      if (calls[{c, rank}] != calls[{c, members.front()}])
        return fmt::format("collectives on communicator {}: rank {} calls {}, rank {} calls {}", c,
                           members.front(), calls[{c, members.front()}], rank, calls[{c, rank}]);
  }
  return std::nullopt;
}

}  // namespace

Expected<void> check_partial_trace(const Program& program, const std::vector<RankSurvey>& ranks,
                                   const std::vector<std::string>& paths, const Notices& notices,
                                   Diagnostics& diagnostics) {
  std::array<std::uint64_t, kFunctions> ignored{}, partners{};
  std::optional<std::size_t> first;  // rank that lacks a call with a partner
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    for (const auto& [function, n] : ranks[rank].ignored) {
      ignored[function] += n;
      if (!has_partner(function)) continue;
      partners[function] += n;
      if (!first) first = rank;
    }
  if (const auto calls = list_calls(ignored); !calls.empty())
    diagnostics.push_back({Diagnostic::Severity::warning, "ignored-calls",
                           fmt::format("calls that were made but not recorded: {}", calls),
                           paths[first.value_or(0)]});
  auto missing = list_calls(partners);
  if (const auto calls = list_calls(notices.mpi3); !calls.empty())
    missing += fmt::format("{}{}", missing.empty() ? "" : ", ", calls);
  if (missing.empty()) return {};
  auto unmatched = unmatched_message(program);
  if (!unmatched) unmatched = unmatched_collective(program);
  if (!unmatched) return {};
  Error e;
  e.kind = Error::Kind::bad_input;
  e.path = paths[first.value_or(0)];
  e.message = fmt::format("{} were made but not recorded, so these have no partner: {}", missing, *unmatched);
  e.hint = first ? "record the run again with tracing on for all calls (dumpi.conf, MPI_Pcontrol)"
                 : "the format has no records for MPI-3 calls";
  e.hint += "; 'busline simulate --salvage' leaves out what lacks a partner";
  return tl::unexpected(std::move(e));
}

}  // namespace busline::dumpi
