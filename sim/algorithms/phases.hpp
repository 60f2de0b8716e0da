// The phases that collective algorithms are made of. P is the number of ranks, p a position, v a position
// counted from the root. Sources: R. Thakur, R. Rabenseifner, W. Gropp: Optimization of collective
// communication operations in MPICH (2005), and for linear forms what Open MPI 4.1 does.
#pragma once
#include "sim/algorithms/schedule.hpp"

namespace busline::phases {

// ---- phases_trees.cpp: a root and its binomial tree, in which v has the subtree of v .. v + 2^k - 1
extern const Phase kTreeUpAll;    ///< whole vectors to the root, combined on the way
extern const Phase kTreeUpParts;  ///< blocks of subtrees to the root
extern const Phase kTreeDownAll;  ///< whole vectors from the root
extern const Phase kTreeDownParts;
extern const Phase kTreeDownVector;  ///< blocks of a vector from the root, numbered from there
// One message between the root and each rank, all at once.
extern const Phase kStarUpAll;
extern const Phase kStarUpParts;
extern const Phase kStarDownAll;
extern const Phase kStarDownParts;
// From v to v + 1, or to v - 1 for the way up.
extern const Phase kChainUp;
extern const Phase kChainDown;

// ---- phases_cyclic.cpp: with the ranks at a distance before and after
extern const Phase kRingAllgather;        ///< block by block to p + 1; P - 1 rounds
extern const Phase kRingReduceScatter;    ///< the same, combined on the way
extern const Phase kRingAllgatherVector;  ///< kRingAllgather, numbered from the root
extern const Phase kTwoLaps;              ///< a token goes round twice
extern const Phase kPairwiseAlltoall;     ///< to p + r, from p - r; P - 1 rounds
extern const Phase kPairwiseReduceScatter;
extern const Phase kStarAlltoall;    ///< all P - 1 exchanges at once
extern const Phase kBruckAllgather;  ///< distances 1, 2, 4, ...; ceil(log2 P) rounds
extern const Phase kBruckAlltoall;
extern const Phase kDissemination;

// ---- phases_powers.cpp: exchanges between ranks that differ in one bit. If P is no power of two, of the
// first 2 (P - P') ranks the odd ones fold into those before them; P' = 2^floor(log2 P) ranks go on.
extern const Phase kFold;               ///< whole vectors from the odd ones
extern const Phase kUnfoldAll;          ///< whole vectors back to them
extern const Phase kUnfoldPart;         ///< their own block back to them
extern const Phase kDoublingAll;        ///< exchanges of whole vectors; log2 P' rounds
extern const Phase kHalving;            ///< each round the half that the partner keeps: a Reduce_scatter
extern const Phase kDoublingParts;      ///< the reverse: an Allgather
extern const Phase kGatherHalves;       ///< the reverse to the root alone
extern const Phase kDoublingAllgather;  ///< kDoublingParts for powers of two, else kBruckAllgather
extern const Phase kScanDoubling;       ///< whole vectors with p xor 2^r, where there is such a rank

}  // namespace busline::phases
