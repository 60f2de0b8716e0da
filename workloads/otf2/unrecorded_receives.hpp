// Finds the messages of receives of which an archive does not record what they received: EZTrace 2.0 leaves
// that out of the traces of programs in C.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"
#include "workloads/otf2/notices.hpp"

namespace busline::otf2 {

/// Closes the open receives of `program`: they get those messages to their ranks that no other receive takes.
///
/// Where these come from one rank, MPI keeps their order, and there is one reading. Otherwise they are
/// received in the order in which they would arrive if each call that blocks took the same time and others
/// took none: then the ranks of a regular program advance together, and a rank meets a message of this round
/// before one of the next. So what is made of it can happen in a run of the program.
///
/// A rank may have more receives than messages: those of a call that sends to MPI_PROC_NULL, too
/// (`null_sends`, positions in ascending order), are taken for receives from there, and so are those for
/// which no message is left.
///
/// The error is text: not all receives could get a message. Each rank has one strand. Cost: n log n in
/// messages.
tl::expected<Program, std::string> close_unrecorded_receives(const Program& program,
                                                             const std::vector<std::uint64_t>& null_sends,
                                                             Notices& notices);

/// EZTrace records that all non-blocking receives were on MPI_COMM_WORLD, with the sender's rank in the
/// communicator that they were on. Moves those of a sender and tag to the one communicator on which nobody
/// received as many messages of that rank and tag, if nobody sent them on the world. Cost: n log n in
/// channels.
Program restore_communicators(const Program& program, Notices& notices);

}  // namespace busline::otf2
