#include "measuring/harness/mpi_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

#include "documents/command_line/command.hpp"
#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/option_values.hpp"
#include "measuring/mpi/launcher.hpp"
#include "measuring/mpi/mpi_testbed.hpp"
#include "sim/base/quantity.hpp"

namespace busline::cli {
namespace {

class MpiSource final : public TestbedSource {
 public:
  explicit MpiSource(std::shared_ptr<bool> made) : made_(std::move(made)) {}

  // The job is mpirun's. A kind that launches its own jobs (with_job is false) has options for that.
  void add_options(CLI::App& command, bool with_job) override {
    launches_ = !with_job;
    if (!launches_) return;
    command
        .add_option("LAUNCH_COMMAND", launcher_.command,
                    "Command that starts the probe; {ranks}, {nodes} and {per_node} are replaced")
        ->type_name("")
        ->capture_default_str();
    command
        .add_option("--probe", launcher_.probe,
                    "Program to launch (default: busline-ziaprobe next to this program)")
        ->type_name("FILE")
        ->group("Machine");
    command
        .add_option("--probe-folder", launcher_.folder,
                    "Folder for its padded copy, visible to all nodes (default: here)")
        ->type_name("FOLDER")
        ->group("Machine");
    command.add_option("--launch-limit", launch_limit_, "Abort a launch that takes longer")
        ->type_name("TIME")
        ->capture_default_str()
        ->group("Machine");
  }

  Expected<std::unique_ptr<measure::Testbed>> make(const DefaultJob&, std::uint64_t,
                                                   const Invocation&) override {
    if (launches_) {
      const auto limit = parse_duration(launch_limit_);
      if (!limit || *limit <= Duration())
        return refuse_option("--launch-limit", fmt::format("'{}' leaves no time to launch", launch_limit_),
                             "such as 10min");
      launcher_.time_limit =
          std::chrono::milliseconds(std::max<std::int64_t>(limit->count() / 1'000'000'000, 1));
      if (launcher_.probe.empty()) {
        std::error_code unknown;
        launcher_.probe = std::filesystem::read_symlink("/proc/self/exe", unknown)
                              .replace_filename("busline-ziaprobe")
                              .string();
      }
      return std::make_unique<mpi::LauncherTestbed>(launcher_);
    }
    *made_ = true;
    return std::make_unique<mpi::MpiTestbed>();
  }

  std::string example(const std::string& kind, const std::string& arguments) const override {
    return kind == kLaunchingKind ? fmt::format("busline-measure {} {}", kind, arguments)
                                  : fmt::format("mpirun -n 64 busline-measure {} {}", kind, arguments);
  }

  // A newcomer's first run ends while one waits for it.
  std::string usual_budget() const override { return "10min"; }

  std::vector<std::string> inputs() const override { return {}; }

 private:
  std::shared_ptr<bool> made_;
  bool launches_ = false;
  mpi::LauncherOptions launcher_;
  std::string launch_limit_ = "10min";
};

}  // namespace

std::shared_ptr<TestbedSource> mpi_source(std::shared_ptr<bool> made) {
  return std::make_shared<MpiSource>(std::move(made));
}

}  // namespace busline::cli
