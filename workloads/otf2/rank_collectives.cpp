// Collectives: the members, the root and the sizes.
#include <fmt/format.h>

#include "workloads/otf2/rank_compiler.hpp"

namespace busline::otf2 {
namespace {

constexpr std::uint8_t kCreateHandle = 17;                                      // OTF2_CollectiveOp
constexpr std::uint32_t kSelfIsRoot = 0xffff'fffe, kRootInGroup = 0xffff'fffd;  // OTF2_CollectiveRoot

}  // namespace

void RankCompiler::collective(const Record& r) {
  auto c = r.cursor();
  const auto fields = collective_fields(c);
  if (!c.ok()) return fail(kRecordTooShort);
  const auto of = call_class();
  if (of == RegionClass::init || of == RegionClass::finalize) return;
  recorded_ = true;
  if (!data_collective(fields.operation) && fields.operation != kCreateHandle) return;  // frees something
  const auto args = arguments(fields);
  if (!args) return;
  begin(name_of(args->kind));
  emit(*args);
}

// What it does only its completion says. The second pass knows it from the first one.
void RankCompiler::start_collective(const Record& r) {
  recorded_ = true;
  auto c = r.cursor();
  const auto request = c.number();
  if (!c.ok() || next_started_ >= survey_.started_collectives.size()) return fail(kRecordTooShort);
  started_collectives_.erase(request);
  const auto& fields = survey_.started_collectives[next_started_++];
  if (!fields || !data_collective(fields->operation)) return;
  auto args = arguments(*fields);
  if (!args) return;
  args->sync = CollectiveArgs::Sync::nonblocking;
  begin(name_of(args->kind));
  if (args->communicator == 0) ++of_all_;
  started_collectives_[request] = made_.builder.collective_start(*args);
}

void RankCompiler::complete_collective(const Record& r) {
  auto c = r.cursor();
  const auto fields = collective_fields(c);
  const auto started = started_collectives_.extract(c.number());
  if (!c.ok()) return fail(kRecordTooShort);
  recorded_ = true;
  if (!started) {  // it began while recording was off, or makes a communicator
    const auto kind = data_collective(fields.operation);
    ++made_.notices.nonblocking[std::string(kind ? name_of(*kind) : "other")];
    return;
  }
  begin("MPI_Wait");
  made_.builder.wait(started.mapped());
}

std::optional<CollectiveArgs> RankCompiler::arguments(const CollectiveFields& f) {
  std::uint32_t index = 0;
  if (comm_of(f.comm, index) == nullptr) return std::nullopt;
  if (f.sent > kMostBytes || f.received > kMostBytes) {
    fail("a collective of more than 2^60 bytes");
    return std::nullopt;
  }
  CollectiveArgs args;
  const auto kind = data_collective(f.operation);
  args.kind = kind ? *kind : call_ != nullptr && call_->kind ? *call_->kind : CollectiveKind::comm_create;
  args.communicator = communicator(index);
  if (!kind) return args;
  const auto& ranks = peers_in(index);
  if (f.root == kSelfIsRoot) {
    args.is_root = true;
  } else if (f.root < kRootInGroup) {
    const auto rank = peer_in(index, f.root, "root");
    if (!rank) return std::nullopt;
    args.is_root = *rank == rank_;
  }
  args.is_root = args.is_root && has_root(*kind);
  const auto sizes = bytes_per_peer(
      *kind, shared_.sizes, {ranks.size(), place_in(index).position, args.is_root}, {f.sent, f.received});
  args.send_bytes = sizes.sent;
  args.recv_bytes = sizes.received;
  return args;
}

// The call that makes a communicator synchronises, but its record is missing: perhaps all ranks make it.
void RankCompiler::guess_creation() {
  begin("");
  made_.guesses.push_back({call_region_, of_all_, made_.builder.position()});
  CollectiveArgs args;
  args.kind = *call_->kind;
  emit(args);
}

void RankCompiler::emit(const CollectiveArgs& args) {
  if (args.communicator == 0) ++of_all_;
  made_.builder.collective(args);
}

}  // namespace busline::otf2
