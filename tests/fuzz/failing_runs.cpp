#include "tests/fuzz/failing_runs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <system_error>

#include "cli/commands.hpp"
#include "cli/simulated_source.hpp"
#include "documents/command_line/program.hpp"
#include "workloads/files/test_folder.hpp"

namespace busline::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr int kDone = 0, kReadWriteFailed = 5;

// In memory that a process and those that it started see alike.
bool& has_failed() {
  static auto* const shared = static_cast<bool*>(
      ::mmap(nullptr, sizeof(bool), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  return *shared;
}

int run_command(std::vector<std::string> words, const std::function<void()>& arm) {
  static constexpr std::array<cli::AddCommand, 4> kCommands{cli::add_simulate, cli::add_convert,
                                                            cli::add_generate, cli::add_study};
  const cli::ProgramDescription description{
      .name = "busline", .description = "", .commands = kCommands, .testbeds = cli::simulated_source};
  std::vector<char*> argv;
  for (auto& w : words) argv.push_back(w.data());
  arm();
  return cli::run_program(description, static_cast<int>(argv.size()), argv.data());
}

// The status of waitpid.
int run_once(const std::vector<std::string>& command, const std::function<void()>& arm) {
  has_failed() = false;
  const auto child = ::fork();
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    std::_Exit(run_command(command, arm));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

// The fault of a run; empty if there is none. `undisturbed`: what `path` holds after a run in which nothing
// fails.
std::string fault_of(int status, const std::vector<std::string>& command, const fs::path& path, Output output,
                     const std::string& undisturbed) {
  if (!WIFEXITED(status)) return fmt::format("it was ended by signal {}", WTERMSIG(status));
  const int code = WEXITSTATUS(status);
  if (code != kDone && !(has_failed() && code == kReadWriteFailed))
    return fmt::format("its exit code is {}", code);
  if (code == kDone || path.empty()) return {};
  std::error_code none;
  if (output == Output::complete)
    return !fs::exists(path, none) || content_of(path) == undisturbed ? "" : "its output is incomplete";
  const auto again = run_once(command, [] {});
  return WIFEXITED(again) && WEXITSTATUS(again) == kDone ? "" : "the same command does not continue after it";
}

}  // namespace

void tell_failed() {
  has_failed() = true;
}

bool try_command(const std::vector<std::string>& command, const Failing& failing, const fs::path& path,
                 Output output) {
  std::uint64_t runs = 0, n = 1;
  std::string undisturbed;
  if (!path.empty() && output == Output::complete) {
    run_once(command, [] {});
    undisturbed = content_of(path);
    fs::remove(path);
  }
  for (bool failed = true; failed; n += failing.every > 0 ? failing.every : 1 + n / 50) {
    for (const bool for_good : {false, true}) {
      const auto status = run_once(command, [&] { failing.arm(n, for_good); });
      failed = has_failed();
      ++runs;
      const auto fault = fault_of(status, command, path, output, undisturbed);
      std::error_code none;
      if (!path.empty()) fs::remove(path, none);
      if (fault.empty()) continue;
      fmt::print("busline {}: {} {}{} fails: {}\n", fmt::join(command.begin() + 1, command.end(), " "),
                 failing.what, n, for_good ? ", and all after it," : "", fault);
      return false;
    }
  }
  fmt::print("busline {}: {} runs, fewer than {} {}s\n", command[1], runs, n, failing.what);
  return true;
}

}  // namespace busline::fuzz
