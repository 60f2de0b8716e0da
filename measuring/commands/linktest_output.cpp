#include "measuring/commands/linktest_output.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "workloads/files/output_file.hpp"

namespace busline::cli {
namespace {

using PutText = std::function<Expected<void>(const std::string& text)>;

Expected<void> print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  return {};
}

// Puts the text of each initiator of each iteration. False if it was stopped.
Expected<bool> put_rows(const LinkTestReport& report, const LinkTestOutput& output,
                        const std::function<std::string(std::size_t, std::uint32_t)>& row,
                        const PutText& put) {
  for (std::size_t i = 0; i < report.result.iterations.size(); ++i)
    for (std::uint32_t rank = 0; rank < report.result.ranks(); ++rank) {
      if (output.stop()) return false;
      if (auto done = put(row(i, rank)); !done) return tl::unexpected(std::move(done.error()));
    }
  return true;
}

Expected<bool> put_table(const LinkTestReport& report, const LinkTestOutput& output, const PutText& put) {
  const LinkTestTable table(report);
  if (auto done = put(table.heading()); !done) return tl::unexpected(std::move(done.error()));
  return put_rows(
      report, output, [&](std::size_t i, std::uint32_t rank) { return table.lines(i, rank); }, put);
}

Expected<void> write_table(const LinkTestReport& report, const LinkTestOutput& output) {
  auto file = OutputFile::create(output.csv);
  if (!file) return tl::unexpected(std::move(file.error()));
  const auto whole = put_table(report, output, [&](const std::string& text) { return file->write(text); });
  if (!whole) return tl::unexpected(whole.error());
  return *whole ? file->commit() : Expected<void>();
}

// The matrix may be long: a row at a time.
void print_document(const LinkTestReport& report, const LinkTestOutput& output,
                    const Invocation& invocation) {
  LongDocument document;
  (void)print(document.begin(to_json(report), kLinkTestRows));
  (void)put_rows(
      report, output,
      [&](std::size_t i, std::uint32_t rank) { return document.element(row_json(report, i, rank)); }, print);
  (void)print(document.end({{"provenance", to_json(provenance(invocation, output.inputs))}}));
}

}  // namespace

Expected<void> show(const LinkTestReport& report, const LinkTestOutput& output,
                    const Invocation& invocation) {
  if (output.csv == "-") {
    (void)put_table(report, output, print);
    return {};
  }
  if (!output.csv.empty())
    if (auto written = write_table(report, output); !written) return written;
  if (!output.page || output.stop()) return {};
  if (invocation.json)
    print_document(report, output, invocation);
  else
    fmt::print("{}", to_text(report));
  return {};
}

}  // namespace busline::cli
