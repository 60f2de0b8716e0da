// failing_writes: runs commands with another write that fails each time, because the disk is full or broken
// (docs/explanation/hardening.md).
//
//   failing_writes SOURCE_TREE
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>
#include <cerrno>
#include <cstdint>
#include <string>

#include "tests/fuzz/failing_runs.hpp"
#include "workloads/files/test_folder.hpp"

namespace {

std::uint64_t writes_left = 0;  // until one fails; 0: none does
bool all_others_fail = false;   // also those after it
int why = ENOSPC;

bool fails(int file) {
  if (file <= STDERR_FILENO || writes_left == 0 || --writes_left > 0) return false;
  busline::fuzz::tell_failed();
  if (all_others_fail) writes_left = 1;
  errno = why;
  return true;
}

}  // namespace

// In place of the C library's, for busline and for SQLite.
extern "C" ssize_t write(int file, const void* bytes, size_t count) {
  return fails(file) ? -1 : ::syscall(SYS_write, file, bytes, count);
}
extern "C" ssize_t pwrite64(int file, const void* bytes, size_t count, off64_t at) {
  return fails(file) ? -1 : ::syscall(SYS_pwrite64, file, bytes, count, at);
}
extern "C" ssize_t pwrite(int file, const void* bytes, size_t count, off_t at) {
  return pwrite64(file, bytes, count, at);
}
extern "C" int fsync(int file) {
  return fails(file) ? -1 : static_cast<int>(::syscall(SYS_fsync, file));
}
extern "C" int fdatasync(int file) {
  return fails(file) ? -1 : static_cast<int>(::syscall(SYS_fdatasync, file));
}
extern "C" int ftruncate64(int file, off64_t length) noexcept {
  return fails(file) ? -1 : static_cast<int>(::syscall(SYS_ftruncate, file, length));
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  using busline::fuzz::Output, busline::fuzz::try_command;
  const std::string source = argv[1];
  const auto platform = source + "/platforms/examples/emulated-100mbit.json";
  const auto trace = source + "/validation/golden/dimemas/cases/coll_Barrier/trace.dim";
  const auto dumpi = source + "/validation/golden/dumpi/traces/pingpong";
  const busline::TestFolder folder;
  bool good = true;
  for (const int error : {ENOSPC, EIO}) {
    why = error;
    const busline::fuzz::Failing a_write{.what = "write",
                                         .arm =
                                             [](std::uint64_t n, bool for_good) {
                                               writes_left = n;
                                               all_others_fail = for_good;
                                             },
                                         .every = 1};
    for (const auto* name : {"a.program", "a.ti", "a.meta"})
      good = try_command({"busline", "convert", dumpi, folder.file(name)}, a_write, folder.file(name),
                         Output::complete) &&
             good;
    good = try_command({"busline", "convert", trace, folder.file("a.dim")}, a_write, folder.file("a.dim"),
                       Output::complete) &&
           good;
    for (const auto* name : {"t.json", "t.prv", "t.paje"})
      good = try_command({"busline", "simulate", platform, trace, "--set", "/nodes/0/count=64", "--timeline",
                          folder.file(name)},
                         a_write, folder.file(name), Output::complete) &&
             good;
    const auto results = folder.file("r.sqlite");
    good = try_command(
               {"busline", "study", "run", "-j", "1", "--platform", platform, "--set", "/nodes/0/count=64",
                "--workload", trace, "--axis", "/network/buses=1,2,3", "-o", results},
               a_write, results, Output::resumable) &&
           good;
  }
  return good ? 0 : 1;
}
