// busline-ziaprobe: the program that ZiaTest launches. Exchanges its messages; rank 0 writes when each rank
// finished.
//
//     busline-ziaprobe BEGAN RANKS_PER_NODE seed|lanl REPORT
//
// BEGAN is the time of the launch in nanoseconds of CLOCK_REALTIME.
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <vector>

#include "measuring/mpi/call_list.hpp"
#include "measuring/mpi/executor.hpp"
#include "sim/program/program_builder.hpp"
#include "workloads/ziatest/pair_exchange.hpp"

namespace {

using namespace busline;

constexpr std::uint32_t kStamp = 1;
constexpr std::int64_t kNone = -1;

std::int64_t real_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

Program program_of(const ziatest::Exchange& exchange) {
  ProgramBuilder b(exchange.ranks());
  for (std::uint32_t rank = 0; rank < exchange.ranks(); ++rank) {
    b.begin_strand(rank);
    ziatest::emit_exchange(b, exchange, rank, {.meets_peer = {}, .stamps = [&b] { b.mark(kStamp); }});
  }
  return b.build();
}

int write_report(const char* path, const std::vector<std::int64_t>& stamps, std::int64_t began) {
  std::FILE* const file = std::fopen(path, "w");
  if (file == nullptr) {
    std::perror(path);
    return 1;
  }
  for (const auto stamp : stamps)
    if (stamp == kNone)
      std::fputs("-\n", file);
    else
      std::fprintf(file, "%lld\n", static_cast<long long>(stamp - began));
  return std::fclose(file) == 0 ? 0 : 1;
}

int run(int argc, char** argv) {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  constexpr int kArguments = 5;
  const auto per_node =
      argc == kArguments ? static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10)) : 0;
  if (per_node == 0 || static_cast<std::uint32_t>(ranks) % per_node != 0) {
    if (rank == 0)
      std::fprintf(stderr, "busline-ziaprobe: %d ranks are not a multiple of %u per node\n", ranks, per_node);
    return 1;
  }
  const ziatest::Exchange exchange{
      .variant = std::string_view(argv[3]) == "lanl" ? ziatest::Variant::lanl : ziatest::Variant::seed,
      .nodes = static_cast<std::uint32_t>(ranks) / per_node,
      .ranks_per_node = per_node};
  const auto program = program_of(exchange);
  const auto calls = mpi::call_list(program, static_cast<std::uint32_t>(rank));
  if (!calls) {
    std::fprintf(stderr, "busline-ziaprobe: %s\n", to_string(calls.error()).c_str());
    return 1;
  }
  // MPI_Wtime's origin is anything; the two clocks are read together once.
  const auto real = real_nanoseconds();
  const double wtime = MPI_Wtime();
  std::int64_t stamp = kNone;
  {
    mpi::Executor executor(MPI_COMM_WORLD);
    if (const auto ready = executor.prepare(*calls); !ready) {
      std::fprintf(stderr, "busline-ziaprobe: %s\n", to_string(ready.error()).c_str());
      return 1;
    }
    for (const auto& mark : executor.run(program, *calls, {}))
      stamp = real + static_cast<std::int64_t>((mark.seconds - wtime) * 1e9);
  }
  std::vector<std::int64_t> stamps(rank == 0 ? static_cast<std::size_t>(ranks) : 0);
  MPI_Gather(&stamp, 1, MPI_INT64_T, stamps.data(), 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  return rank == 0 ? write_report(argv[4], stamps, std::strtoll(argv[1], nullptr, 10)) : 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int exit = run(argc, argv);
  MPI_Bcast(&exit, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return exit;
}
