// The workload of a study's point, as its document names it: a trace, a generated Program, or a benchmark
// whose result is wanted.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "documents/fields/document.hpp"
#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "workloads/load_workload.hpp"

namespace busline {

struct TraceChoice {
  std::string path;
  WorkloadOptions options;
  bool operator==(const TraceChoice&) const = default;
};
struct GeneratedChoice {
  std::string generator;
  std::map<std::string, std::string> parameters;  ///< as given
  bool operator==(const GeneratedChoice&) const = default;
};
struct BenchmarkChoice {
  enum class Kind : std::uint8_t {
    latency,    ///< half a round trip of `size` between ranks on two nodes
    bisection,  ///< bytes per second between the two halves of the ranks, both ways
    launch,     ///< from the launch of a job until its first messages have arrived (ZiaTest)
  };
  Kind kind = Kind::latency;
  std::optional<Bytes> size;         ///< of a message; default: 1 B of latency, 1 MiB of bisection
  std::uint32_t ranks = 0;           ///< bisection: of the job; 0: one for each node
  std::uint32_t nodes = 0;           ///< launch; 0: all
  std::uint32_t ranks_per_node = 1;  ///< launch
  bool operator==(const BenchmarkChoice&) const = default;
};
using WorkloadChoice = std::variant<TraceChoice, GeneratedChoice, BenchmarkChoice>;

/// Reads the workload of a case; `folder` is what its path is relative to. Errors name the place in
/// `document`.
Expected<WorkloadChoice> read_workload_choice(const Document& document, const std::string& folder);

/// "halo", "lulesh-64", "latency".
std::string name_of(const WorkloadChoice& choice);

}  // namespace busline
