// What a preloaded library says of a program that it cannot see: of another MPI library, or without a call.
#pragma once

namespace busline::tracer {

/// The library's name in its messages: each library defines its own.
extern const char* const kLibraryName;

/// MPI_Init came. Without it, the process says when it ends why no call was seen, unless it has nothing to do
/// with MPI: then it may be a shell or a launcher.
void note_program_seen();

}  // namespace busline::tracer
