// Distinguishes the kinds of sends and of collectives. For the class of a call see call_class.hpp.
#pragma once
#include <cstdint>
#include <optional>

#include "sim/program/collective.hpp"
#include "sim/program/program_builder.hpp"
#include "workloads/dumpi/compile/call_class.hpp"
#include "workloads/dumpi/format/blocking_form.hpp"

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

/// The kind of collective of a call; collective file operations have a single kind. The caller distinguishes
/// Init and Finalize.
std::optional<CollectiveKind> collective_kind(std::uint16_t function);
/// The same of a blocking_form(), so that a persistent collective has one, too.
std::optional<CollectiveKind> collective_kind_of_form(std::uint16_t function);

/// Whether the call of MPI-3 begins an operation, or makes a persistent one, that its last argument names.
constexpr bool makes_request(std::uint16_t function) {
  return function >= kFirstMpi3 && kLayouts[function].all[request_argument(function)].name == "request";
}
constexpr bool makes_persistent_request(std::uint16_t function) {
  return makes_request(function) && kFunctionTable[function].name.ends_with("_init");
}

}  // namespace busline::dumpi
