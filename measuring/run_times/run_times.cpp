#include "measuring/run_times/run_times.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "measuring/tracer/mpi.hpp"
#include "measuring/tracer/program_check.hpp"

const char* const busline::tracer::kLibraryName = "libbusline-times";

namespace busline::record {
namespace {

// What each rank sends to rank 0.
struct RankReport {
  std::array<char, MPI_MAX_PROCESSOR_NAME> host{};
  std::int64_t nanoseconds = 0;
  std::int32_t core = -1, cores = 0;  // where it is, and on how many it may be
  bool made_from = false, made_to = false;
  KernelCounts counts;
};

std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  PMPI_Get_library_version(text.data(), &length);
  const std::string_view all(text.data());
  return std::string(all.substr(0, all.find('\n')));
}

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(std::min(line.find(':') + 2, line.size()));
  return {};
}

// As a JSON text.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) out += c;
  }
  return out + '"';
}

std::string document(const std::vector<RankReport>& ranks) {
  std::string text = "{\"schema\": \"busline/run-times/1\", \"mpi\": " + quoted(library_version()) +
                     ", \"cpu_model\": " + quoted(cpu_model()) +
                     ", \"cpus\": " + std::to_string(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN))) +
                     ",\n \"ranks\": [";
  const char* between = "\n  ";
  for (const auto& r : ranks) {
    text.append(between).append("{\"host\": ").append(quoted(r.host.data()));
    if (r.core >= 0) text.append(", \"core\": ").append(std::to_string(r.core));
    text.append(", \"cores\": ").append(std::to_string(r.cores));
    text.append(", \"time_ps\": ").append(std::to_string(r.nanoseconds * 1000));
    const auto add = [&text](const char* name, std::int64_t value, std::int64_t unit) {
      if (value >= 0) text.append(", \"").append(name).append("\": ").append(std::to_string(value * unit));
    };
    add("cpu_wait_ps", r.counts.waited, 1000);
    add("throttled_ps", r.counts.throttled, 1000);
    add("preempted", r.counts.preempted, 1);
    text.append(", \"made_from\": ").append(r.made_from ? "true" : "false");
    text.append(", \"made_to\": ").append(r.made_to ? "true}" : "false}");
    between = ",\n  ";
  }
  return text + "]}\n";
}

// Invisible until it is complete.
bool write(const std::string& path, const std::string& text) {
  const auto part = path + ".part";
  std::ofstream file(part, std::ios::binary);
  file << text;
  file.close();
  return file && std::rename(part.c_str(), path.c_str()) == 0;
}

void complain(int rank, const std::string& what) {
  if (rank == 0) std::fprintf(stderr, "%s: %s; the run is not timed\n", tracer::kLibraryName, what.c_str());
}

}  // namespace

std::int64_t now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

RunTimes& RunTimes::of_process() {
  static constinit RunTimes times;
  return times;
}

void RunTimes::start() {
  tracer::note_program_seen();
  const char* const file = std::getenv("BUSLINE_TIMES_FILE");
  if (file == nullptr) return;
  MPI_Comm parent = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) return;  // spawned: another job than the one that is timed
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto set = [rank](Border& border, bool& named, const char* variable) {
    const char* const text = std::getenv(variable);
    named = text != nullptr;
    if (!named || border.set(text)) return true;
    complain(rank, std::string(variable) + "=" + text +
                       ": expected a call that can be timed, such as MPI_Barrier:1");
    return false;
  };
  if (!set(from_, named_from_, "BUSLINE_TIMES_FROM") || !set(to_, named_to_, "BUSLINE_TIMES_TO")) return;
  counts_ = kernel_counts();
  PMPI_Barrier(MPI_COMM_WORLD);
  began_ = now();
  file_ = file;
}

void RunTimes::finish(std::int64_t moment) {
  if (file_ == nullptr) return;
  const auto from = from_.found(), to = to_.found();
  RankReport mine{.nanoseconds = std::max<std::int64_t>(to.value_or(moment) - from.value_or(began_), 0),
                  .core = sched_getcpu(),
                  .made_from = from.has_value() || !named_from_,
                  .made_to = to.has_value() || !named_to_,
                  .counts = counts_since(counts_)};
  int length = 0, rank = 0, ranks = 0;
  PMPI_Get_processor_name(mine.host.data(), &length);
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) mine.cores = CPU_COUNT(&allowed);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<RankReport> all(rank == 0 ? static_cast<std::size_t>(ranks) : 0);
  PMPI_Gather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (rank == 0 && !write(file_, document(all)))
    complain(rank, std::string(file_) + ": " + std::strerror(errno));
}

}  // namespace busline::record
