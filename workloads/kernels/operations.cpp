#include "workloads/kernels/operations.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "sim/base/assert.hpp"

namespace busline {
namespace {

std::vector<KernelOperation> all_operations() {
  std::vector<KernelOperation> all;
  for (const auto table :
       {pair_operations, master_worker_operations, collective_operations, simple_operations}) {
    auto entries = table();
    std::move(entries.begin(), entries.end(), std::back_inserter(all));
  }
  return all;
}

template <class Predicate>
const KernelOperation* find(Predicate is_wanted) {
  const auto all = kernel_operations();
  const auto found = std::find_if(all.begin(), all.end(), is_wanted);
  return found == all.end() ? nullptr : &*found;
}

// Room that MPI takes for each message in an attached buffer (MPI_BSEND_OVERHEAD): 128 bytes in Open MPI, 96
// in MPICH.
constexpr std::uint64_t kBsendOverhead = 128;

}  // namespace

void KernelOperation::prepare(RankCalls& calls, bool is_first, std::uint32_t messages) const {
  const auto side = is_first ? before_first : before_second;
  if (side == nullptr) return;
  for (std::uint32_t i = 0; i < messages; ++i) side(calls);
}

void KernelOperation::emit(RankCalls& calls, RankCalls::Place& place, bool is_first,
                           std::uint32_t messages) const {
  place.messages = whole_sample ? messages : 1;
  const auto side = is_first ? first : second;
  for (std::uint32_t i = 0; i < (whole_sample ? 1 : messages); ++i) side(calls);
}

// SKaMPI's Max_Value: docs/reference/skampi.md.
std::uint64_t KernelOperation::most_bytes(std::uint64_t memory, std::uint32_t ranks) const {
  switch (buffers) {
    case BufferUse::none:
      return 0;
    case BufferUse::message:
      return memory;
    case BufferUse::both:
      return memory / 2;
    case BufferUse::parts:
      return memory / (std::uint64_t{ranks} + 1);
    case BufferUse::all_parts:
      return memory / (2 * std::uint64_t{std::max(ranks, 1U)});
    case BufferUse::attached:
      return memory / 2 > kBsendOverhead ? memory / 2 - kBsendOverhead : 0;
  }
  return 0;
}

std::span<const KernelOperation> kernel_operations() {
  static const auto kAll = all_operations();
  return kAll;
}

const KernelOperation* find_operation(std::string_view name) {
  return find([&](const KernelOperation& o) { return o.name == name; });
}

const KernelOperation* find_operation(std::uint32_t type) {
  if (type == 0) return nullptr;
  return find([&](const KernelOperation& o) { return o.type == type; });
}

const KernelOperation* find_skampi5_operation(std::string_view name) {
  if (name.empty()) return nullptr;
  return find([&](const KernelOperation& o) { return o.skampi5 == name; });
}

const KernelOperation& empty_operation(KernelPattern pattern) {
  constexpr std::array<std::string_view, 4> kEmpty{"Dummy-p2p", "Dummy-mw", "Dummy-col", "Dummy-simple"};
  const auto* found = find_operation(kEmpty[static_cast<std::size_t>(pattern)]);
  SIM_ASSERT(found != nullptr);
  return *found;
}

}  // namespace busline
