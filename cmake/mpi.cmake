# Measuring on real machines, tracing, and nothing else, needs MPI.
if(BUSLINE_MEASURE_ONLY)
  set(needed REQUIRED)
endif()
find_package(MPI ${needed} COMPONENTS CXX)
if(NOT MPI_CXX_FOUND)
  message(NOTICE "== no MPI: busline-measure, the tracer, the emulated cluster's programs and all tests on real MPI are left out")
endif()

# Open MPI refuses to run as root and to run more ranks than cores unless it is told to; ranks that wait then leave the
# cores to the others. Other MPIs do not read these.
set(mpi_environment OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
  OMPI_MCA_mpi_yield_when_idle=1)

# busline_mpi_test(<name> <ranks> <command> ...)
# A test that is started by mpirun on so many ranks. It runs alone, since ranks that wait for a core measure nothing.
function(busline_mpi_test name ranks)
  add_test(NAME ${name} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS} ${ARGN})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300 RUN_SERIAL ON ENVIRONMENT "${mpi_environment}")
endfunction()
