// The .sko files of SKaMPI 5 and 6: rows of the loops' variables ("count= 4"), bytes of a message, result,
// standard error, count, and times of the processes.
#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "documents/fields/printable.hpp"
#include "measuring/skampi/parameter_value.hpp"
#include "measuring/skampi/result_lines.hpp"

namespace busline::skampi {
namespace {

using measure::Pattern;
using measure::TimeOf;
using measure::Varies;

constexpr std::string_view kVersion = "# SKaMPI Version", kStarted = "# Started at",
                           kBegin = "# begin result", kEnd = "# end result", kFinishedAt = "# Finished at",
                           kScript = "#>";

// The rows of one "begin result": suites by the outer loops' variables, and by how often these rows came.
class Block {
 public:
  Block(std::string name, std::string operation, std::uint64_t line)
      : name_(std::move(name)), operation_(std::move(operation)), line_(line) {}

  /// `outer` are the variables of the outer loops, `variable` is that of the innermost, or empty.
  void add(const std::string& outer, std::string_view variable, std::uint64_t bytes, ResultRow row) {
    const auto round = rounds_[{outer, row.argument}]++;
    const auto [place, is_new] = places_.try_emplace({outer, round}, suites_.size());
    if (is_new) {
      auto& suite = suites_.emplace_back();
      suite.suite.name = outer.empty() ? name_ : fmt::format("{} {}", name_, outer);
      suite.variable = variable;
    }
    auto& suite = suites_[place->second];
    suite.bytes.push_back(bytes);
    suite.suite.rows.push_back(std::move(row));
  }

  /// The suites that it is made of; one without rows if there were none.
  std::vector<ResultSuite> take(bool complete) {
    if (suites_.empty()) suites_.emplace_back().suite.name = name_;
    std::vector<ResultSuite> taken;
    for (auto& s : suites_) {
      s.suite.operation = operation_;
      s.suite.line = line_;
      s.suite.complete = complete;
      classify(s);
      taken.push_back(std::move(s.suite));
    }
    return taken;
  }

 private:
  struct Collected {
    ResultSuite suite;
    std::string variable;
    std::vector<std::uint64_t> bytes;  // of each row
  };

  // The files do not say what varies: that is in the names.
  static void classify(Collected& c) {
    auto& suite = c.suite;
    std::size_t processes = 0;
    for (const auto& row : suite.rows) processes = std::max(processes, row.node_times.size());
    suite.processes = static_cast<std::uint32_t>(processes);
    const auto& word = suite.operation.empty() ? suite.name : suite.operation;
    if (word.starts_with("Pingpong")) {
      suite.pattern = Pattern::pingpong;
      suite.time = TimeOf::round_trip;
    } else if (processes == 1) {
      suite.pattern = Pattern::local;
      suite.time = TimeOf::call;
    } else {
      suite.pattern = Pattern::collective;
      suite.time = TimeOf::max_over_ranks;
    }
    const std::set<std::uint64_t> distinct(c.bytes.begin(), c.bytes.end());
    if (c.variable.empty()) {
      suite.varies = Varies::nothing;
    } else if (c.variable == "procs" || c.variable == "nodes") {
      suite.varies = Varies::ranks;
    } else if (distinct.size() == c.bytes.size() && (c.bytes.size() > 1 || !distinct.contains(0))) {
      // The variable counts elements of a datatype; the second column has their bytes.
      suite.varies = Varies::bytes;
      for (std::size_t i = 0; i < suite.rows.size(); ++i) suite.rows[i].argument = c.bytes[i];
    } else {
      suite.varies = Varies::chunks;  // a number of something
    }
  }

  std::string name_, operation_;
  std::uint64_t line_;
  std::vector<Collected> suites_;
  std::map<std::pair<std::string, std::size_t>, std::size_t> places_;
  std::map<std::pair<std::string, std::uint64_t>, std::size_t> rounds_;
};

class Skampi5Reader {
 public:
  Skampi5Reader(const std::string& path, Diagnostics& diagnostics) : path_(path), diagnostics_(diagnostics) {
    file_.format = ResultFile::Format::skampi5;
  }

