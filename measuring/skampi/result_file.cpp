#include "measuring/skampi/result_file.hpp"

#include <algorithm>
#include <utility>

#include "documents/fields/text_file.hpp"
#include "measuring/skampi/result_lines.hpp"

namespace busline::skampi {
namespace {

constexpr double kPicosecondsPerMicrosecond = 1e6;

measure::Point to_point(const ResultRow& row, measure::Varies varies) {
  measure::Point p;
  p.argument = varies == measure::Varies::nothing ? 0 : row.argument;
  p.result_ps = {row.cleaned.value * kPicosecondsPerMicrosecond,
                 row.cleaned.standard_error * kPicosecondsPerMicrosecond};
  p.count = row.cleaned.count;
  p.settled = row.settled;
  for (const auto t : row.node_times) p.node_results_ps.push_back(t * kPicosecondsPerMicrosecond);
  return p;
}

measure::Suite to_suite(const ResultSuite& from) {
  measure::Suite suite;
  suite.name = from.name;
  suite.operation = from.operation.empty() ? from.name : from.operation;
  suite.pattern = from.pattern;
  suite.time = from.time;
  suite.varies = from.varies;
  for (std::uint32_t rank = 0; rank < from.processes; ++rank) suite.ranks.push_back(rank);
  for (const auto& row : from.rows) suite.points.push_back(to_point(row, from.varies));
  // A document wants ascending arguments without repeats; of several the first counts.
  std::stable_sort(suite.points.begin(), suite.points.end(),
                   [](const measure::Point& a, const measure::Point& b) { return a.argument < b.argument; });
  suite.points.erase(
      std::unique(suite.points.begin(), suite.points.end(),
                  [](const measure::Point& a, const measure::Point& b) { return a.argument == b.argument; }),
      suite.points.end());
  return suite;
}

}  // namespace

std::string_view ResultFile::head_text(std::string_view key) const {
  const auto at =
      std::find_if(head.begin(), head.end(), [&](const auto& entry) { return entry.first == key; });
  return at == head.end() ? std::string_view{} : std::string_view(at->second);
}

bool looks_like_results(std::string_view begin) {
  return begin.find("# SKaMPI Version") != std::string_view::npos ||
         begin.find("# begin result") != std::string_view::npos ||
         begin.find("#/*@in") != std::string_view::npos || begin.starts_with("#@");
}

Expected<ResultFile> parse_results(std::string_view text, const std::string& path, Diagnostics& diagnostics) {
  if (!looks_like_results(text)) {
    return refuse_file(Error::Kind::bad_input, path,
                       "is not a SKaMPI result: it contains neither '# SKaMPI Version' nor '#/*@in'");
  }
  const bool is_skampi5 = text.find("# SKaMPI Version") != std::string_view::npos ||
                          text.find("# begin result") != std::string_view::npos;
  return is_skampi5 ? parse_skampi5(text, path, diagnostics) : parse_skampi4(text, path, diagnostics);
}

Expected<ResultFile> read_results(const std::string& path, Diagnostics& diagnostics) {
  const auto text = read_text_file(path, kLargestResultFile);
  if (!text) return tl::unexpected(text.error());
  return parse_results(*text, path, diagnostics);
}

measure::Measurement to_measurement(const ResultFile& file) {
  measure::Measurement m;
  const bool simulated = file.head_text("TESTBED") == "simulated";
  m.testbed = simulated ? measure::TestbedKind::simulated : measure::TestbedKind::mpi;
  const auto name = file.head_text("MACHINE");
  m.machine.name = name.empty() ? "unknown machine" : name.substr(0, name.find('\n'));
  // The file names the host of each process; the machine has each of them once.
  for (const auto& host : file.hosts)
    if (std::find(m.machine.nodes.begin(), m.machine.nodes.end(), host) == m.machine.nodes.end())
      m.machine.nodes.push_back(host);
  for (const auto& suite : file.suites)
    if (!suite.rows.empty()) m.suites.push_back(to_suite(suite));
  return m;
}

}  // namespace busline::skampi
