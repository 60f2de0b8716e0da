#include "measuring/runs/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

extern char** environ;

namespace busline::runs {
namespace {

constexpr std::array<std::string_view, 11> kBeginnings{"OMP_",   "KMP_",       "GOMP_",   "OMPI_MCA_",
                                                       "MPICH_", "MPIR_CVAR_", "I_MPI_",  "UCX_",
                                                       "FI_",    "PSM2_",      "CLUSTER_"};
constexpr std::array<std::string_view, 8> kNames{
    "SLURM_JOB_ID",        "SLURM_JOB_PARTITION", "SLURM_JOB_NODELIST", "SLURM_NTASKS_PER_NODE",
    "SLURM_CPUS_PER_TASK", "SLURM_CPU_BIND",      "SLURM_HINT",         "LD_PRELOAD"};

bool matters(std::string_view name) {
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end() ||
         std::any_of(kBeginnings.begin(), kBeginnings.end(),
                     [name](std::string_view beginning) { return name.starts_with(beginning); });
}

std::string value_of(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::vector<Variable> environment_that_matters() {
  std::vector<Variable> all;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view entry(*at);
    const auto equals = entry.find('=');
    if (equals != entry.npos && matters(entry.substr(0, equals)))
      all.push_back({std::string(entry.substr(0, equals)), std::string(entry.substr(equals + 1))});
  }
  std::sort(all.begin(), all.end(), [](const Variable& a, const Variable& b) { return a.name < b.name; });
  return all;
}

std::string machine_name(const std::vector<std::string>& hosts) {
  if (const auto cluster = value_of("SLURM_CLUSTER_NAME"); !cluster.empty()) return cluster;
  return hosts.size() == 1 ? hosts.front() : "cluster";
}

std::string scheduler_job() {
  return value_of("SLURM_JOB_ID");
}

}  // namespace busline::runs
