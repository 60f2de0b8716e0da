#include "measuring/measurement/variation.hpp"

#include <algorithm>
#include <array>

#include "measuring/method/refinement.hpp"
#include "sim/base/assert.hpp"

namespace busline::measure {
namespace {

std::uint64_t none(const KernelOperation&) {
  return 0;
}

std::uint64_t one(const KernelOperation&) {
  return 1;
}

std::uint64_t least_ranks(const KernelOperation& op) {
  return op.pattern == KernelPattern::collective || op.pattern == KernelPattern::simple ? 1 : 2;
}

void first_ranks(Kernel& kernel, std::uint64_t n) {
  kernel.ranks.resize(std::min<std::uint64_t>(n, kernel.ranks.size()));
}

std::uint64_t all_ranks(const KernelOperation&, const Kernel& kernel, std::uint64_t) {
  return kernel.ranks.size();
}

constexpr std::array<Variation, 7> kVariations{{
    {Varies::nothing, "No_variation", "nothing", [](Kernel&, std::uint64_t) {}, none,
     [](const KernelOperation&, const Kernel&, std::uint64_t) { return std::uint64_t{0}; }},
    {Varies::bytes, "Length", "message length", [](Kernel& k, std::uint64_t n) { k.bytes = n; }, none,
     [](const KernelOperation& op, const Kernel& k, std::uint64_t memory) {
       return op.most_bytes(memory, static_cast<std::uint32_t>(k.ranks.size()));
     }},
    // SKaMPI's nodes are MPI processes.
    {Varies::ranks, "Nodes", "number of nodes", first_ranks, least_ranks, all_ranks},
    {Varies::nodes, "", "number of nodes", first_ranks, least_ranks, all_ranks},
    {Varies::chunks, "Chunks", "chunks", [](Kernel& k, std::uint64_t n) { k.chunks = n; }, one,
     [](const KernelOperation&, const Kernel&, std::uint64_t) { return kLargestArgument; }},
    {Varies::pairs, "", "number of pairs", [](Kernel& k, std::uint64_t n) { first_ranks(k, 2 * n); }, one,
     [](const KernelOperation&, const Kernel& k, std::uint64_t) {
       return std::uint64_t{k.ranks.size() / 2};
     }},
    // For a schedule: the kernel does not decide which pairs are measured.
    {Varies::steps, "", "step", [](Kernel&, std::uint64_t) {}, one,
     [](const KernelOperation&, const Kernel&, std::uint64_t) { return kLargestArgument; }},
}};

}  // namespace

std::span<const Variation> variations() {
  return kVariations;
}

const Variation& variation_of(Varies varies) {
  const auto* found = std::find_if(kVariations.begin(), kVariations.end(),
                                   [&](const Variation& v) { return v.varies == varies; });
  SIM_ASSERT(found != kVariations.end());
  return *found;
}

}  // namespace busline::measure
