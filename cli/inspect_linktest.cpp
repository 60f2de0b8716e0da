#include "cli/inspect_linktest.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <filesystem>
#include <utility>

#include "cli/interrupt.hpp"
#include "cli/terminal.hpp"
#include "studies/linktest_report.hpp"
#include "validation/measure/linktest/read_linktest.hpp"
#include "validation/measure/sion/layout.hpp"
#include "workloads/mapped_file.hpp"
#include "workloads/output_file.hpp"
#include "workloads/unpack.hpp"

namespace busline::cli {
namespace {

// Calls `use` with the number of each iteration and each of its ranks, until it fails or somebody interrupts.
template <class Use>
Expected<void> for_each_row(const LinkTestReport& report, Use use) {
  for (std::size_t i = 0; i < report.result.iterations.size(); ++i)
    for (std::uint32_t rank = 0; rank < report.result.ranks() && !interrupted(); ++rank)
      if (Expected<void> done = use(i, rank); !done) return done;
  return {};
}

void put(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void print_csv(const LinkTestReport& report) {
  const LinkTestTable table(report);
  put(table.heading());
  (void)for_each_row(report, [&](std::size_t i, std::uint32_t rank) -> Expected<void> {
    put(table.lines(i, rank));
    return {};
  });
}

Expected<void> write_csv(const LinkTestReport& report, const std::string& path) {
  auto file = OutputFile::create(path);
  if (!file) return tl::unexpected(std::move(file.error()));
  const LinkTestTable table(report);
  auto written = file->write(table.heading()).and_then([&] {
    return for_each_row(report,
                        [&](std::size_t i, std::uint32_t rank) { return file->write(table.lines(i, rank)); });
  });
  if (!written || interrupted()) return written;
  return file->commit();
}

// The matrix may be long: a row at a time.
void print_document(const LinkTestReport& report, const std::string& path, const Invocation& invocation) {
  LongDocument document;
  put(document.begin(to_json(report), kLinkTestRows));
  (void)for_each_row(report, [&](std::size_t i, std::uint32_t rank) -> Expected<void> {
    put(document.element(row_json(report, i, rank)));
    return {};
  });
  put(document.end({{"provenance", to_json(provenance(invocation, {path}))}}));
}

}  // namespace

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
  if (csv == "-") {
    print_csv(report);
    return interrupt_exit().value_or(kDone);
  }
  if (!csv.empty())
    if (auto written = write_csv(report, csv); !written) return tl::unexpected(std::move(written.error()));
  if (const auto stopped = interrupt_exit()) return *stopped;
  if (invocation.json)
    print_document(report, path, invocation);
  else
    fmt::print("{}", to_text(report));
  return interrupt_exit().value_or(kDone);
}

}  // namespace busline::cli
