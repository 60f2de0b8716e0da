#include "measuring/tracer/constants.hpp"

#include <initializer_list>

namespace busline::tracer {
namespace {

std::int32_t place_of(int value, std::initializer_list<int> constants) {
  std::int32_t place = 1;
  for (const int c : constants) {
    if (c == value) return place;
    ++place;
  }
  return 0;
}

}  // namespace

std::int32_t constant(std::string_view kind, int value) {
  if (kind == "cmp") return place_of(value, {MPI_IDENT, MPI_CONGRUENT, MPI_SIMILAR, MPI_UNEQUAL});
  if (kind == "topo") return place_of(value, {MPI_GRAPH, MPI_CART, MPI_UNDEFINED});
  if (kind == "thrlevel")
    return place_of(value,
                    {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE});
  if (kind == "order") return place_of(value, {MPI_ORDER_C, MPI_ORDER_FORTRAN});
  if (kind == "distrib")
    return place_of(
        value, {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_DFLT_DARG});
  if (kind == "locktype") return place_of(value, {MPI_LOCK_SHARED, MPI_LOCK_EXCLUSIVE});
  if (kind == "whence") return place_of(value, {MPI_SEEK_SET, MPI_SEEK_CUR, MPI_SEEK_END});
  if (kind == "typeclass")
    return place_of(value, {MPI_TYPECLASS_REAL, MPI_TYPECLASS_INTEGER, MPI_TYPECLASS_COMPLEX});
  if (kind == "winassert") {
    const auto place = place_of(
        value, {MPI_MODE_NOCHECK, MPI_MODE_NOSTORE, MPI_MODE_NOPUT, MPI_MODE_NOPRECEDE, MPI_MODE_NOSUCCEED});
    return place == 0 ? 255 : 1 << (place - 1);
  }
  if (kind == "filemode")
    return place_of(value,
                    {MPI_MODE_RDONLY, MPI_MODE_RDWR, MPI_MODE_WRONLY, MPI_MODE_CREATE, MPI_MODE_EXCL,
                     MPI_MODE_DELETE_ON_CLOSE, MPI_MODE_UNIQUE_OPEN, MPI_MODE_SEQUENTIAL, MPI_MODE_APPEND});
  if (kind == "combiner") {
    // Numbers 5, 8 and 11 are the INTEGER forms of Fortran, which MPI-3 has removed.
    return place_of(
        value, {MPI_COMBINER_NAMED, MPI_COMBINER_DUP, MPI_COMBINER_CONTIGUOUS, MPI_COMBINER_VECTOR,
                MPI_UNDEFINED, MPI_COMBINER_HVECTOR, MPI_COMBINER_INDEXED, MPI_UNDEFINED,
                MPI_COMBINER_HINDEXED, MPI_COMBINER_INDEXED_BLOCK, MPI_UNDEFINED, MPI_COMBINER_STRUCT,
                MPI_COMBINER_SUBARRAY, MPI_COMBINER_DARRAY, MPI_COMBINER_F90_REAL, MPI_COMBINER_F90_COMPLEX,
                MPI_COMBINER_F90_INTEGER, MPI_COMBINER_RESIZED});
  }
  return 0;
}

}  // namespace busline::tracer
