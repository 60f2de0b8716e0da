# Only measuring on real machines and tracing need MPI.
if(BUSLINE_MEASURE_ONLY)
  set(needed REQUIRED)
endif()
if(BUSLINE_MPI OR BUSLINE_MEASURE_ONLY)
  find_package(MPI ${needed} COMPONENTS CXX)
endif()
if(NOT MPI_CXX_FOUND)
  message(NOTICE "== no MPI: busline-measure, the tracer, the emulated cluster's programs and all tests on real MPI are left out")
endif()

# Open MPI refuses to run as root, or with more ranks than cores, unless configured to; waiting ranks then leave the
# cores to the others. Other MPIs do not read these.
set(mpi_environment OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
  OMPI_MCA_mpi_yield_when_idle=1)

# busline_mpi_test(<name> <ranks> <command> ...)
# A test started by mpirun on this many ranks. It runs alone, because ranks that wait for a core measure nothing.
function(busline_mpi_test name ranks)
  add_test(NAME ${name} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS} ${ARGN})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300 RUN_SERIAL ON ENVIRONMENT "${mpi_environment}")
endfunction()

# busline_preloaded_library(<target> <file name> <source>...)
# A library next to busline-measure, which loads it into third-party programs: it needs no library except MPI, and
# exports only MPI's names.
function(busline_preloaded_library target file)
  set(names ${PROJECT_SOURCE_DIR}/measuring/tracer/exported_names.txt)
  add_library(${target} SHARED ${ARGN})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${file} CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LINK_DEPENDS ${names} LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/harness)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc -Wl,--version-script=${names})
  target_link_libraries(${target} PRIVATE busline_options MPI::MPI_CXX ${CMAKE_DL_LIBS})
  install(TARGETS ${target} COMPONENT measure)
endfunction()
