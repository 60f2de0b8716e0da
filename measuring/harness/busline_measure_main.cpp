// busline-measure: the kinds of 'busline measure' on real MPI. Rank 0 reads the command line and runs the
// measuring logic; the others serve it.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/manual/describe.hpp"
#include "documents/command_line/program.hpp"
#include "measuring/commands/measure.hpp"
#include "measuring/harness/mpi_source.hpp"
#include "measuring/harness/record.hpp"
#include "measuring/mpi/mpi_testbed.hpp"

namespace {

using namespace busline;

int run_commands(int argc, char** argv, const std::shared_ptr<bool>& made) {
  static constexpr std::array<cli::AddCommand, 7> kKinds{cli::add_measure_calibration,
                                                         cli::add_measure_linktest,
                                                         cli::add_measure_skampi,
                                                         cli::add_measure_ziatest,
                                                         cli::add_measure_record,
                                                         cli::add_completion,
                                                         cli::add_man};
  return cli::run_program({.name = "busline-measure",
                           .description = "Measures the machine that it runs on, with mpirun.",
                           .commands = kKinds,
                           .testbeds = [made] { return cli::mpi_source(made); },
                           .parts = nullptr},
                          argc, argv);
}

int run_root(int argc, char** argv) {
  const auto made = std::make_shared<bool>(false);
  const int exit = run_commands(argc, argv, made);
  if (!*made) mpi::MpiTestbed();  // lets the others go
  return exit;
}

}  // namespace

int main(int argc, char** argv) {
  // A launcher started by an MPI program would consider itself part of that job, and describing the command
  // line needs no working MPI.
  static constexpr std::array<std::string_view, 4> kWithoutMpi{cli::kLaunchingKind, "record", "completion",
                                                               "man"};
  if (argc > 1 && std::find(kWithoutMpi.begin(), kWithoutMpi.end(), argv[1]) != kWithoutMpi.end())
    return run_commands(argc, argv, std::make_shared<bool>(false));
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int exit = 0;
  if (rank == 0) {
    exit = run_root(argc, argv);
  } else {
    cli::catch_interrupts();  // rank 0 decides how an interrupted run ends
    mpi::MpiTestbed().serve();
  }
  // All ranks end with the same code, so mpirun reports rank 0's result.
  MPI_Bcast(&exit, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return exit;
}
