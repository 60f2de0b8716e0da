#include "measuring/commands/import_options.hpp"

#include "measuring/import/suite_list.hpp"

namespace busline::cli {

void add_import_options(CLI::App& command, measure::ImportOptions& options) {
  constexpr std::uint32_t kMost = measure::kMostImportedRanks;
  const auto add = [&](const char* name, std::uint32_t& value, const char* help) {
    command.add_option(name, value, help)
        ->type_name("N")
        ->check(CLI::Range(1U, kMost).description(""))
        ->group("Result files of other benchmarks");
  };
  add("--ranks", options.ranks, "Number of ranks where a file does not record it (OSU collectives)");
  add("--ranks-per-node", options.ranks_per_node,
      "Ranks per node, in order, where a file does not record the placement [1]");
}

}  // namespace busline::cli
