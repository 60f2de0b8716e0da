// For tests and fuzzing of runs: a folder that is gone at the end, by the name that it has here.
#pragma once
#include "workloads/test_folder.hpp"

namespace busline::runs {
using busline::TestFolder;
}  // namespace busline::runs
