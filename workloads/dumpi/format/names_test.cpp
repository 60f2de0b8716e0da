#include "workloads/dumpi/format/names.hpp"

#include <doctest/doctest.h>

namespace busline::dumpi {
namespace {

TEST_CASE("predefined handles have their MPI names, and handles that the program made have none") {
  const auto type = meaning_of(function_id("MPI_Send"), argument("MPI_Send", "datatype"));
  CHECK(name_of(type, 2) == "MPI_CHAR");
  CHECK(name_of(type, 14) == "MPI_DOUBLE");
  CHECK(name_of(type, 27) == "MPI_LONG_DOUBLE_INT");
  CHECK(name_of(type, 28) == "");
  CHECK(name_of(type, -1) == "");
  const auto comm = meaning_of(function_id("MPI_Send"), argument("MPI_Send", "comm"));
  CHECK(name_of(comm, 2) == "MPI_COMM_WORLD");
  CHECK(name_of(comm, 4) == "");
  const auto op = meaning_of(function_id("MPI_Allreduce"), argument("MPI_Allreduce", "op"));
  CHECK(name_of(op, 3) == "MPI_SUM");
  CHECK(name_of(op, 14) == "MPI_OP_NULL");
  const auto types = meaning_of(function_id("MPI_Type_struct"), argument("MPI_Type_struct", "oldtypes"));
  CHECK(name_of(types, 9) == "MPI_INT");
  const auto mode = meaning_of(function_id("MPI_File_open"), argument("MPI_File_open", "amode"));
  CHECK(name_of(mode, 9) == "MPI_MODE_APPEND");
  const auto combiner =
      meaning_of(function_id("MPI_Type_get_envelope"), argument("MPI_Type_get_envelope", "combiner"));
  CHECK(name_of(combiner, 18) == "MPI_COMBINER_RESIZED");
}

TEST_CASE("minus one is any source of a receive, and no process for a neighbour or a destination") {
  const auto source = meaning_of(function_id("MPI_Irecv"), argument("MPI_Irecv", "source"));
  CHECK(name_of(source, -1) == "MPI_ANY_SOURCE");
  CHECK(name_of(source, -2) == "MPI_PROC_NULL");
  CHECK(name_of(source, 0) == "");
  const auto neighbour = meaning_of(function_id("MPI_Cart_shift"), argument("MPI_Cart_shift", "source"));
  CHECK(name_of(neighbour, -1) == "MPI_PROC_NULL");
  const auto destination = meaning_of(function_id("MPI_Sendrecv"), argument("MPI_Sendrecv", "dest"));
  CHECK(name_of(destination, -1) == "MPI_PROC_NULL");
}

TEST_CASE("minus one is any tag of a receive only") {
  const auto name = [](std::uint16_t function, std::size_t at) {
    return name_of(meaning_of(function, at), -1);
  };
  CHECK(name(function_id("MPI_Recv"), argument("MPI_Recv", "tag")) == "MPI_ANY_TAG");
  CHECK(name(function_id("MPI_Iprobe"), argument("MPI_Iprobe", "tag")) == "MPI_ANY_TAG");
  CHECK(name(function_id("MPI_Sendrecv"), argument("MPI_Sendrecv", "recvtag")) == "MPI_ANY_TAG");
  CHECK(name(function_id("MPI_Sendrecv"), argument("MPI_Sendrecv", "sendtag")) == "");
  CHECK(name(function_id("MPI_Send"), argument("MPI_Send", "tag")) == "");
}

TEST_CASE("special numbers of the MPI library are named where they may occur") {
  const auto color = meaning_of(function_id("MPI_Comm_split"), argument("MPI_Comm_split", "color"));
  CHECK(name_of(color, -32766) == "MPI_UNDEFINED");
  CHECK(name_of(color, 2) == "");
  const auto key = meaning_of(function_id("MPI_Comm_split"), argument("MPI_Comm_split", "key"));
  CHECK(name_of(key, -32766) == "");
  const auto root = meaning_of(function_id("MPI_Bcast"), argument("MPI_Bcast", "root"));
  CHECK(name_of(root, -4) == "MPI_ROOT");
  CHECK(name_of(root, -3) == "MPI_ROOT");
  CHECK(name_of(root, -2) == "MPI_PROC_NULL");
  CHECK(name_of(root, -5) == "");
  CHECK(name_of(root, 0) == "");
  const auto mpi1 = meaning_of(function_id("MPI_Attr_get"), argument("MPI_Attr_get", "key"));
  CHECK(name_of(mpi1, 0) == "");
}

TEST_CASE("assertions about windows have the name of their bit, and none with several bits") {
  const auto assertion = meaning_of(function_id("MPI_Win_fence"), argument("MPI_Win_fence", "assertion"));
  CHECK(name_of(assertion, 1) == "MPI_MODE_NOCHECK");
  CHECK(name_of(assertion, 2) == "MPI_MODE_NOSTORE");
  CHECK(name_of(assertion, 4) == "MPI_MODE_NOPUT");
  CHECK(name_of(assertion, 8) == "MPI_MODE_NOPRECEDE");
  CHECK(name_of(assertion, 16) == "MPI_MODE_NOSUCCEED");
  CHECK(name_of(assertion, 255) == "(none or several modes)");
  CHECK(name_of(assertion, 3) == "");
}

TEST_CASE("only the tracer's own numbers are shown by their names alone") {
  CHECK(is_numbered_by_tracer(Meaning::datatype));
  CHECK(is_numbered_by_tracer(Meaning::assertion));
  CHECK_FALSE(is_numbered_by_tracer(Meaning::plain));
  CHECK_FALSE(is_numbered_by_tracer(Meaning::source));
  CHECK_FALSE(is_numbered_by_tracer(Meaning::may_be_undefined));
}

}  // namespace
}  // namespace busline::dumpi
