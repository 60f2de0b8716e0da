#include "measuring/tracer/program_check.hpp"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "measuring/tracer/mpi.hpp"

namespace busline::tracer {
namespace {

#if defined(OPEN_MPI)
constexpr std::string_view kOwn = "Open MPI";
constexpr std::array<std::string_view, 1> kOthers{"/libmpich.so"};
#else
constexpr std::string_view kOwn = "MPICH";
constexpr std::array<std::string_view, 2> kOthers{"/libopen-rte.so", "/libopen-pal.so"};
#endif

bool is_seen = false;

int is_other(dl_phdr_info* library, std::size_t, void*) {
  const std::string_view path(library->dlpi_name == nullptr ? "" : library->dlpi_name);
  for (const auto other : kOthers)
    if (path.find(other) != path.npos) return 1;
  return 0;
}

// Runs at process start: later is too late. Handles of one library would crash the other.
[[gnu::constructor]] void refuse_other_mpi() {
  if (dl_iterate_phdr(is_other, nullptr) == 0) return;
  std::fprintf(stderr, "%s: built with %s, but the program was built with another MPI library\n",
               kLibraryName, kOwn.data());
  _exit(1);
}

// Whether the program's own file names one of the functions by which MPI begins: imports it or has it inside.
bool program_names_mpi() {
  const int file = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  struct stat about {};
  bool found = false;
  if (::fstat(file, &about) == 0 && about.st_size > 0) {
    const auto bytes = static_cast<std::size_t>(about.st_size);
    void* const text = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
    if (text != MAP_FAILED) {
      const std::string_view all(static_cast<const char*>(text), bytes);
      for (const std::string_view name : {"MPI_Init", "mpi_init", "MPI_INIT"})
        found = found || all.find(name) != all.npos;
      ::munmap(text, bytes);
    }
  }
  ::close(file);
  return found;
}

bool is_first_rank() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"})
    if (const char* const rank = std::getenv(variable)) return std::string_view(rank) == "0";
  return true;
}

[[gnu::destructor]] void tell_if_unseen() {
  if (is_seen || !is_first_rank()) return;
  int initialised = 0;
  PMPI_Initialized(&initialised);
  const char* why = nullptr;
  if (initialised != 0)
    why = "MPI was initialised, but not through a function that this library wraps";
  else if (program_names_mpi())
    why = "the program ended before MPI_Init, or an MPI library is linked into it statically";
  if (why != nullptr) std::fprintf(stderr, "%s: no MPI call was seen: %s\n", kLibraryName, why);
}

}  // namespace

void note_program_seen() {
  is_seen = true;
}

}  // namespace busline::tracer
