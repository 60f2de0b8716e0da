#include "measuring/runs/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <string_view>
#include <utility>

extern char** environ;

namespace busline::runs {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kGrace{5};

Error cannot_be(std::string_view done, std::string path, int why) {
  return file_error(Error::Kind::unreadable, std::move(path),
                    fmt::format("cannot be {}: {}", done, std::strerror(why)));
}

// A file for what a process prints.
class Output {
 public:
  explicit Output(const std::string& path)
      : descriptor_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)), failed_(errno) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  int descriptor() const { return descriptor_; }
  int failed() const { return descriptor_ >= 0 ? 0 : failed_; }

 private:
  int descriptor_, failed_;
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (auto& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

// The environment of this process with `added` in place of what has the same names.
std::vector<std::string> environment_with(const std::vector<Variable>& added) {
  std::vector<std::string> all;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view entry(*at);
    const auto name = entry.substr(0, entry.find('='));
    if (std::none_of(added.begin(), added.end(), [&](const Variable& v) { return v.name == name; }))
      all.emplace_back(entry);
  }
  for (const auto& v : added) all.push_back(v.name + "=" + v.value);
  return all;
}

Expected<pid_t> start(const ProcessOptions& options, const sigset_t& mask) {
  const Output output(options.output), errors(options.errors);
  if (output.failed() != 0) return tl::unexpected(cannot_be("written", options.output, output.failed()));
  if (errors.failed() != 0) return tl::unexpected(cannot_be("written", options.errors, errors.failed()));
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, output.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, errors.descriptor(), STDERR_FILENO);
  posix_spawnattr_t how;
  posix_spawnattr_init(&how);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&how, &mask);
  auto words = options.words, environment = environment_with(options.variables);
  pid_t child = 0;
  const int wrong = posix_spawnp(&child, words.front().c_str(), &files, &how, pointers(words).data(),
                                 pointers(environment).data());
  posix_spawnattr_destroy(&how);
  posix_spawn_file_actions_destroy(&files);
  if (wrong != 0) return tl::unexpected(cannot_be("started", words.front(), wrong));
  return child;
}

int exit_code_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// SIGCHLD stays pending while this lives, so that one can wait for it for a while.
class ChildSignal {
 public:
  ChildSignal() {
    sigemptyset(&child_);
    sigaddset(&child_, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &child_, &before_);
  }
  ChildSignal(const ChildSignal&) = delete;
  ChildSignal& operator=(const ChildSignal&) = delete;
  ~ChildSignal() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  /// Until a child has ended, another signal came, or 100 ms have passed.
  void wait() const {
    const timespec while_waiting{0, 100'000'000};
    sigtimedwait(&child_, nullptr, &while_waiting);
  }
  const sigset_t& before() const { return before_; }

 private:
  sigset_t child_{}, before_{};
};

}  // namespace

Expected<ProcessEnd> run_process(const ProcessOptions& options) {
  const ChildSignal signal;
  const auto began = Clock::now();
  const auto passed = [began] { return std::chrono::nanoseconds(Clock::now() - began); };
  const auto started = start(options, signal.before());
  if (!started) return tl::unexpected(started.error());
  const pid_t child = *started;
  ProcessEnd end;
  std::optional<Clock::time_point> told;  // to end
  int status = 0;
  for (;;) {
    const pid_t waited = waitpid(child, &status, WNOHANG);
    if (waited == child || (waited < 0 && errno != EINTR)) break;
    if (!told) {
      if (options.go_on && !options.go_on()) end.why = ProcessEnd::Why::interrupted;
      if (options.limit && passed().count() > options.limit->count() / 1000) end.why = ProcessEnd::Why::limit;
      if (end.why != ProcessEnd::Why::itself) {
        kill(-child, SIGTERM);
        told = Clock::now();
      }
    } else if (Clock::now() - *told > kGrace) {
      kill(-child, SIGKILL);
    }
    signal.wait();
  }
  end.wall = Duration::picoseconds(passed().count() * 1000);
  end.exit_code = exit_code_of(status);
  kill(-child, SIGKILL);
  return end;
}

}  // namespace busline::runs
