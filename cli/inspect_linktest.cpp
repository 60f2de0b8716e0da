#include "cli/inspect_linktest.hpp"

#include <filesystem>
#include <utility>

#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/terminal.hpp"
#include "measuring/commands/linktest_output.hpp"
#include "measuring/linktest/read_linktest.hpp"
#include "measuring/sion/layout.hpp"
#include "workloads/files/mapped_file.hpp"
#include "workloads/files/unpack.hpp"

namespace busline::cli {

bool is_container(const std::string& path) {
  if (std::filesystem::path(without_compression(path)).extension() == ".sion") return true;
  const auto head = MappedFile::head(path, sion::kMagic.size());
  return head && *head == sion::kMagic;
}

Expected<Exit> print_linktest(const std::string& path, const std::string& csv, const Invocation& invocation) {
  LinkTestReport report;
  report.name = std::filesystem::path(path).filename().string();
  auto result = linktest::read_linktest(path, report.diagnostics);
  if (!result) return tl::unexpected(std::move(result.error()));
  report.result = std::move(*result);
  if (!invocation.quiet) print_diagnostics(report.diagnostics);
  if (auto shown = show(report, {.csv = csv, .inputs = {path}, .stop = interrupted}, invocation); !shown)
    return tl::unexpected(std::move(shown.error()));
  return interrupt_exit().value_or(kDone);
}

}  // namespace busline::cli
