#include "measuring/mpi/launcher.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "sim/base/text_parts.hpp"

extern char** environ;

namespace busline::mpi {
namespace {

namespace fs = std::filesystem;

std::int64_t real_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// From the surrounding resource manager; 0: none, so the number is not known.
std::uint32_t nodes_there() {
  if (const char* text = std::getenv("SLURM_JOB_NUM_NODES"); text != nullptr) {
    std::uint32_t n = 0;
    const auto* end = text + std::strlen(text);
    if (std::from_chars(text, end, n).ptr == end && n > 0) return n;
  }
  for (const char* name : {"OMPI_MCA_hostfile", "OMPI_MCA_orte_default_hostfile", "PBS_NODEFILE"}) {
    const char* path = std::getenv(name);
    if (path == nullptr) continue;
    std::ifstream file(path);
    std::uint32_t lines = 0;
    for (std::string line; std::getline(file, line);) lines += !line.empty() && line.front() != '#' ? 1U : 0U;
    if (lines > 0) return lines;
  }
  return 0;
}

// The program padded with unused bytes to the given size.
Expected<std::string> padded_probe(const LauncherOptions& options, Bytes image) {
  const auto path =
      fs::absolute(fs::path(options.folder) / fmt::format("busline-ziaprobe-{}", count(image))).string();
  std::error_code failed;
  if (fs::file_size(path, failed) == count(image) && !failed) return path;
  fs::copy_file(options.probe, path, fs::copy_options::overwrite_existing, failed);
  if (failed)
    return refuse_file(Error::Kind::unreadable, path,
                       fmt::format("{} cannot be copied: {}", options.probe, failed.message()),
                       "set --probe-folder to a folder that all nodes see");
  const auto size = fs::file_size(path);
  std::ofstream file(path, std::ios::binary | std::ios::app);
  const std::string block(1U << 20U, '\x5a');  // not zeros, which file systems do not keep
  for (auto at = size; file && at < count(image); at += block.size())
    file.write(block.data(),
               static_cast<std::streamsize>(std::min<std::uint64_t>(block.size(), count(image) - at)));
  file.close();
  if (!file) return refuse_file(Error::Kind::unreadable, path, "cannot be written");
  return path;
}

// The child's status; nothing: it did not end in time.
std::optional<int> wait_for(pid_t child, std::chrono::milliseconds time_limit) {
  constexpr std::chrono::milliseconds kPause(10);  // the times that count are the probe's own
  const auto end = std::chrono::steady_clock::now() + time_limit;
  for (int status = 0;; std::this_thread::sleep_for(kPause)) {
    if (waitpid(child, &status, WNOHANG) == child) return status;
    if (std::chrono::steady_clock::now() >= end) return std::nullopt;
  }
}

// Launchers that are asked to end take their ranks with them.
void end_process(pid_t child) {
  ::kill(child, SIGTERM);
  if (wait_for(child, std::chrono::seconds(10))) return;
  ::kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

// Its standard output goes to standard error, since ours has the results.
Expected<int> run_and_wait(const std::vector<std::string>& words, std::chrono::milliseconds time_limit) {
  std::vector<char*> arguments;
  for (const auto& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  pid_t child = 0;
  const int wrong = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (wrong != 0)
    return refuse_file(Error::Kind::unreadable, words.front(),
                       fmt::format("cannot be started: {}", std::strerror(wrong)),
                       "the launch command is the second argument");
  if (const auto status = wait_for(child, time_limit)) return *status;
  end_process(child);
  return refuse_file(Error::Kind::unsupported, words.front(),
                     fmt::format("did not finish within {} s and was aborted",
                                 static_cast<double>(time_limit.count()) / 1000),
                     "allow more time with --launch-limit");
}

}  // namespace

std::vector<std::string> launch_words(const std::string& command, const ziatest::LaunchJob& job) {
  std::vector<std::string> words;
  std::string word;
  for (std::size_t i = 0; i <= command.size(); ++i) {
    if (i < command.size() && command[i] != ' ') {
      word += command[i];
      continue;
    }
    if (!word.empty()) words.push_back(std::exchange(word, {}));
  }
  const auto& exchange = job.exchange;
  for (auto& w : words)
    for (const auto& [name, value] : {std::pair{"{ranks}", exchange.ranks()},
                                      {"{nodes}", exchange.nodes},
                                      {"{per_node}", exchange.ranks_per_node}})
      if (const auto at = w.find(name); at != w.npos) w.replace(at, std::strlen(name), std::to_string(value));
  return words;
}

LauncherTestbed::LauncherTestbed(LauncherOptions options) : options_(std::move(options)) {
  const auto nodes = nodes_there();
  for (std::uint32_t i = 0; i < nodes; ++i) machine_.nodes.push_back(fmt::format("node{:04}", i));
  machine_.name = "cluster";
  if (const char* id = std::getenv("SLURM_JOB_ID"); id != nullptr) machine_.scheduler_job = id;
}

measure::MeasuringClock LauncherTestbed::clock() const {
  return {"clock_gettime", Duration::picoseconds(1000), Duration()};
}

Expected<measure::KernelSamples> LauncherTestbed::run(const Kernel& kernel, const measure::RunPlan&) {
  return refuse_file(Error::Kind::unsupported, {},
                     fmt::format("{} needs ranks: run it with mpirun", kernel.operation));
}

Expected<ziatest::LaunchTimes> LauncherTestbed::launch(const ziatest::LaunchJob& job) {
  const auto probe = padded_probe(options_, job.image);
  if (!probe) return tl::unexpected(probe.error());
  auto words = launch_words(options_.command, job);
  if (words.empty()) return refuse_file(Error::Kind::bad_option, {}, "the launch command is empty");
  const auto report = fmt::format("{}.report-{}", *probe, ::getpid());
  const auto began = real_nanoseconds();
  for (auto& argument :
       {*probe, std::to_string(began), std::to_string(job.exchange.ranks_per_node),
        std::string(job.exchange.variant == ziatest::Variant::lanl ? "lanl" : "seed"), report})
    words.push_back(argument);
  const auto status = run_and_wait(words, options_.time_limit);
  std::error_code gone;
  if (!status) {
    fs::remove(report, gone);
    return tl::unexpected(status.error());
  }
  if (*status != 0) {
    fs::remove(report, gone);
    return refuse_file(Error::Kind::unsupported, words.front(),
                       WIFEXITED(*status) ? fmt::format("ended with status {}", WEXITSTATUS(*status))
                                          : fmt::format("was terminated by signal {}", WTERMSIG(*status)),
                       "its messages are above");
  }
  auto times = read_probe_report(report, job.exchange.ranks());
  fs::remove(report, gone);
  return times;
}

Expected<ziatest::LaunchTimes> read_probe_report(const std::string& path, std::uint32_t ranks) {
  std::ifstream file(path);
  if (!file) return refuse_file(Error::Kind::unsupported, path, "was not written: rank 0 did not finish");
  ziatest::LaunchTimes times;
  for (std::string line; std::getline(file, line);) {
    std::int64_t nanoseconds = 0;
    const auto* end = line.data() + line.size();
    if (line == "-")
      times.stamps.emplace_back();
    else if (std::from_chars(line.data(), end, nanoseconds).ptr == end)
      times.stamps.emplace_back(Duration::picoseconds(nanoseconds) * 1000);
    else
      return refuse_file(Error::Kind::bad_input, path,
                         fmt::format("line {} is not a time", times.stamps.size() + 1));
  }
  if (times.stamps.size() != ranks)
    return refuse_file(
        Error::Kind::unsupported, path,
        fmt::format("launched {}, but expected {}", counted(times.stamps.size(), "rank"), ranks),
        "the launch command sets the number of ranks: use {ranks}, {nodes} and {per_node} in it");
  return times;
}

}  // namespace busline::mpi
