// What an MPI call of a Paraver trace is replayed as, by its name.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/program/program_builder.hpp"

namespace busline::paraver {

enum class Role : std::uint8_t {
  local,  ///< no operation
  send,
  receive,
  sendrecv,
  start,
  wait,
  noop,  ///< an operation without effect: a probe, whose message is received by another call; MPI_Finalize
  collective,  ///< with a communicator and sizes
  meeting,     ///< collective, but records name no communicator
  init,        ///< MPI_Init: all ranks meet
  one_sided,   ///< moves bytes that no record names
  unknown,
};

struct Call {
  std::string name;
  Role role = Role::unknown;
  SendMode mode = SendMode::standard;
  bool nonblocking = false;
  CollectiveKind kind = CollectiveKind::barrier;
};

/// `type` is that of the call's events: calls of type 50000003 that have no part in communication are local,
/// others that have no meaning here are unknown.
Call call_named(std::string_view name, std::uint32_t type);

}  // namespace busline::paraver
