// The begin and the end of MPI, MPI_Pcontrol, and questions about the environment.
#include <cstdarg>
#include <cstdio>
#include <string>

#include "measuring/tracer/define.hpp"

namespace busline::tracer {
namespace {

std::vector<std::string_view> arguments_of(const int* argc, char*** argv) {
  if (argc == nullptr || argv == nullptr || *argv == nullptr) return {};
  return {*argv, *argv + *argc};
}

// The record's stamps are taken behind a barrier: one instant that all ranks' clocks can be aligned by.
template <class Initialise, class More>
int initialised(std::uint16_t function, int* argc, char*** argv, bool may_have_threads, Initialise initialise,
                More more) {
  const Nesting nesting;
  auto& tracer = Tracer::of_process();
  const int result = initialise();
  if (result != MPI_SUCCESS) return result;
  tracer.start(may_have_threads);
  if (!tracer.records(function)) {
    tracer.ignore(function);
    return result;
  }
  Interval interval;
  tracer.enter(interval);
  interval.wall_exit = interval.wall_entry;
  interval.cpu_exit = interval.cpu_entry;
  auto& record = tracer.begin(function, interval);
  record.texts(arguments_of(argc, argv));
  more(record);
  tracer.end(interval);
  return result;
}

// The text that printf would print.
std::string formatted(const char* format, std::va_list values) {
  if (format == nullptr) return {};
  std::array<char, 256> text{};
  const int n = std::vsnprintf(text.data(), text.size(), format, values);
  return n < 0 ? std::string() : std::string(text.data());
}

using Initialise = decltype(PMPI_Init);
using InitialiseThreads = decltype(PMPI_Init_thread);

int init(Initialise* call, int* argc, char*** argv) {
  return initialised(
      BUSLINE_ID(Init), argc, argv, false, [=] { return call(argc, argv); }, [](auto&) {});
}

int init_thread(InitialiseThreads* call, int* argc, char*** argv, int required, int* provided) {
  int given = MPI_THREAD_SINGLE;
  const int result = initialised(
      BUSLINE_ID(Init_thread), argc, argv, required == MPI_THREAD_MULTIPLE,
      [&] { return call(argc, argv, required, &given); },
      [&](auto& record) {
        record.number(constant("thrlevel", required));
        record.number(constant("thrlevel", given));
      });
  if (provided != nullptr) *provided = given;
  return result;
}

int finalize(decltype(PMPI_Finalize)* call) {
  const Nesting nesting;
  auto& tracer = Tracer::of_process();
  Interval interval;
  tracer.enter(interval);
  tracer.warn_of_mpi3();
  const int result = call();
  const auto lock = tracer.lock();
  tracer.leave(interval);
  if (tracer.records(BUSLINE_ID(Finalize))) {
    tracer.begin(BUSLINE_ID(Finalize), interval);
    tracer.end(interval);
  } else {
    tracer.ignore(BUSLINE_ID(Finalize));
  }
  tracer.finish();
  return result;
}

// Does not return: the file is completed before. The other ranks' files end where they were last written.
int abort_all(decltype(PMPI_Abort)* call, MPI_Comm comm, int errorcode) {
  const Nesting nesting;
  auto& tracer = Tracer::of_process();
  {
    const auto lock = tracer.lock();
    if (tracer.started() && tracer.records(BUSLINE_ID(Abort))) {
      Interval interval;
      tracer.enter(interval);
      tracer.leave(interval);
      auto& record = tracer.begin(BUSLINE_ID(Abort), interval);
      record.number(tracer.handles()->of("comm").number(bits_of(comm)).first);
      record.number(errorcode);
      tracer.end(interval);
    } else {
      tracer.ignore(BUSLINE_ID(Abort));
    }
    tracer.finish();
  }
  return call(comm, errorcode);
}

// In Fortran MPI_Pcontrol has the level alone.
void fortran_pcontrol(const int* level) {
  auto& tracer = Tracer::of_process();
  {
    const auto lock = tracer.lock();
    if (*level == 0 || *level == 1) tracer.switch_to(*level == 1);
  }
  PMPI_Pcontrol(*level);
}

}  // namespace
}  // namespace busline::tracer

using namespace busline::tracer;

extern "C" {

// 0 and 1 switch recording off and on; (2, format, ...) makes an annotation and (3, key, format, ...) one
// with a key, as under libdumpi.
[[gnu::visibility("default")]] int MPI_Pcontrol(const int level, ...) {
  auto& tracer = Tracer::of_process();
  const auto lock = tracer.lock();
  if (level == 0 || level == 1) {
    tracer.switch_to(level == 1);
  } else if (level == 2 || level == 3) {
    std::va_list values;
    va_start(values, level);
    const auto key = level == 3 ? va_arg(values, std::uint64_t) : 0;
    const auto text = formatted(va_arg(values, const char*), values);
    va_end(values);
    Interval interval;
    tracer.enter(interval);
    tracer.leave(interval);
    if (level == 3) tracer.name_annotation(key, text);
    tracer.annotate(level == 3 ? key : tracer.annotation(text), interval);
  }
  return PMPI_Pcontrol(level);
}

}  // extern "C"

BUSLINE_DEFINE(Init, 2, init)
BUSLINE_DEFINE(Init_thread, 4, init_thread)
BUSLINE_DEFINE(Finalize, 0, finalize)
BUSLINE_DEFINE(Abort, 2, abort_all)
BUSLINE_TRACED_0(Wtime)
BUSLINE_TRACED_0(Wtick)

// The MPI libraries' Fortran functions of these jump to the C ones, and leave no call site to know them by.
// So their Fortran names are defined, as compilers and the modules mpi_f08 make them.
#define BUSLINE_FORTRAN(Result, lower, upper, parameters, ...)                       \
  extern "C" {                                                                       \
  [[gnu::visibility("default")]] Result lower parameters {                           \
    return __VA_ARGS__;                                                              \
  }                                                                                  \
  [[gnu::visibility("default"), gnu::alias(#lower)]] Result lower##_ parameters;     \
  [[gnu::visibility("default"), gnu::alias(#lower)]] Result lower##__ parameters;    \
  [[gnu::visibility("default"), gnu::alias(#lower)]] Result upper parameters;        \
  [[gnu::visibility("default"), gnu::alias(#lower)]] Result lower##_f08_ parameters; \
  }
BUSLINE_FORTRAN(double, mpi_wtime, MPI_WTIME, (), MPI_Wtime())
BUSLINE_FORTRAN(double, mpi_wtick, MPI_WTICK, (), MPI_Wtick())
BUSLINE_FORTRAN(void, mpi_pcontrol, MPI_PCONTROL, (const int* level), fortran_pcontrol(level))

BUSLINE_TRACED(Initialized, result)
BUSLINE_TRACED(Finalized, flag)
BUSLINE_TRACED(Is_thread_main, flag)
BUSLINE_TRACED(Query_thread, supported)
BUSLINE_TRACED(Get_processor_name, name, resultlen)
BUSLINE_TRACED(Get_version, version, subversion)
BUSLINE_TRACED(Alloc_mem, size, info, _)
BUSLINE_TRACED(Free_mem, _)
