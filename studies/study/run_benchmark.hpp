// Benchmarks whose result a study asks for, on a simulated machine.
#pragma once
#include <functional>
#include <string>

#include "platforms/description/platform.hpp"
#include "sim/base/error.hpp"
#include "studies/study/outcome.hpp"
#include "studies/study/workload_choice.hpp"

namespace busline {

/// One sample on an idle network: simulated machines repeat themselves. `go_on` is polled from time to time;
/// if it returns false, the result is meaningless. Errors: ranks that do not fit, a machine with one node, or
/// what the model cannot run.
Expected<Outcome> run_benchmark(const BenchmarkChoice& choice, const Platform& platform,
                                const std::string& model, const std::function<bool()>& go_on);

}  // namespace busline
