// out_of_memory: runs commands with another allocation that fails each time (docs/explanation/hardening.md).
//
//   out_of_memory SOURCE_TREE [--every N]
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>

#include "tests/fuzz/failing_runs.hpp"
#include "workloads/files/test_folder.hpp"

namespace {

std::uint64_t allocations_left = 0;  // until one fails; 0: none does
bool all_others_fail = false;        // also those after it

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (allocations_left > 0 && --allocations_left == 0) {
    busline::fuzz::tell_failed();
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

constexpr const char* kPlatform = R"({
  "schema": "busline/platform/1", "name": "p",
  "nodes": [{"count": 4, "cpus": 1, "links": 1, "intra_node": {"latency": "1us", "bandwidth": "8 GB/s"}}],
  "network": {"latency": "10us", "bandwidth": "1 Gbps", "buses": 2}})";

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 4) return 2;
  using busline::fuzz::Output, busline::fuzz::try_command;
  const std::string source = argv[1];
  const busline::fuzz::Failing allocation{.what = "allocation",
                                          .arm =
                                              [](std::uint64_t n, bool for_good) {
                                                allocations_left = n;
                                                all_others_fail = for_good;
                                              },
                                          .every = argc == 4 ? std::strtoull(argv[3], nullptr, 10) : 0};
  const busline::TestFolder folder;
  folder.write("p.json", kPlatform);
  const auto platform = folder.file("p.json"), program = folder.file("a.program"),
             page = folder.file("t.json");
  const auto trace = source + "/validation/golden/dimemas/cases/coll_Barrier/trace.dim";
  const auto dumpi = source + "/validation/golden/dumpi/traces/pingpong";
  bool good = try_command({"busline", "simulate", platform, trace}, allocation, {}, Output::complete);
  good = try_command({"busline", "convert", trace, program}, allocation, program, Output::complete) && good;
  good = try_command({"busline", "convert", dumpi, program}, allocation, program, Output::complete) && good;
  good = try_command({"busline", "simulate", platform, trace, "--timeline", page}, allocation, page,
                     Output::complete) &&
         good;
  return good ? 0 : 1;
}
