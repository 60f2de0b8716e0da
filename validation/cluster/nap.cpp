// libcluster_nap: loaded into the ranks of an emulated cluster (LD_PRELOAD), where many ranks share few
// cores.
//
// Open MPI with mpi_yield_when_idle calls sched_yield() whenever it finds nothing to do; here that is a short
// sleep, so that ranks that wait leave the cores to those that work. And because they do, ranks can have a
// real-time priority, and get a core at once when their message arrives, however busy the machine is with
// other things.
//
// MPICH yields to nobody: it calls UCX's ucp_worker_progress() until something has happened. Here the sleep
// comes after several calls in a row that found nothing; a single one may be a program that looks in between
// its work. (Inside of UCX, as in its epoll_wait(), a sleep would hold a lock that its other thread needs.)
//
//   CLUSTER_NAP_US     length of the sleep in microseconds, 1 to 10000 (default 50)
//   CLUSTER_PRIORITY   of SCHED_FIFO for ranks, 1 to 49, below the switch (default 0: none)
//
// Does not use the C++ library: this library must load into any program.
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

namespace {

constexpr int kIdleCalls = 10;

// MPI_COMM_WORLD in MPICH's binary interface.
constexpr int kMpichWorld = 0x44000000;

long g_nap_ns = 50'000;
bool g_is_mpich = false;

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

// MPICH 4.0 over UCX and TCP does not end when ranks come to MPI_Finalize some milliseconds apart: one waits
// for the other's answer, and that one already waits elsewhere. So they meet before.
int meet_and_finalize(const char* name) {
  if (g_is_mpich) next<int (*)(int)>("PMPI_Barrier")(kMpichWorld);
  return next<int (*)()>(name)();
}

void nap() {
  const timespec length{0, g_nap_ns};
  clock_nanosleep(CLOCK_MONOTONIC, 0, &length, nullptr);
}

// The variable's value if it is a whole number within the limits.
long number(const char* variable, long otherwise, long from, long to) {
  const char* text = getenv(variable);
  if (text == nullptr || *text == '\0') return otherwise;
  char* end = nullptr;
  const long value = strtol(text, &end, 10);
  return *end == '\0' && value >= from && value <= to ? value : otherwise;
}

__attribute__((constructor)) void prepare() {
  // mpirun's daemons are preloaded too if the user exports LD_PRELOAD; they have no rank.
  const bool is_open_mpi = getenv("OMPI_COMM_WORLD_RANK") != nullptr;
  g_is_mpich = !is_open_mpi && getenv("PMI_RANK") != nullptr;
  if (!is_open_mpi && !g_is_mpich) return;
  g_nap_ns = number("CLUSTER_NAP_US", 50, 1, 10'000) * 1000;
  prctl(PR_SET_TIMERSLACK, 1000UL);  // else a sleep is 50 us longer
  sched_param priority{};
  priority.sched_priority = static_cast<int>(number("CLUSTER_PRIORITY", 0, 0, 49));
  // Refused without the right to it: then times are less exact, and nothing else is different.
  if (priority.sched_priority > 0) sched_setscheduler(0, SCHED_FIFO, &priority);
}

}  // namespace

extern "C" int sched_yield() noexcept {
  nap();
  return 0;
}

extern "C" unsigned ucp_worker_progress(void* worker) {
  using Progress = unsigned (*)(void*);
  static Progress progress = nullptr;
  static thread_local int idle = 0;
  if (progress == nullptr) progress = next<Progress>("ucp_worker_progress");
  const unsigned found = progress(worker);
  idle = found == 0 ? idle + 1 : 0;
  if (idle >= kIdleCalls) nap();
  return found;
}

// MPICH 4.0 disconnects in MPI_Finalize and waits for the other rank's answer. That one may be done already
// and wait elsewhere, where it answers nobody: then both hang. Here, it is told at once that all is done; the
// connections end with the process.
extern "C" void* ucp_disconnect_nb(void*) {
  return nullptr;
}

extern "C" int MPI_Finalize() {
  return meet_and_finalize("MPI_Finalize");
}
// What a tracer calls.
extern "C" int PMPI_Finalize() {
  return meet_and_finalize("PMPI_Finalize");
}
