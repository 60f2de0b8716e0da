// The results of a study in words.
#pragma once
#include <string>
#include <vector>

#include "studies/report/gathered_study.hpp"

namespace busline::report {

/// The best and the slowest point, how much of a varied parameter is enough to be `within` that share of the
/// best, which axis matters most, where time is lost, and how many points are missing; the most important
/// first. For several workloads, the best choice for the mix of them and for each.
std::vector<std::string> study_sentences(const GatheredStudy& study, double within);
/// "all workloads together", "the mix hpcg 3, milc 1".
std::string mix_name(const GatheredStudy& study);

}  // namespace busline::report
