// Which calls of PMPI_ functions a Fortran program made.
#pragma once
#include <string_view>

namespace busline::tracer {

/// Whether `symbol` is a Fortran name of MPI_`function`, under any compiler and in any of the three bindings:
/// mpi_send_, MPI_SEND, mpi_send_f08ts_, Open MPI's ompi_send_f. Not the C names, nor those that mean PMPI_
/// in Fortran.
bool is_fortran_name(std::string_view symbol, std::string_view function);

/// Whether the code at `site`, a return address in a caller of PMPI_`function`, is the Fortran function of
/// that name: then the call is the program's. Others are made by the MPI library for its own use, or by
/// tools. The first time that a site is asked for takes some microseconds, later times a few nanoseconds.
bool is_fortran_site(const void* site, std::string_view function);

}  // namespace busline::tracer
