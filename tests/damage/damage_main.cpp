// dumpi_damage: reads every systematically damaged copy of DUMPI traces (docs/reference/dumpi.md, "Damaged
// files").
//
//   dumpi_damage [--every N] [--from K] [--to K] TRACE_FOLDER...
//
// Copies are numbered through all rank files of all traces. A child process reads them, one after the other;
// this one watches: a crash, a hang or a fault names the copy, which `--from K --to K+1` makes again.
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "tests/damage/damage.hpp"
#include "tests/damage/damaged_job.hpp"

namespace {

using namespace busline;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr auto kLongestRead = std::chrono::seconds(60);  // of one copy; a machine may be busy
constexpr auto kTellEvery = std::chrono::seconds(10);
constexpr std::uint64_t kMostKilobytes = 64 * 1024;  // of memory, and
constexpr std::uint64_t kMostOfFile = 10;            // times the largest file
#ifdef BUSLINE_SANITIZED
constexpr bool kMemoryIsOurs = false;
#else
constexpr bool kMemoryIsOurs = true;
#endif

struct Options {
  std::uint64_t every = 1, from = 0;
  std::optional<std::uint64_t> to;
  std::vector<fs::path> folders;
};

// A rank's file, and where its copies begin.
struct Victim {
  std::size_t trace = 0;
  std::uint32_t rank = 0;
  fs::path path;
  SystematicDamage damage;
  std::uint64_t first = 0;
};

struct Traces {
  std::vector<DamagedJob> jobs;
  std::vector<Victim> victims;
  std::uint64_t copies = 0, bytes = 0, largest = 0;

  const Victim& victim_of(std::uint64_t copy) const {
    const auto after = std::upper_bound(victims.begin(), victims.end(), copy,
                                        [](std::uint64_t n, const Victim& v) { return n < v.first; });
    return *(after - 1);
  }
};

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void add(Traces& traces, const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code none;  // what is not a folder holds no files
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (entry.path().extension() == ".bin") paths.push_back(entry.path());
  if (paths.empty()) return;
  std::sort(paths.begin(), paths.end());
  std::vector<std::optional<std::string>> files;
  for (const auto& path : paths) {
    auto bytes = content(path);
    SystematicDamage damage(bytes, length_fields(bytes));
    const auto first = traces.copies;
    traces.copies += damage.copies();
    traces.bytes += bytes.size();
    traces.largest = std::max(traces.largest, std::uint64_t{bytes.size()});
    if (damage.copies() > 0)
      traces.victims.push_back(
          {traces.jobs.size(), static_cast<std::uint32_t>(files.size()), path, std::move(damage), first});
    files.emplace_back(std::move(bytes));
  }
  traces.jobs.emplace_back(std::move(files));
  traces.jobs.back().learn_whole();
}

// Bytes that end at a page which cannot be read, so that a look beyond them is a crash without sanitizers,
// too.
class GuardedBytes {
 public:
  explicit GuardedBytes(std::size_t most) : page_(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))) {
    room_ = (most / page_ + 1) * page_;
    void* const at =
        ::mmap(nullptr, room_ + page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED || ::mprotect(static_cast<char*>(at) + room_, page_, PROT_NONE) != 0)
      throw std::bad_alloc();
    memory_ = static_cast<char*>(at);
  }
  GuardedBytes(const GuardedBytes&) = delete;
  GuardedBytes& operator=(const GuardedBytes&) = delete;
  ~GuardedBytes() { ::munmap(memory_, room_ + page_); }

  std::string_view hold(std::string_view bytes) {
    char* const at = memory_ + room_ - bytes.size();
    std::memcpy(at, bytes.data(), bytes.size());
    return {at, bytes.size()};
  }

 private:
  std::size_t page_, room_ = 0;
  char* memory_ = nullptr;
};

// The child's report, in shared memory.
struct Shared {
  std::atomic<std::uint64_t> copy{0}, done{0}, bytes{0};
  std::array<std::atomic<std::uint64_t>, 4> outcomes{};
  std::array<char, 1024> fault{};
};

[[noreturn]] void read_all(const Traces& traces, const Options& options, Shared& shared) {
  GuardedBytes guarded(static_cast<std::size_t>(traces.largest));
  for (auto n = options.from; n < *options.to; n += options.every) {
    shared.copy = n;
    const auto& victim = traces.victim_of(n);
    const auto copy = victim.damage.copy(n - victim.first);
    const auto reading = traces.jobs[victim.trace].read(victim.rank, guarded.hold(copy.bytes));
    if (!reading.fault.empty()) {
      reading.fault.copy(shared.fault.data(), shared.fault.size() - 1);
      std::_Exit(EXIT_FAILURE);
    }
    ++shared.outcomes[static_cast<std::size_t>(reading.outcome)];
    shared.bytes += copy.bytes.size();
    ++shared.done;
  }
  std::_Exit(EXIT_SUCCESS);
}

