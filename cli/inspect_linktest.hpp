// busline inspect of a LinkTest result: times between all ranks.
#pragma once
#include <string>

#include "documents/command_line/command.hpp"

namespace busline::cli {

/// Whether the file is, by its name or its first bytes, a SION container, the format of LinkTest results.
bool is_container(const std::string& path);

/// A page or a document on stdout, and a table of all pairs in the file `csv` if that is not empty; "-": only
/// the table, on stdout.
Expected<Exit> print_linktest(const std::string& path, const std::string& csv, const Invocation& invocation);

}  // namespace busline::cli
