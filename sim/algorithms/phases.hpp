// The phases of collective algorithms. P is the number of ranks, p a position, v a position counted from the
// root. Sources: R. Thakur, R. Rabenseifner, W. Gropp: Optimization of collective communication operations in
// MPICH (2005), and for linear forms Open MPI 4.1.
#pragma once
#include "sim/algorithms/schedule.hpp"

namespace busline::phases {

// ---- phases_trees.cpp: a root and its binomial tree, in which v has the subtree of v .. v + 2^k - 1
extern const SchedulePhase kTreeUpAll;    ///< whole vectors to the root, combined on the way
extern const SchedulePhase kTreeUpParts;  ///< blocks of subtrees to the root
extern const SchedulePhase kTreeDownAll;  ///< whole vectors from the root
extern const SchedulePhase kTreeDownParts;
extern const SchedulePhase kTreeDownVector;  ///< blocks of a vector from the root, numbered from there
// One message between the root and each rank, all at once, except that parts are received one by one.
extern const SchedulePhase kStarUpAll;
extern const SchedulePhase kStarUpParts;
extern const SchedulePhase kStarDownAll;
extern const SchedulePhase kStarDownParts;
extern const SchedulePhase kStarUpPartsAtOnce;
extern const SchedulePhase kStarUpOnRequest;  ///< blocks, one rank after the other as the root asks for them
// From a rank to all its children at once, or from them. In the binary tree, v in level l (2^l - 1 to 2^(l+1)
// - 2) has the children v + 2^l and v + 2 * 2^l. In the k-nomial tree of radix 4, v's parent lacks its last
// digit that is not 0, in base 4. In the doubling tree, a binomial one, v's parent lacks its highest bit.
extern const SchedulePhase kBinaryUp;
extern const SchedulePhase kBinaryDown;
extern const SchedulePhase kKnomialUp;
extern const SchedulePhase kKnomialDown;
extern const SchedulePhase kDoublingTreeDown;
// From v to v + 1, or to v - 1 for the way up.
extern const SchedulePhase kChainUp;
extern const SchedulePhase kChainDown;
// The same, block by block: a rank passes a block on while it receives the next one.
extern const SchedulePhase kPipelineDown;
extern const SchedulePhase kPipelineUp;  ///< one after the other: it combines them in between

// ---- phases_cyclic.cpp: with the ranks at a distance before and after
extern const SchedulePhase kRingAllgather;        ///< block by block to p + 1; P - 1 rounds
extern const SchedulePhase kRingReduceScatter;    ///< the same, combined on the way
extern const SchedulePhase kRingAllgatherVector;  ///< kRingAllgather, numbered from the root
/// One block with a neighbour, then two at a time with both by turns; P/2 rounds. P odd: kRingAllgather.
extern const SchedulePhase kNeighborExchange;
extern const SchedulePhase kTwoLaps;           ///< a token goes round twice
extern const SchedulePhase kPairwiseAlltoall;  ///< to p + r, from p - r; P - 1 rounds
extern const SchedulePhase kPairwiseReduceScatter;
extern const SchedulePhase kStarAlltoall;    ///< all P - 1 exchanges at once
extern const SchedulePhase kStarAllgather;   ///< the same, of the rank's own block
extern const SchedulePhase kBruckAllgather;  ///< distances 1, 2, 4, ...; ceil(log2 P) rounds
extern const SchedulePhase kBruckAlltoall;
extern const SchedulePhase kDissemination;

// ---- phases_powers.cpp: exchanges between ranks that differ in one bit. If P is not a power of two, the
// odd ones of the first 2 (P - P') ranks fold into those before them; P' = 2^floor(log2 P) ranks continue.
extern const SchedulePhase kFold;           ///< whole vectors from the odd ones
extern const SchedulePhase kUnfoldAll;      ///< whole vectors back to them
extern const SchedulePhase kUnfoldPart;     ///< their own block back to them
extern const SchedulePhase kDoublingAll;    ///< exchanges of whole vectors; log2 P' rounds
extern const SchedulePhase kHalving;        ///< each round the half that the partner keeps: a Reduce_scatter
extern const SchedulePhase kDoublingParts;  ///< the reverse: an Allgather
extern const SchedulePhase kGatherHalves;   ///< the reverse to the root alone
extern const SchedulePhase kDoublingAllgather;  ///< kDoublingParts for powers of two, else kBruckAllgather
extern const SchedulePhase kDoublingAllgatherVector;  ///< the same, numbered from the root
extern const SchedulePhase kScanDoubling;  ///< whole vectors with p xor 2^r, where there is such a rank

}  // namespace busline::phases
