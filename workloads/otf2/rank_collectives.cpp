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
  const auto operation = c.byte();
  const auto local = c.number32(), root = c.number32();
  const CollectiveBytes recorded{c.number(), c.number()};
  if (!c.ok()) return fail(kRecordTooShort);
  const auto of = call_class();
  if (of == RegionClass::init || of == RegionClass::finalize) return;
  recorded_ = true;
  CollectiveArgs args;
  const auto kind = data_collective(operation);
  if (!kind && operation != kCreateHandle) return;  // frees something
  std::uint32_t index = 0;
  const auto* const comm = comm_of(local, index);
  if (comm == nullptr) return;
  if (recorded.sent > kMostBytes || recorded.received > kMostBytes)
    return fail("a collective of more than 2^60 bytes");
  args.kind = kind ? *kind : call_ != nullptr && call_->kind ? *call_->kind : CollectiveKind::comm_create;
  args.communicator = communicator(index);
  if (kind) {
    const auto& ranks = peers_in(index);
    if (root == kSelfIsRoot) {
      args.is_root = true;
    } else if (root < kRootInGroup) {
      const auto rank = peer_in(index, root, "root");
      if (!rank) return;
      args.is_root = *rank == rank_;
    }
    args.is_root = args.is_root && has_root(*kind);
    const auto sizes = bytes_per_peer(*kind, shared_.sizes,
                                      {ranks.size(), place_in(index).position, args.is_root}, recorded);
    args.send_bytes = sizes.sent;
    args.recv_bytes = sizes.received;
  }
  begin(name_of(args.kind));
  emit(args);
}

// The call that makes a communicator synchronises, but its record is missing: perhaps all ranks make it.
void RankCompiler::guess_creation() {
  begin("");
  shared_.guesses.back().push_back({call_region_, of_all_, shared_.builder.position()});
  CollectiveArgs args;
  args.kind = *call_->kind;
  emit(args);
}

void RankCompiler::emit(const CollectiveArgs& args) {
  if (args.communicator == 0) ++of_all_;
  shared_.builder.collective(args);
}

}  // namespace busline::otf2
