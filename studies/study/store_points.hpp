// Stores and counts the results of threads or processes.
#pragma once
#include <vector>

#include "studies/study/point_work.hpp"
#include "studies/study/run_study.hpp"
#include "studies/study/store.hpp"

namespace busline {

/// An Error is the store's; some of the points may be in it then.
Expected<void> store_points(Store& store, std::vector<FinishedPoint> finished, StudyProgress& progress);

}  // namespace busline
