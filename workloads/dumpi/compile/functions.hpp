// What the calls of a trace mean for a simulation.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "sim/collective.hpp"
#include "sim/program_builder.hpp"
#include "workloads/dumpi/format/function_table.hpp"

namespace busline::dumpi {

/// Calls that send one message: MPI_Send and its modes, their non-blocking and their persistent forms.
struct SendCall {
  SendMode mode = SendMode::standard;
  bool blocking = true, persistent = false;
};
constexpr std::optional<SendCall> send_call(std::uint16_t function) {
  using enum SendMode;
  switch (function) {
    case function_id("MPI_Send"):
    case function_id("MPI_Rsend"):
      return SendCall{standard, true, false};
    case function_id("MPI_Ssend"):
      return SendCall{synchronous, true, false};
    case function_id("MPI_Bsend"):
      return SendCall{buffered, true, false};
    case function_id("MPI_Isend"):
    case function_id("MPI_Irsend"):
      return SendCall{standard, false, false};
    case function_id("MPI_Issend"):
      return SendCall{synchronous, false, false};
    case function_id("MPI_Ibsend"):
      return SendCall{buffered, false, false};
    case function_id("MPI_Send_init"):
    case function_id("MPI_Rsend_init"):
      return SendCall{standard, false, true};
    case function_id("MPI_Ssend_init"):
      return SendCall{synchronous, false, true};
    case function_id("MPI_Bsend_init"):
      return SendCall{buffered, false, true};
    default:
      return std::nullopt;
  }
}

/// Calls that make or end no handle but requests: sends, receives, and the calls that complete them. They are
/// most of a trace, and what follows other handles need not see them.
constexpr bool leaves_handles(std::uint16_t function) {
  constexpr auto kTable = [] {
    std::array<bool, kFunctions> table{};
    for (std::uint16_t f = 0; f < kFunctions; ++f) table[f] = send_call(f).has_value();
    for (const auto f : {function_id("MPI_Recv"), function_id("MPI_Irecv"), function_id("MPI_Recv_init"),
                         function_id("MPI_Sendrecv"), function_id("MPI_Start"), function_id("MPI_Startall"),
                         function_id("MPI_Wait"), function_id("MPI_Waitall"), function_id("MPI_Waitany"),
                         function_id("MPI_Waitsome"), function_id("MPI_Test"), function_id("MPI_Testall"),
                         function_id("MPI_Testany"), function_id("MPI_Testsome"), function_id("MPI_Iprobe")})
      table[f] = true;
    return table;
  }();
  return kTable[function];
}

/// The kind of collective that a call is; file operations that all ranks make are of one kind. Init and
/// Finalize are told apart by the caller.
std::optional<CollectiveKind> collective_kind(std::uint16_t function);

/// One-sided communication, apart from the calls on windows that are collective.
bool is_one_sided(std::uint16_t function);

/// Calls whose effect is not simulated: file access, dynamic processes.
bool is_not_simulated(std::uint16_t function);

/// Calls that send, receive or synchronise, so that a partner misses them if they were not recorded.
bool has_partner(std::uint16_t function);

}  // namespace busline::dumpi