int report_failure(const Traces& traces, const Shared& shared, std::string_view what) {
  const std::uint64_t n = shared.copy;
  const auto& victim = traces.victim_of(n);
  fmt::print(stderr, "{}\n  copy {} of {}: {}\n  repeat it with --from {} --to {}\n", what, n,
             victim.path.string(), victim.damage.copy(n - victim.first).what, n, n + 1);
  return EXIT_FAILURE;
}

void report(const Traces& traces, const Shared& shared, std::chrono::duration<double> time,
            const rusage& usage) {
  const auto count = [&](DamagedJob::Outcome o) {
    return shared.outcomes[static_cast<std::size_t>(o)].load();
  };
  fmt::print("{} rank files of {} traces, {} bytes\n", traces.victims.size(), traces.jobs.size(),
             traces.bytes);
  fmt::print("{} damaged copies, {:.2f} GB, of {} in all\n", shared.done.load(),
             static_cast<double>(shared.bytes.load()) * 1e-9, traces.copies);
  fmt::print("  refused with an error            {}\n", count(DamagedJob::Outcome::refused));
  fmt::print("  read with a warning              {}\n", count(DamagedJob::Outcome::warned));
  fmt::print("  read as the same program         {}\n", count(DamagedJob::Outcome::same));
  fmt::print("  read as another one, not noticed {}\n", count(DamagedJob::Outcome::other));
  fmt::print("{:.0f} s, of which {} s on a CPU; {} MB of memory at most\n", time.count(),
             usage.ru_utime.tv_sec + usage.ru_stime.tv_sec, usage.ru_maxrss / 1024);
}

int watch(const Traces& traces, const Options& options) {
  void* const memory =
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  auto& shared = *new (memory) Shared;
  const auto start = Clock::now();
  const auto child = ::fork();
  if (child < 0) throw std::bad_alloc();
  if (child == 0) read_all(traces, options, shared);

  auto told = start, moved = start;
  std::uint64_t last = 0;
  int status = 0;
  rusage usage{};
  while (::wait4(child, &status, WNOHANG, &usage) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const auto now = Clock::now();
    if (shared.done != last) moved = now;
    last = shared.done;
    if (now - moved > kLongestRead) {
      ::kill(child, SIGKILL);
      ::wait4(child, &status, 0, &usage);
      return report_failure(traces, shared, "the reader hangs");
    }
    if (now - told < kTellEvery) continue;
    told = now;
    fmt::print(stderr, "copy {} of {}, {:.0f} a second\n", shared.copy.load(), traces.copies,
               static_cast<double>(last) / std::chrono::duration<double>(now - start).count());
  }
  if (WIFSIGNALED(status))
    return report_failure(traces, shared, fmt::format("the reader was ended by signal {}", WTERMSIG(status)));
  if (shared.fault[0] != '\0') return report_failure(traces, shared, shared.fault.data());
  if (WEXITSTATUS(status) != EXIT_SUCCESS) return report_failure(traces, shared, "the reader crashed");
  report(traces, shared, Clock::now() - start, usage);
  if (!kMemoryIsOurs) return EXIT_SUCCESS;
  const auto most = kMostKilobytes + kMostOfFile * traces.largest / 1024;
  if (static_cast<std::uint64_t>(usage.ru_maxrss) <= most) return EXIT_SUCCESS;
  fmt::print(stderr, "{} kB of memory, expected {} at most\n", usage.ru_maxrss, most);
  return EXIT_FAILURE;
}

std::optional<Options> parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (!argument.starts_with("--")) {
      options.folders.emplace_back(argument);
      continue;
    }
    if (i + 1 == argc) return std::nullopt;
    const auto value = std::strtoull(argv[++i], nullptr, 10);
    if (argument == "--every" && value > 0)
      options.every = value;
    else if (argument == "--from")
      options.from = value;
    else if (argument == "--to")
      options.to = value;
    else
      return std::nullopt;
  }
  if (options.folders.empty()) return std::nullopt;
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  auto options = parse(argc, argv);
  if (!options) {
    fmt::print(stderr, "dumpi_damage [--every N] [--from K] [--to K] TRACE_FOLDER...\n");
    return EXIT_FAILURE;
  }
  Traces traces;
  for (const auto& folder : options->folders) add(traces, folder);
  if (traces.victims.empty()) {
    fmt::print(stderr, "no DUMPI files in these folders\n");
    return EXIT_FAILURE;
  }
  options->to = std::min(options->to.value_or(traces.copies), traces.copies);
  return watch(traces, *options);
}
