// busline convert: a Dimemas .cfg as a platform document.
#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "platforms/load_platform.hpp"
#include "platforms/platform_json.hpp"

namespace busline::cli {
namespace {

namespace fs = std::filesystem;

Expected<void> unwritable(const std::string& path) {
  Error e;
  e.kind = Error::Kind::unreadable;
  e.path = path;
  e.message = std::strerror(errno == 0 ? EIO : errno);
  return tl::unexpected(std::move(e));
}

// Under its final name there is never half a document: it is written beside it and renamed.
Expected<void> write(const std::string& path, const std::string& text) {
  const auto part = path + ".part";
  errno = 0;
  std::ofstream out(part, std::ios::binary);
  out << text;
  out.close();
  if (!out) {
    auto failed = unwritable(path);
    std::remove(part.c_str());
    return failed;
  }
  if (std::rename(part.c_str(), path.c_str()) != 0) {
    auto failed = unwritable(path);
    std::remove(part.c_str());
    return failed;
  }
  return {};
}

Expected<Exit> run(const std::string& from, const std::string& to, const Invocation& invocation) {
  Diagnostics diagnostics;
  const auto platform = load_platform(from, diagnostics);
  if (!platform) return tl::unexpected(platform.error());
  if (!invocation.quiet) print_diagnostics(diagnostics);
  const auto text = to_json_text(*platform);
  const bool to_stdout = to == "-";
  if (!to_stdout)
    if (auto written = write(to, text); !written) return tl::unexpected(std::move(written.error()));
  if (invocation.json)
    print_document({{"schema", "busline/conversion/1"},
                    {"from", from},
                    {"to", to},
                    {"platform", to_json(*platform)},
                    {"diagnostics", to_json(diagnostics)}},
                   invocation, {from});
  else if (to_stdout)
    fmt::print("{}", text);
  else if (!invocation.quiet)
    fmt::print("{}: {}\n", to, platform->name);
  return kDone;
}

}  // namespace

Command add_convert(CLI::App& program, Invocation& invocation) {
  auto* app = new_command(program, invocation, "convert",
                          "Write a platform as a .json document, such as a Dimemas .cfg",
                          {"busline convert machine.cfg machine.json", "busline convert machine.cfg -"});
  const auto from = std::make_shared<std::string>(), to = std::make_shared<std::string>();
  app->add_option("FROM", *from, "A Dimemas .cfg or a .json document")->type_name("")->required();
  app->add_option("TO", *to, "The .json file to write; - is standard output")->type_name("")->required();
  return {app, [from, to, &invocation] { return run(*from, *to, invocation); }};
}

}  // namespace busline::cli
