// What a study found, in words.
#pragma once
#include <string>
#include <vector>

#include "studies/report/gathered_study.hpp"

namespace busline::report {

/// What is best and how slow the slowest is, how much is enough of what was varied, which axis matters most,
/// what the time is lost to, and how many points are missing; the most important first.
std::vector<std::string> study_sentences(const GatheredStudy& study);

}  // namespace busline::report
