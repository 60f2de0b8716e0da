// predict PLATFORM WORKLOAD: the run time in picoseconds. How to use Busline as a library.
#include <iostream>

#include "models/simulate.hpp"
#include "platforms/load_platform.hpp"
#include "platforms/mapping.hpp"
#include "workloads/load_workload.hpp"

namespace {

busline::Expected<busline::Result> predict(const char* platform_file, const char* workload_file) {
  busline::Diagnostics diagnostics;  // warnings, which this program does not print
  const auto platform = busline::load_platform(platform_file, diagnostics);
  if (!platform) return tl::unexpected(platform.error());
  const auto workload = busline::load_workload(workload_file, {}, diagnostics);
  if (!workload) return tl::unexpected(workload.error());
  const auto machine = busline::place_ranks(*platform, workload->program.ranks());
  if (!machine) return tl::unexpected(machine.error());
  return busline::simulate(workload->program, *platform, *machine);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto result = predict(argv[1], argv[2]);
  if (!result) {
    std::cerr << to_string(result.error()) << '\n';
    return 3;
  }
  std::cout << result->run_time.count() << '\n';
  return 0;
}
