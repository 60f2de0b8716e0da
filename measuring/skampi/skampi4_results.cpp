// Result files of SKaMPI 3 and 4: rows of argument, result, standard error and count of the cleaned samples,
// the same of all samples, and times of the processes. Rows of Sphinx have a standard deviation and no second
// triple.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "documents/fields/printable.hpp"
#include "measuring/measurement/variation.hpp"
#include "measuring/skampi/parameter_value.hpp"
#include "measuring/skampi/result_lines.hpp"

namespace busline::skampi {
namespace {

using measure::Pattern;
using measure::TimeOf;
using measure::Varies;

struct Kind {
  std::string_view name;
  Pattern pattern;
  TimeOf time;
};
// In the name of a suite: #/*@inp2p_NAME.ski*/.
constexpr std::array<Kind, 5> kSkampi4Kinds{{{"p2p", Pattern::pingpong, TimeOf::round_trip},
                                             {"mw", Pattern::master_worker, TimeOf::root},
                                             {"col", Pattern::collective, TimeOf::root},
                                             {"syncol", Pattern::collective, TimeOf::max_over_ranks},
                                             {"simple", Pattern::local, TimeOf::call}}};

constexpr std::uint32_t kMostProcesses = 1U << 20U;  // that a line of text is trusted to tell

ResultSuite suite_named(std::string_view text, std::uint64_t line) {
  ResultSuite suite;
  suite.line = line;
  const auto kind = text.substr(0, text.find('_'));
  for (const auto& k : kSkampi4Kinds)
    if (kind == k.name) {
      suite.pattern = k.pattern;
      suite.time = k.time;
      text.remove_prefix(std::min(kind.size() + 1, text.size()));
      break;
    }
  suite.name = clean_text(text);
  suite.varies = suite.pattern == Pattern::local                   ? Varies::nothing
                 : suite.name.find("-nodes") != std::string::npos  ? Varies::ranks
                 : suite.name.find("-chunks") != std::string::npos ? Varies::chunks
                                                                   : Varies::bytes;
  return suite;
}

class Skampi4Reader {
 public:
  Skampi4Reader(const std::string& path, Diagnostics& diagnostics) : path_(path), diagnostics_(diagnostics) {}

  Expected<ResultFile> read(std::string_view text) {
    Lines lines(text);
    for (Line line; lines.next(line);) {
      if (line.text.empty()) continue;
      if (line.text.starts_with('#') || line.text.starts_with("/*")) {
        read_comment(line);
      } else if (line.text.starts_with(kFinished)) {
        file_.finished = true;
      } else if (auto read = read_row(line); !read) {
        return tl::unexpected(std::move(read.error()));
      }
    }
    if (!file_.finished)
      warn_incomplete(file_, path_, fmt::format("its last line is not '{}'", kFinished), diagnostics_);
    return std::move(file_);
  }

 private:
  void read_comment(const Line& line) {
    if (const auto name = between(line.text, "@in", ".ski*/")) {
      file_.suites.push_back(suite_named(*name, line.number));
      auto& suite = file_.suites.back();
      suite.name = names_(suite.name);
      open_ = true;
      in_head_ = false;
    } else if (line.text == "#eol") {
      if (open_) file_.suites.back().complete = line.whole;
      open_ = false;
    } else if (line.text.starts_with("#@") && file_.suites.empty()) {
      const auto key = line.text.substr(2, line.text.find_first_of(" \t") - 2);
      file_.head.emplace_back(clean_text(key), clean_text(line.text.substr(2 + key.size())));
      in_head_ = true;
    } else if (line.text.starts_with("#-")) {
      in_head_ = false;
    } else if (in_head_) {
      file_.head.back().second += "\n" + clean_text(line.text.substr(1));
    } else if (open_) {
      describe(file_.suites.back(), line.text);
    }
  }

  // What the lines of a suite's description tell.
  static void describe(ResultSuite& suite, std::string_view text) {
    if (const auto over = between(text, "varied over ", "."); over && text.starts_with("#Pattern:"))
      for (const auto& v : measure::variations())
        if (!v.skampi.empty() && over->starts_with(v.words)) suite.varies = v.varies;
    constexpr std::string_view kOperation = "#Operation:";
    if (text.starts_with(kOperation)) suite.operation = clean_text(text.substr(kOperation.size()));
    if (const auto nodes = between(text, "#default values: ", " nodes"))
      if (std::from_chars(nodes->data(), nodes->data() + nodes->size(), suite.processes);
          suite.processes > kMostProcesses)
        suite.processes = 0;
  }

  Expected<void> read_row(const Line& line) {
    if (!open_) {
      Error e;
      e.path = path_;
      e.line = line.number;
      e.message = fmt::format("'{}' is outside any suite, expected a line with #", printable(line.text));
      e.hint = "a suite starts with a line such as #/*@inp2p_NAME.ski*/";
      return tl::unexpected(std::move(e));
    }
    if (!line.whole) {
      warn_cut_row(line, path_, diagnostics_);
      return {};
    }
    auto columns = columns_of(line.text);
    ResultRow row;
    constexpr std::size_t kSphinxColumns = 4;
    while (columns.size() > kSphinxColumns && columns.back()[0] >= 'A' && columns.back()[0] <= 'Z') {
      if (columns.back() == "UNSETTLED") row.settled = false;
      columns.pop_back();
    }
    RowReader reader(path_, line, columns);
    row.argument = reader.whole("argument");
    row.cleaned = reader.result();
    if (columns.size() == kSphinxColumns) {
      if (row.cleaned.count > 0)
        row.cleaned.standard_error /= std::sqrt(static_cast<double>(row.cleaned.count));
      row.all = row.cleaned;
    } else {
      row.all = reader.result();
      row.node_times = reader.node_times();
    }
    if (!reader.ok()) return tl::unexpected(reader.error());
    if (reader.any_below_zero()) warn_below_zero(line, path_, diagnostics_);
    file_.suites.back().rows.push_back(std::move(row));
    return {};
  }

  const std::string& path_;
  Diagnostics& diagnostics_;
  ResultFile file_;
  UniqueNames names_;
  bool open_ = false, in_head_ = false;
};

}  // namespace

Expected<ResultFile> parse_skampi4(std::string_view text, const std::string& path, Diagnostics& diagnostics) {
  return Skampi4Reader(path, diagnostics).read(text);
}

}  // namespace busline::skampi
