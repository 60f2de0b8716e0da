// out_of_memory: runs commands again and again, each time with another allocation that fails
// (docs/hardening.md).
//
//   out_of_memory SOURCE_TREE [--every N]
//
// Each run is a process of its own, which must end with 0, or with 5 and nothing under the name of its
// output. Early allocations fail one by one, later ones ever further apart, or every N-th.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/program/program.hpp"
#include "cli/simulated_source.hpp"
#include "validation/runs/test_folder.hpp"

namespace {

std::uint64_t allocations_left = 0;  // until one fails; 0: none does
bool all_others_fail = false;        // also those after it
bool* has_failed = nullptr;          // in memory that the process that started this one sees

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (allocations_left > 0 && --allocations_left == 0) {
    *has_failed = true;
    if (all_others_fail) allocations_left = 1;
    if (const auto handler = std::get_new_handler())
      handler();  // which throws, as the standard wants it to be asked
    throw std::bad_alloc();
  }
  const auto rounded = (bytes + alignment - 1) / alignment * alignment;
  void* const at =
      alignment > alignof(std::max_align_t) ? std::aligned_alloc(alignment, rounded) : std::malloc(bytes);
  if (at == nullptr && bytes > 0) throw std::bad_alloc();
  return at;
}

}  // namespace

void* operator new(std::size_t bytes) {
  return allocate(bytes == 0 ? 1 : bytes, 1);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* at) noexcept {
  std::free(at);
}
void operator delete(void* at, std::size_t) noexcept {
  std::free(at);
}
void operator delete(void* at, std::align_val_t) noexcept {
  std::free(at);
}
void operator delete(void* at, std::size_t, std::align_val_t) noexcept {
  std::free(at);
}

namespace {

using namespace busline;
namespace fs = std::filesystem;

constexpr const char* kPlatform = R"({
  "schema": "busline/platform/1", "name": "p",
  "nodes": [{"count": 4, "cpus": 1, "links": 1, "intra_node": {"latency": "1us", "bandwidth": "8 GB/s"}}],
  "network": {"latency": "10us", "bandwidth": "1 Gbps", "buses": 2}})";
constexpr int kDone = 0, kReadWriteFailed = 5;

int run_command(std::vector<std::string> words, std::uint64_t failing_allocation) {
  static constexpr std::array<cli::AddCommand, 4> kCommands{cli::add_simulate, cli::add_convert,
                                                            cli::add_generate, cli::add_study};
  const cli::ProgramDescription description{
      .name = "busline", .description = "", .commands = kCommands, .testbeds = cli::simulated_source};
  std::vector<char*> argv;
  for (auto& w : words) argv.push_back(w.data());
  allocations_left = failing_allocation;
  const int code = cli::run_program(description, static_cast<int>(argv.size()), argv.data());
  allocations_left = 0;
  return code;
}

// What became of a run whose n-th allocation fails.
struct Ending {
  bool failed = false;  // there was such an allocation
  int status = 0;       // of waitpid
};

Ending run_once(const std::vector<std::string>& command, std::uint64_t n, bool for_good) {
  *has_failed = false;
  const auto child = ::fork();
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    all_others_fail = for_good;
    std::_Exit(run_command(command, n));
  }
  Ending ending;
  ::waitpid(child, &ending.status, 0);
  ending.failed = *has_failed;
  return ending;
}

// What is wrong after a run; empty if nothing is. `output` is gone then.
std::string fault_of(const Ending& ending, const fs::path& output) {
  std::error_code none;
  const bool written = !output.empty() && fs::exists(output, none);
  if (written) fs::remove(output, none);
  if (!WIFEXITED(ending.status)) return fmt::format("it was ended by signal {}", WTERMSIG(ending.status));
  const int code = WEXITSTATUS(ending.status);
  if (code != kDone && !(ending.failed && code == kReadWriteFailed))
    return fmt::format("its exit code is {}", code);
  if (code != kDone && written) return "its output has the final name";
  return {};
}

bool try_command(const std::vector<std::string>& command, const fs::path& output, std::uint64_t every) {
  std::uint64_t runs = 0, n = 1;
  for (bool failed = true; failed; n += every > 0 ? every : 1 + n / 50) {
    for (const bool for_good : {false, true}) {
      const auto ending = run_once(command, n, for_good);
      failed = ending.failed;
      ++runs;
      if (const auto fault = fault_of(ending, output); !fault.empty()) {
        fmt::print("busline {}: allocation {}{} fails: {}\n",
                   fmt::join(command.begin() + 1, command.end(), " "), n,
                   for_good ? ", and all after it," : "", fault);
        return false;
      }
    }
  }
  fmt::print("busline {}: {} runs, fewer than {} allocations\n", command[1], runs, n);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 4) return 2;
  const std::string source = argv[1];
  const auto every = argc == 4 ? std::strtoull(argv[3], nullptr, 10) : 0;
  has_failed = static_cast<bool*>(
      ::mmap(nullptr, sizeof(bool), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const runs::TestFolder folder;
  folder.write("p.json", kPlatform);
  const auto platform = folder.file("p.json"), program = folder.file("a.program"),
             page = folder.file("t.json");
  const auto trace = source + "/validation/golden/dimemas/cases/coll_Barrier/trace.dim";
  const auto dumpi = source + "/validation/golden/dumpi/traces/pingpong";
  bool good = try_command({"busline", "simulate", platform, trace}, {}, every);
  good = try_command({"busline", "convert", trace, program}, program, every) && good;
  good = try_command({"busline", "convert", dumpi, program}, program, every) && good;
  good = try_command({"busline", "simulate", platform, trace, "--timeline", page}, page, every) && good;
  return good ? 0 : 1;
}
