// what_if PLATFORM WORKLOAD PLACE VALUE...: the run time in picoseconds for each value at a place of the
// platform, as in what_if cluster.json trace.dim /network/buses 4 2 1. How to use Busline as a library
// (docs/how-to/library.md).
#include <future>
#include <iostream>
#include <string>
#include <vector>

#include "models/simulate.hpp"
#include "platforms/load_platform.hpp"
#include "platforms/mapping.hpp"
#include "workloads/load_workload.hpp"

namespace {

// The Program is only read, so that any number of threads may simulate it at once.
busline::Expected<busline::Result> predict(const busline::Program& program, const std::string& platform_file,
                                           const std::string& set) {
  busline::Diagnostics warnings;  // which this program does not print
  busline::LoadOptions options;
  options.sets = {set};
  const auto platform = busline::load_platform(platform_file, options, warnings);
  if (!platform) return tl::unexpected(platform.error());
  const auto machine = busline::place_ranks(*platform, program.ranks());
  if (!machine) return tl::unexpected(machine.error());
  return busline::simulate(program, *platform, *machine);
}

int fail(const busline::Error& error) {
  std::cerr << to_string(error) << '\n';
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 4) {
    std::cerr << "usage: what_if PLATFORM WORKLOAD PLACE VALUE...\n";
    return 2;
  }
  const auto& platform = arguments[0];
  busline::Diagnostics warnings;
  const auto workload = busline::load_workload(arguments[1], {}, warnings);
  if (!workload) return fail(workload.error());

  std::vector<std::future<busline::Expected<busline::Result>>> runs;
  for (auto value = arguments.begin() + 3; value != arguments.end(); ++value)
    runs.push_back(std::async(std::launch::async, [&workload, &platform, set = arguments[2] + "=" + *value] {
      return predict(workload->program, platform, set);
    }));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto result = runs[i].get();
    if (!result) return fail(result.error());
    std::cout << arguments[3 + i] << ' ';
    if (result->status == busline::Result::Status::complete)
      std::cout << result->run_time.count() << '\n';
    else
      std::cout << "cannot complete: " << result->blocked.size() << " ranks wait for ever\n";
  }
  return 0;
}
