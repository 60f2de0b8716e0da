#include "measuring/tracer/handles.hpp"

#include <optional>
#include <utility>

namespace busline::tracer {
namespace {

constexpr std::size_t kFirstUserType = 28;

// An MPI library without Fortran may have MPI_DATATYPE_NULL for a type of it, and rejects that.
std::optional<std::int32_t> size_of(MPI_Datatype type) {
  int size = 0;
  if (type == MPI_DATATYPE_NULL || PMPI_Type_size(type, &size) != MPI_SUCCESS) return std::nullopt;
  return size;
}

}  // namespace

Handles::Handles() : type_sizes_(kFirstUserType) {
  communicators_.predefine(bits_of(MPI_COMM_NULL), 1);
  communicators_.predefine(bits_of(MPI_COMM_WORLD), 2);
  communicators_.predefine(bits_of(MPI_COMM_SELF), 3);
  groups_.predefine(bits_of(MPI_GROUP_NULL), 1);
  groups_.predefine(bits_of(MPI_GROUP_EMPTY), 2);
  requests_.predefine(bits_of(MPI_REQUEST_NULL), 1);
  file_requests_.predefine(bits_of(MPI_REQUEST_NULL), 1);
  error_handlers_.predefine(bits_of(MPI_ERRHANDLER_NULL), 1);
  files_.predefine(bits_of(MPI_FILE_NULL), 0);
  infos_.predefine(bits_of(MPI_INFO_NULL), 0);
  windows_.predefine(bits_of(MPI_WIN_NULL), 0);

  std::int32_t number = 1;
  for (const MPI_Op operation : {MPI_MAX, MPI_MIN, MPI_SUM, MPI_PROD, MPI_LAND, MPI_BAND, MPI_LOR, MPI_BOR,
                                 MPI_LXOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC, MPI_REPLACE, MPI_OP_NULL})
    operations_.predefine(bits_of(operation), number++);

  // For two names for the same type the later one counts. MPI_LB and MPI_UB (20, 21) are gone from MPI-3.
  constexpr std::int32_t kFirstType = 2, kPacked = 19, kFloatInt = 22;
  number = kFirstType;
  for (const MPI_Datatype type : {MPI_CHAR,      MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR,  MPI_BYTE,
                                  MPI_WCHAR,     MPI_SHORT,       MPI_UNSIGNED_SHORT, MPI_INT,
                                  MPI_UNSIGNED,  MPI_LONG,        MPI_UNSIGNED_LONG,  MPI_FLOAT,
                                  MPI_DOUBLE,    MPI_LONG_DOUBLE, MPI_LONG_LONG_INT,  MPI_UNSIGNED_LONG_LONG,
                                  MPI_LONG_LONG, MPI_PACKED,      MPI_FLOAT_INT,      MPI_DOUBLE_INT,
                                  MPI_LONG_INT,  MPI_SHORT_INT,   MPI_2INT,           MPI_LONG_DOUBLE_INT}) {
    datatypes_.predefine(bits_of(type), number);
    keep_size(type, number);
    number = number == kPacked ? kFloatInt : number + 1;
  }
  datatypes_.predefine(bits_of(MPI_DATATYPE_NULL), 1);
  // The format has no Fortran types: those with the same elements as a type of C are recorded as that one.
  // With -fdefault-integer-8 and the like they do not have them.
  for (const auto& [fortran, c] :
       {std::pair(MPI_CHARACTER, MPI_CHAR), std::pair(MPI_INTEGER, MPI_INT), std::pair(MPI_LOGICAL, MPI_INT),
        std::pair(MPI_REAL, MPI_FLOAT), std::pair(MPI_DOUBLE_PRECISION, MPI_DOUBLE),
        std::pair(MPI_2INTEGER, MPI_2INT)})
    if (const auto size = size_of(fortran); size && size == size_of(c))
      datatypes_.predefine(bits_of(fortran), datatype(c));
}

void Handles::keep_size(MPI_Datatype type, std::int32_t number) {
  const auto size = size_of(type);
  if (!size || number < 0) return;
  const auto place = static_cast<std::size_t>(number);
  if (place >= type_sizes_.size()) type_sizes_.resize(place + 1);
  type_sizes_[place] = *size;
}

}  // namespace busline::tracer
