// busline topology traffic: traffic over a network's links, and over the equivalent buses.
#pragma once
#include <string>
#include <vector>

#include "documents/command_line/command.hpp"

namespace busline::cli {

/// The arguments that all kinds of 'busline topology' have: which network, and changes of it.
void add_topology_arguments(CLI::App& app, std::string& topology, std::vector<std::string>& sets);

Command add_topology_traffic(CLI::App& topology, Invocation& invocation);

}  // namespace busline::cli
