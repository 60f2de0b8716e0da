#include "models/flow/worker.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "models/flow/result_bytes.hpp"

namespace busline {
namespace {

/// Closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  int get() const { return fd_; }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_;
};

bool send_all(int to, const void* data, std::size_t size) {
  const auto* at = static_cast<const char*>(data);
  while (size > 0) {
    const auto n = send(to, at, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

bool receive_all(int from, void* data, std::size_t size) {
  auto* at = static_cast<char*>(data);
  while (size > 0) {
    const auto n = recv(from, at, size, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

// Messages from the child: its progress, answered by whether to continue; and the result's size, followed by
// the result.
struct Word {
  enum class Kind : std::uint64_t { progress, result } kind;
  double share;
  std::uint64_t size;
};

[[noreturn]] void be_child(int parent, int output, pid_t parent_id, bool with_progress,
                           const std::function<Expected<Result>(const Progress&)>& job) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent_id) _exit(1);  // it ended early
  std::signal(SIGINT, SIG_IGN);          // the parent answers, through `progress`
  std::signal(SIGTERM, SIG_IGN);
  if (output >= 0) {
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
  }
  Progress progress;
  if (with_progress)
    progress = [parent](double share) {
      const Word word{Word::Kind::progress, share, 0};
      bool go_on = false;
      if (!send_all(parent, &word, sizeof word) || !receive_all(parent, &go_on, sizeof go_on)) _exit(1);
      return go_on;
    };
  const auto bytes = to_bytes(job(progress));
  const Word word{Word::Kind::result, 1, bytes.size()};
  const bool sent = send_all(parent, &word, sizeof word) && send_all(parent, bytes.data(), bytes.size());
  _exit(sent ? 0 : 1);  // the parent's objects are not flushed or destroyed here
}

std::string last_line(int file) {
  std::string text(4096, '\0');
  const auto size = lseek(file, 0, SEEK_END);
  const auto from = std::max<off_t>(0, size - static_cast<off_t>(text.size()));
  const auto n = pread(file, text.data(), text.size(), from);
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  while (text.ends_with('\n')) text.pop_back();
  const auto newline = text.rfind('\n');
  return newline == std::string::npos ? text : text.substr(newline + 1);
}

tl::unexpected<Error> no_worker(const char* what) {
  Error e;
  e.kind = Error::Kind::unreadable;
  e.message = fmt::format("cannot start a process for the flow model: {}: {}", what, std::strerror(errno));
  return tl::unexpected(std::move(e));
}

tl::unexpected<Error> ended_early(int status, const std::string& last) {
  Error e;
  e.kind = Error::Kind::unsupported;
  e.message = WIFSIGNALED(status)
                  ? fmt::format("the flow model's process ended by signal {}", WTERMSIG(status))
                  : fmt::format("the flow model's process ended with exit code {}", WEXITSTATUS(status));
  if (!last.empty()) e.message += "; its last line was: " + last;
  return tl::unexpected(std::move(e));
}

/// The result's bytes, or an empty text if the child ends early.
std::string listen(int child, const Progress& progress) {
  for (Word word{}; receive_all(child, &word, sizeof word);) {
    if (word.kind == Word::Kind::progress) {
      const bool go_on = progress(word.share);
      if (!send_all(child, &go_on, sizeof go_on)) break;
      continue;
    }
    std::string bytes(word.size, '\0');
    return receive_all(child, bytes.data(), bytes.size()) ? bytes : std::string();
  }
  return {};
}

/// Waits for the child at the end in any case, and kills it if it is still running.
class Child {
 public:
  explicit Child(pid_t id) : id_(id) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (id_ <= 0) return;
    kill(id_, SIGKILL);
    wait();
  }
  int wait() {
    int status = 0;
    while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    id_ = 0;
    return status;
  }

 private:
  pid_t id_;
};

}  // namespace

Expected<Result> run_in_worker(const std::function<Expected<Result>(const Progress&)>& job,
                               const Progress& progress) {
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return no_worker("socketpair");
  Descriptor ours(ends[0]), theirs(ends[1]);
  const Descriptor output(memfd_create("busline-flow", MFD_CLOEXEC));  // without it the output is visible
  const auto self = getpid();
  std::fflush(nullptr);  // so that the child does not write the parent's buffered output
  const auto id = fork();
  if (id < 0) return no_worker("fork");
  if (id == 0) {
    ours.close();
    be_child(theirs.get(), output.get(), self, static_cast<bool>(progress), job);
  }
  Child child(id);
  theirs.close();
  const auto bytes = listen(ours.get(), progress);
  ours.close();
  const auto status = child.wait();
  return bytes.empty() ? ended_early(status, last_line(output.get())) : from_bytes(bytes);
}

}  // namespace busline
