// busline diff: two results, or the results of two studies (docs/how-to/studies.md).
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/commands.hpp"
#include "studies/study/difference.hpp"

namespace busline::cli {
namespace {

struct DiffArguments {
  std::string first, second;
};

Expected<Exit> run_diff(const DiffArguments& options, const Invocation& invocation) {
  const auto first = read_comparable_runs(options.first);
  if (!first) return tl::unexpected(first.error());
  const auto second = read_comparable_runs(options.second);
  if (!second) return tl::unexpected(second.error());
  const auto difference = difference_of(*first, *second);
  if (invocation.json)
    print_document(to_json(difference), invocation, {options.first, options.second});
  else
    fmt::print("{}", to_text(difference));
  return kDone;
}

}  // namespace

Command add_diff(CLI::App& program, Invocation& invocation) {
  auto* app =
      new_command(program, invocation, "diff", "Compare the results of two simulations or two studies",
                  {"busline diff before.sqlite after.sqlite",
                   "busline diff 4-buses.json 8-buses.json   # from 'busline simulate --json'"});
  const auto options = std::make_shared<DiffArguments>();
  app->add_option("FIRST", options->first, "A results file or a result document")->type_name("")->required();
  app->add_option("SECOND", options->second, "The one to compare with it")->type_name("")->required();
  return {app, [options, &invocation] { return run_diff(*options, invocation); }};
}

}  // namespace busline::cli
