// busline inspect --stats: what a DUMPI trace says of the traced run.
#pragma once
#include <string>

#include "cli/command.hpp"

namespace busline::cli {

/// `trace`: a .meta file, a folder with one, or the .bin file of a single rank. `all_ranks`: on the page,
/// too.
Expected<Exit> print_statistics(const std::string& trace, bool all_ranks, const Invocation& invocation);

}  // namespace busline::cli
