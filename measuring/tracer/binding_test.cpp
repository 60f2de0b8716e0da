#include "measuring/tracer/binding.hpp"

#include <doctest/doctest.h>

using namespace busline::tracer;
using busline::dumpi::argument;
using busline::dumpi::function_id;

TEST_CASE("the arguments of a record are found among a function's parameters by name") {
  constexpr auto kSend = bind(function_id("MPI_Send"), "_, count, datatype, dest, tag, comm");
  static_assert(kSend.from[argument("MPI_Send", "count")].parameter == 1);
  static_assert(kSend.from[argument("MPI_Send", "comm")].parameter == 5);
  static_assert(!kSend.from[argument("MPI_Send", "comm")].before);

  // The record has them in another order, and commrank, which is not a parameter.
  constexpr auto kGather =
      bind(function_id("MPI_Gather"), "sendbuf, sendcount, sendtype, _, recvcount, recvtype, root, comm");
  static_assert(kGather.from[argument("MPI_Gather", "root")].parameter == 6);
  static_assert(kGather.from[argument("MPI_Gather", "recvcount")].parameter == 4);
  static_assert(kGather.from[argument("MPI_Gather", "commrank")].parameter == kNone);
  static_assert(kGather.send_buffer == 0 && kGather.receive_buffer == kNone);
}

TEST_CASE("lists know their length, and arguments that a call changes are read before it") {
  constexpr auto kWait = bind(function_id("MPI_Waitsome"),
                              "count, requests[count] !, outcount, indices[outcount], statuses[outcount]");
  constexpr auto kRequests = kWait.from[argument("MPI_Waitsome", "requests")];
  static_assert(kRequests.parameter == 1 && kRequests.before);
  static_assert(kRequests.length == argument("MPI_Waitsome", "count"));
  static_assert(!kWait.from[argument("MPI_Waitsome", "indices")].before);

  constexpr auto kPack =
      bind(function_id("MPI_Pack"), "_, incount, datatype, _, outcount, position_in ! | position_out, comm");
  static_assert(kPack.from[argument("MPI_Pack", "position_in")].parameter == 5);
  static_assert(kPack.from[argument("MPI_Pack", "position_in")].before);
  static_assert(kPack.from[argument("MPI_Pack", "position_out")].parameter == 5);
  static_assert(!kPack.from[argument("MPI_Pack", "position_out")].before);
}
