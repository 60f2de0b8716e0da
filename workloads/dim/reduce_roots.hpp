// The roots of a Program's Reduces. In a Program only the root itself is marked; a Dimemas trace names the
// root on every rank.
#pragma once
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "sim/program/program.hpp"

namespace busline::dim {

/// Counts a strand's collectives, so that those of the members can be matched: separately by communicator,
/// and for blocking and non-blocking ones.
class CollectiveCounter {
 public:
  struct Key {
    std::uint32_t communicator = 0;
    bool blocking = true;
    std::uint64_t number = 0;
    bool operator==(const Key&) const = default;
  };
  void enter_strand() { next_.clear(); }
  /// The key of the strand's next collective with these arguments.
  Key next(const CollectiveArgs& args) {
    const bool blocking = args.sync == CollectiveArgs::Sync::blocking;
    return {args.communicator, blocking,
            next_[std::uint64_t{args.communicator} << 1 | (blocking ? 1U : 0U)]++};
  }

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> next_;
};

class ReduceRoots {
 public:
  /// Scans all operations if the arguments of some Reduce do not name its root.
  explicit ReduceRoots(const Program& program) {
    bool any = false;
    for (const auto& a : program.collectives()) any = any || names_no_root(a);
    if (!any) return;
    CollectiveCounter counter;
    for (const auto& s : program.strands()) {
      counter.enter_strand();
      for (const auto& op : program.operations(s)) {
        if (op.kind != OpKind::collective && op.kind != OpKind::collective_start) continue;
        const auto& args = program.collectives()[op.detail];
        const auto key = counter.next(args);
        if (names_no_root(args) && args.is_root) roots_.emplace(key, s.rank);
      }
    }
  }

  /// The root of the Reduce with this key; nothing if no rank called it as the root.
  std::optional<std::uint32_t> of(const CollectiveCounter::Key& key) const {
    const auto at = roots_.find(key);
    if (at == roots_.end()) return std::nullopt;
    return at->second;
  }

 private:
  static bool names_no_root(const CollectiveArgs& a) {
    return a.kind == CollectiveKind::reduce && a.sync != CollectiveArgs::Sync::root_synchronised;
  }
  struct Hash {
    std::size_t operator()(const CollectiveCounter::Key& k) const {
      // Arbitrary odd numbers with well spread bits.
      return k.number * 0x9e3779b97f4a7c15ULL ^
             (std::uint64_t{k.communicator} << 1 | (k.blocking ? 1U : 0U)) * 0xd6e8feb86659fd93ULL;
    }
  };
  std::unordered_map<CollectiveCounter::Key, std::uint32_t, Hash> roots_;
};

}  // namespace busline::dim
