#include "cli/inspect_skampi.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <filesystem>
#include <utility>

#include "documents/command_line/terminal.hpp"
#include "measuring/commands/measure.hpp"
#include "measuring/skampi/result_file.hpp"
#include "measuring/tables/skampi_report.hpp"
#include "workloads/files/mapped_file.hpp"

namespace busline::cli {

bool is_skampi_result(const std::string& path) {
  constexpr std::size_t kBegin = 4096;  // the head of a file and its first suite
  const auto head = MappedFile::head(path, kBegin);
  return head && skampi::looks_like_results(*head);
}

Expected<Exit> print_skampi(const std::string& path, const Invocation& invocation) {
  Diagnostics diagnostics;
  const auto file = skampi::read_results(path, diagnostics);
  if (!file) return tl::unexpected(file.error());
  if (!invocation.quiet) print_diagnostics(diagnostics);
  if (!invocation.json) {
    fmt::print("{}", to_text(std::filesystem::path(path).filename().string(), *file));
    return kDone;
  }
  if (auto delivered = deliver(skampi::to_measurement(*file), "", invocation, {path}); !delivered)
    return tl::unexpected(std::move(delivered.error()));
  return kDone;
}

}  // namespace busline::cli
