// Rejects a program built with a different MPI library than this library: the two would crash in one process.
#include <link.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string_view>

#include "measuring/tracer/mpi.hpp"

namespace {

#if defined(OPEN_MPI)
constexpr std::string_view kOwn = "Open MPI";
constexpr std::array<std::string_view, 1> kOthers{"/libmpich.so"};
#else
constexpr std::string_view kOwn = "MPICH";
constexpr std::array<std::string_view, 2> kOthers{"/libopen-rte.so", "/libopen-pal.so"};
#endif

int is_other(dl_phdr_info* library, std::size_t, void*) {
  const std::string_view path(library->dlpi_name == nullptr ? "" : library->dlpi_name);
  for (const auto other : kOthers)
    if (path.find(other) != path.npos) return 1;
  return 0;
}

// Runs at process start: later is too late.
[[gnu::constructor]] void refuse_other_mpi() {
  if (dl_iterate_phdr(is_other, nullptr) == 0) return;
  std::fprintf(stderr,
               "libbusline-times: built with %s, but the program was built with another MPI library\n",
               kOwn.data());
  _exit(1);
}

}  // namespace
