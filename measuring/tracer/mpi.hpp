// mpi.h, of Open MPI or MPICH, without the C++ bindings that MPI-3 has removed.
#pragma once
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <cstdint>
#include <type_traits>

namespace busline::tracer {

/// Handles are pointers in Open MPI; in MPICH most are int, so that their types do not tell them apart.
template <class T>
inline constexpr bool kIsHandle =
    std::is_same_v<T, MPI_Comm> || std::is_same_v<T, MPI_Datatype> || std::is_same_v<T, MPI_Group> ||
    std::is_same_v<T, MPI_Op> || std::is_same_v<T, MPI_Request> || std::is_same_v<T, MPI_Errhandler> ||
    std::is_same_v<T, MPI_File> || std::is_same_v<T, MPI_Info> || std::is_same_v<T, MPI_Win> ||
    std::is_same_v<T, MPI_Message>;

template <class Handle>
std::uint64_t bits_of(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>)
    return reinterpret_cast<std::uintptr_t>(handle);
  else
    return static_cast<std::uint32_t>(handle);
}

}  // namespace busline::tracer
