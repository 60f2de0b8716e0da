#include "cli/written_workload.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/terminal.hpp"
#include "documents/text/readable.hpp"

namespace busline::cli {

namespace fs = std::filesystem;

Expected<void> check_workload_name(const std::string& path) {
  if (output_format(path) != nullptr) return {};
  return refuse_file(Error::Kind::bad_option, path,
                     fmt::format("to write a workload, name a file that ends in {}", output_extensions()),
                     "'busline convert --help' lists the formats");
}

Expected<Exit> write_and_tell(const Workload& workload, const Origin& origin, const std::string& path,
                              nlohmann::ordered_json document, const Invocation& invocation,
                              Diagnostics diagnostics, const GoalOutput& goal) {
  ProgressBar bar(!invocation.quiet, "writing");
  const auto written = write_workload(
      workload, origin, path, diagnostics,
      [&bar](double share) {
        bar.show(share);
        return !interrupted();
      },
      goal);
  if (!invocation.quiet) print_diagnostics(diagnostics);
  if (!written) return tl::unexpected(written.error());
  if (!*written) return interrupt_exit().value_or(kInterrupted);

  const auto* const format = output_format(path);
  const auto& program = workload.program;
  const auto files = workload_files(path, {});
  std::uint64_t bytes = 0;
  for (const auto& f : files) {
    std::error_code unknown;
    if (const auto size = fs::file_size(f, unknown); !unknown) bytes += size;
  }
  if (invocation.json) {
    document["format"] = format->name;
    document["rank_count"] = program.ranks();
    document["operations"] = program.operations().size();
    document["files"] = files;
    document["bytes"] = bytes;
    document["diagnostics"] = to_json(diagnostics);
    print_document(std::move(document), invocation, workload.files);
  } else if (!invocation.quiet) {
    fmt::print("{}: {} of {} ranks, {} operations, {}\n", path, format->name,
               readable(std::uint64_t{program.ranks()}), readable(std::uint64_t{program.operations().size()}),
               readable(Bytes{bytes}));
  }
  return kDone;
}

}  // namespace busline::cli
