// What Python's objects hold. All of it is constant once it is made, so that threads share it.
#pragma once
#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "documents/fields/document.hpp"
#include "models/run/simulate_options.hpp"
#include "platforms/description/platform.hpp"
#include "sim/results/result.hpp"
#include "workloads/load_workload.hpp"

namespace busline::python {

struct PlatformObject {
  std::shared_ptr<const Platform> platform;
  /// What set() changes: the text that was read, so that places in it are those that `simulate --set` means.
  std::shared_ptr<const Document> document;
  std::string path;
  std::vector<std::string> warnings;
};

struct WorkloadObject {
  std::shared_ptr<const Workload> workload;
  std::string path;
  std::vector<std::string> warnings;
};

/// One simulated run and what it was of.
struct RunObject {
  std::shared_ptr<const Platform> platform;
  std::shared_ptr<const Workload> workload;
  SimulateOptions how;  ///< without its progress
  std::string region;   ///< in words
  Result result;
  Diagnostics diagnostics;
};

// The parts of the module.
void add_platforms(pybind11::module_& m);
void add_workloads(pybind11::module_& m);
void add_runs(pybind11::module_& m);
void add_studies(pybind11::module_& m);
void add_topologies(pybind11::module_& m);
void add_accuracy(pybind11::module_& m);

}  // namespace busline::python
