// Wrappers of MPI functions: the start and the end of MPI, and those that may be a region's border.
#include <string_view>
#include <type_traits>

#include "measuring/run_times/run_times.hpp"
#include "measuring/runs/border_calls.hpp"
#include "measuring/tracer/mpi_function.hpp"

namespace busline::record {
namespace {

constexpr CallIndex index_of(std::string_view name) {
  for (CallIndex i = 0; i < runs::kBorderCalls.size(); ++i)
    if (runs::kBorderCalls[i] == name) return i;
  return runs::kBorderCalls.size();
}

// A call that fails does not count: it is not in a trace either.
template <CallIndex index, class... P>
int timed(int (*call)(P...), std::type_identity_t<P>... arguments) {
  auto& times = RunTimes::of_process();
  if (!times.begins_at(index) && !times.ends_at(index)) return call(arguments...);
  const auto entered = now();
  const int result = call(arguments...);
  if (result != MPI_SUCCESS) return result;
  if (times.begins_at(index)) times.left_from(now());
  if (times.ends_at(index)) times.entered_to(entered);
  return result;
}

int timed_init(decltype(PMPI_Init)* call, int* argc, char*** argv) {
  const int result = call(argc, argv);
  if (result == MPI_SUCCESS) RunTimes::of_process().start();
  return result;
}

int timed_init_thread(decltype(PMPI_Init_thread)* call, int* argc, char*** argv, int required,
                      int* provided) {
  const int result = call(argc, argv, required, provided);
  if (result == MPI_SUCCESS) RunTimes::of_process().start();
  return result;
}

int timed_finalize(decltype(PMPI_Finalize)* call) {
  RunTimes::of_process().finish(now());
  return call();
}

}  // namespace
}  // namespace busline::record

BUSLINE_DEFINE(Init, 2, busline::record::timed_init)
BUSLINE_DEFINE(Init_thread, 4, busline::record::timed_init_thread)
BUSLINE_DEFINE(Finalize, 0, busline::record::timed_finalize)
#define BUSLINE_TIMED(name, parameters) \
  BUSLINE_DEFINE(name, parameters, busline::record::timed<busline::record::index_of("MPI_" #name)>)
BUSLINE_BORDER_CALLS(BUSLINE_TIMED)
