// The results of a study in words.
#pragma once
#include <string>
#include <vector>

#include "studies/report/gathered_study.hpp"

namespace busline::report {

/// The best and the slowest point, how much of a varied parameter is enough, which axis matters most, where
/// time is lost, and how many points are missing; the most important first.
std::vector<std::string> study_sentences(const GatheredStudy& study);

}  // namespace busline::report