  Expected<ResultFile> read(std::string_view text) {
    Lines lines(text);
    for (Line line; lines.next(line);) {
      if (line.text.empty()) continue;
      if (line.text.starts_with('#')) {
        read_comment(line);
      } else if (auto read = read_row(line); !read) {
        return tl::unexpected(std::move(read.error()));
      }
    }
    close(false);
    if (!file_.finished)
      warn_incomplete(file_, path_, fmt::format("the line '{}' is missing", kFinishedAt), diagnostics_);
    return std::move(file_);
  }

 private:
  void read_comment(const Line& line) {
    const auto text = line.text;
    if (text.starts_with(kVersion)) {
      file_.head.emplace_back("VERSION", clean_text(text.substr(kVersion.size())));
    } else if (text.starts_with(kStarted)) {
      file_.head.emplace_back("TIME", clean_text(text.substr(kStarted.size())));
    } else if (text.starts_with(kScript)) {
      // The script is repeated before the results; "measure comm : Operation(...)" is in it.
      if (const auto call = between(text, "measure ", "("))
        if (const auto colon = call->rfind(':'); colon != std::string_view::npos)
          operation_ = clean_text(call->substr(colon + 1));
    } else if (text.starts_with(kBegin)) {
      close(false);
      const auto name = between(text, "\"", "\"").value_or(trimmed(text.substr(kBegin.size())));
      block_.emplace(clean_text(name), std::exchange(operation_, {}), line.number);
    } else if (text.starts_with(kEnd)) {
      close(true);
    } else if (text.starts_with(kFinishedAt)) {
      file_.finished = line.whole;
    } else if (const auto host = between(text, "# rank ", ":"); host && text.starts_with("#P[")) {
      const auto begin = host->data() + host->size() + 1;
      file_.hosts.push_back(clean_text({begin, static_cast<std::size_t>(text.data() + text.size() - begin)}));
    }
  }

  Expected<void> read_row(const Line& line) {
    if (!block_) {
      Error e;
      e.path = path_;
      e.line = line.number;
      e.message = fmt::format("'{}' is outside any result, expected a line with #", printable(line.text));
      e.hint = fmt::format("rows follow a line '{} \"NAME\"'", kBegin);
      return tl::unexpected(std::move(e));
    }
    if (!line.whole) {
      warn_cut_row(line, path_, diagnostics_);
      return {};
    }
    const auto columns = columns_of(line.text);
    std::size_t at = 0;
    std::string outer;
    std::string_view variable, value;
    for (; at + 1 < columns.size() && columns[at].ends_with('='); at += 2) {
      if (!variable.empty())
        outer += fmt::format("{}{}={}", outer.empty() ? "" : " ", clean_text(variable), clean_text(value));
      variable = columns[at].substr(0, columns[at].size() - 1);
      value = columns[at + 1];
    }
    ResultRow row;
    if (!variable.empty()) {
      RowReader reader(path_, line, {&value, 1});
      row.argument = reader.whole("variable");
      if (!reader.ok()) return tl::unexpected(reader.error());
    }
    RowReader reader(path_, line, std::span(columns).subspan(at));
    const auto bytes = reader.whole("number of bytes");
    row.cleaned = row.all = reader.result();
    row.node_times = reader.node_times();
    if (!reader.ok()) return tl::unexpected(reader.error());
    if (reader.any_below_zero()) warn_below_zero(line, path_, diagnostics_);
    block_->add(outer, variable, bytes, std::move(row));
    return {};
  }

  void close(bool complete) {
    if (!block_) return;
    for (auto& suite : block_->take(complete)) {
      suite.name = names_(suite.name);
      file_.suites.push_back(std::move(suite));
    }
    block_.reset();
  }

  const std::string& path_;
  Diagnostics& diagnostics_;
  ResultFile file_;
  UniqueNames names_;
  std::string operation_;
  std::optional<Block> block_;
};

}  // namespace

Expected<ResultFile> parse_skampi5(std::string_view text, const std::string& path, Diagnostics& diagnostics) {
  return Skampi5Reader(path, diagnostics).read(text);
}

}  // namespace busline::skampi
