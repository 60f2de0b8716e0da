// Times between all pairs of ranks, as LinkTest measures them (docs/reference/linktest.md).
#pragma once
#include "measuring/measurement/measurement.hpp"
#include "studies/report/figure.hpp"

namespace busline::report {

/// For each run over all pairs in the measurement: a field of who measured with whom, a histogram, the steps,
/// and the slowest pairs; and sentences about them. A field of more than kMostFields ranks shows blocks of
/// pairs, each by its slowest. Cost: linear in the pairs.
void add_pairs(const measure::Measurement& measurement, Section& section);
inline constexpr std::size_t kMostFields = 256;

}  // namespace busline::report
