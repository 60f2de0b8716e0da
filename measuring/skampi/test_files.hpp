// Files of SKaMPI for tests: a parameter file with all sections and keys, and results that we write.
#pragma once
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "measuring/measurement/measurement_json.hpp"
#include "measuring/skampi/result_file.hpp"
#include "measuring/skampi/result_writer.hpp"

namespace busline::skampi {

// The block that the SKaLib manual adds in 6.2, between sections of all kinds.
inline constexpr std::string_view kParameterFile = R"(What stands before the first section is a comment.
@USER R. Reussner
  Karlsruhe
@MACHINE two racks
@MEMORY 1024   # KiB
@MAXSTEPSDEFAULT 30
@max_rep_default 100
@MINREP 8
@STANDARDERRORDEFAULT 5%
@TIMESUITEDEFAULT 1.5
@CUTQUANTILEDEFAULT 0.1
@ABSOLUTE yes
@POSTPROC no
@OUTFILE my results.out
@MEASUREMENTS
MPI_Send
{
  Type = 50;
  Variation = Length;
  Scale = Dynamic_log;
  Max_Repetition = Default_Value;
  Min_Repetition = Default_Value;
  Multiple_of = Default_Value;
  Time_Measurement = Default_Value;
  Time_Suite = Default_Value;
  Node_Times = yes;
  Cut_Quantile = Default_Value;
  Default_Chunks = 0;
  Default_Message_length = 256;
  Start_Argument = 0;
  End_Argument = Max_Value;
  Stepwidth = 1.414213562;
  Max_Steps = Default_Value;
  Min_Distance = 2;
  Max_Distance = 512;
  Standard_error = Default_Value;
}
@COMMENT more
@MEASUREMENTS   # a second list
Gather-nodes { Operation = MPI_Gather ; VARIATION=Nodes; // over processes
  End_Argument=16;Standard_error=0.02;Time_Suite=Invalid_Value;max_steps=5; }
)";

// What other parts of the program do with a measurement: it can be written, and read again.
inline void check_is_document(const ResultFile& file) {
  const auto measurement = to_measurement(file);
  const auto again = measure::parse_measurement(measure::to_json_text(measurement), "x.json");
  if (!again) FAIL(to_string(again.error()));
  CHECK(*again == measurement);
}

// Two suites as a simulated run gives them.
inline std::string written_file() {
  measure::Suite send;
  send.name = "MPI_Send-MPI_Recv";
  send.operation = "MPI_Send / MPI_Recv";
  send.repetition = measure::RepetitionRules{};
  for (const std::uint64_t bytes : {0U, 1024U, 4194304U}) {
    auto& p = send.points.emplace_back();
    p.argument = bytes;
    p.result_ps = {1e6 * (10.5 + static_cast<double>(bytes)), 250000};
    p.count = 4;
    p.time_ps.emplace();
    p.time_ps->mean = p.result_ps.value + 2e6;
    p.time_ps->standard_error = 1e6;
    p.time_ps->count = 8;
    if (bytes > 0) p.node_results_ps = {7.25e6, 0};
  }
  measure::Suite barrier;
  barrier.name = "MPI_Barrier-nodes";
  barrier.operation = "MPI_Barrier";
  barrier.pattern = measure::Pattern::collective;
  barrier.time = measure::TimeOf::max_over_ranks;
  barrier.varies = measure::Varies::ranks;
  barrier.points.resize(1);
  barrier.points[0].argument = 2;
  ParameterFile parameters;
  parameters.machine = "two racks\nand a switch";
  measure::SuitePlan plan;
  auto head = head_of(parameters);
  head.emplace_back("TESTBED", "simulated");
  return head_text(head) + suite_text(send, {&plan, 2, Duration::seconds(3)}) +
         suite_text(barrier, {nullptr, 8, {}}) + end_text();
}

}  // namespace busline::skampi
