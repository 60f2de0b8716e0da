#include "measuring/tracer/fortran.hpp"

#include <doctest/doctest.h>

using namespace busline::tracer;

TEST_CASE("a function has a Fortran name for each compiler and module") {
  for (const char* name : {"mpi_send", "mpi_send_", "mpi_send__", "MPI_SEND", "PMPI_SEND", "pmpi_send_",
                           "MPI_Send_f", "MPI_Send_f08", "ompi_send_f", "mpi_send_f08_", "mpi_send_f08ts_"}) {
    CAPTURE(name);
    CHECK(is_fortran_name(name, "Send"));
    CHECK(!is_fortran_name(name, "Ssend"));
    CHECK(!is_fortran_name(name, "Send_c"));
  }
  CHECK(is_fortran_name("mpi_win_allocate_f08_large_", "Win_allocate_c"));  // MPICH's
  CHECK(is_fortran_name("MPI_Win_allocate_cptr_f", "Win_allocate"));
}

TEST_CASE(
    "names in C, other functions of the libraries, and what PMPI is in mpi_f08 are not a program's calls") {
  for (const char* name :
       {"MPI_Send", "PMPI_Send", "ompi_send", "mpi_alltoallw_", "pmpir_send_f08ts_", "send_", ""}) {
    CAPTURE(name);
    CHECK(!is_fortran_name(name, "Send"));
  }
}

TEST_CASE("a site in a program without MPI is no Fortran function, also when it is asked for again") {
  const int here = 0;
  for (int i = 0; i < 2; ++i) CHECK(!is_fortran_site(&here, "Send"));
}
