// busline schema: the JSON Schemas of documents that are read and written.
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/schemas.hpp"

namespace busline::cli {
namespace {

std::string title(const Schema& schema) {
  return nlohmann::json::parse(schema.text).value("title", "");
}

void list(const Invocation& invocation) {
  if (!invocation.json) {
    for (const auto& s : schemas()) fmt::print("{:<22}{}\n", s.name, title(s));
    return;
  }
  auto all = nlohmann::ordered_json::array();
  for (const auto& s : schemas()) all.push_back({{"name", s.name}, {"title", title(s)}});
  print_document({{"schema", "busline/schemas/1"}, {"schemas", std::move(all)}}, invocation, {});
}

}  // namespace

Command add_schema(CLI::App& program, Invocation& invocation) {
  auto* app =
      new_command(program, invocation, "schema", "Print the JSON Schema of a document, or list all schemas",
                  {"busline schema", "busline schema platform > platform.schema.json"});
  std::vector<std::string> names;
  for (const auto& s : schemas()) names.emplace_back(s.name);
  const auto name = std::make_shared<std::string>();
  app->add_option("NAME", *name, "Document whose schema to print (default: list all)")
      ->type_name("")
      ->check(CLI::IsMember(std::move(names)));
  return {app, [name, &invocation]() -> Expected<Exit> {
            if (name->empty()) list(invocation);
            for (const auto& s : schemas())
              if (s.name == *name) fmt::print("{}", s.text);
            return kDone;
          }};
}

}  // namespace busline::cli
