// The members of a study's workload, described once.
#pragma once
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "documents/fields/cursor.hpp"
#include "studies/study/workload_choice.hpp"

namespace busline {

inline constexpr std::array<std::pair<std::string_view, BenchmarkChoice::Kind>, 3> kBenchmarkNames{
    {{"latency", BenchmarkChoice::Kind::latency},
     {"bisection", BenchmarkChoice::Kind::bisection},
     {"launch", BenchmarkChoice::Kind::launch}}};

void describe(Fields& f, TraceChoice& t);
void describe(Fields& f, BenchmarkChoice& b);

}  // namespace busline
