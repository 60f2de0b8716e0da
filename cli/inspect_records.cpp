#include "cli/inspect_records.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/terminal.hpp"
#include "studies/traces/record_view.hpp"
#include "studies/traces/trace_header_report.hpp"
#include "workloads/dumpi/format/call_reader.hpp"
#include "workloads/dumpi/format/record_counts.hpp"

namespace busline::cli {
namespace {

using namespace dumpi;

// A file as far as it can be read, and what is wrong with it.
struct Opened {
  TraceFile file;
  std::optional<Error> damage;
};

Expected<Opened> open(const std::string& path, Diagnostics& diagnostics) {
  auto whole = TraceFile::open(path, diagnostics);
  if (whole) return Opened{std::move(*whole), std::nullopt};
  Diagnostics told_by_the_error;
  auto rest = TraceFile::open(path, told_by_the_error, Opening::salvage);
  if (!rest) return tl::unexpected(std::move(whole.error()));
  return Opened{std::move(*rest), std::move(whole.error())};
}

// Records on stdout, as lines or as the elements of a document.
class Printer {
 public:
  Printer(const RecordQuery& query, const TraceFile& file, const Invocation& invocation)
      : invocation_(invocation),
        file_(file),
        view_(file),
        limits_(query.full ? RecordLimits::none() : RecordLimits()) {}

  void follow(const Record& r) { view_.follow(r); }
  void print(const Record& r) {
    if (printed_++ == 0) begin();
    put(invocation_.json ? document_.element(view_.json(r)) : view_.line(r, limits_));
  }
  std::uint64_t printed() const { return printed_; }

  /// `complete`: all requested records are present.
  void finish(bool complete, const Diagnostics& diagnostics) {
    if (!invocation_.json) return;
    if (printed_ == 0) begin();
    put(document_.end({{"record_count", printed_},
                       {"complete", complete},
                       {"diagnostics", to_json(diagnostics)},
                       {"provenance", to_json(provenance(invocation_, {file_.path()}))}}));
  }

 private:
  void begin() {
    put(invocation_.json
            ? document_.begin({{"schema", "busline/trace-records/1"}, {"file", file_.path()}}, "records")
            : view_.heading());
  }
  static void put(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

  const Invocation& invocation_;
  const TraceFile& file_;
  RecordView view_;
  RecordLimits limits_;
  LongDocument document_;
  std::uint64_t printed_ = 0;
};

Error begins_beyond(const RecordQuery& query, std::uint64_t records) {
  return option_error("--records",
                      fmt::format("begins with record {}, but the file has {}", query.range.first, records));
}

}  // namespace

Expected<Exit> print_header(const std::string& trace, std::optional<std::uint32_t> rank, bool full,
                            const Invocation& invocation) {
  Diagnostics diagnostics;
  const auto path = rank_file(trace, rank, diagnostics);
  if (!path) return tl::unexpected(path.error());
  const auto opened = open(*path, diagnostics);
  if (!opened) return tl::unexpected(opened.error());
  if (!invocation.quiet) print_diagnostics(diagnostics);
  auto document = header_json(opened->file);
  document["diagnostics"] = to_json(diagnostics);
  if (invocation.json)
    print_document(std::move(document), invocation, {*path});
  else
    fmt::print("{}", header_text(opened->file, full));
  if (opened->damage) return tl::unexpected(*opened->damage);
  return kDone;
}

Expected<Exit> print_records(const RecordQuery& query, const Invocation& invocation) {
  Diagnostics diagnostics;
  const auto path = rank_file(query.trace, query.rank, diagnostics);
  if (!path) return tl::unexpected(path.error());
  const auto opened = open(*path, diagnostics);
  if (!opened) return tl::unexpected(opened.error());
  if (!invocation.quiet) print_diagnostics(diagnostics);

  const auto& wanted = query.functions;
  Printer printer(query, opened->file, invocation);
  CallReader reader(opened->file);
  std::uint64_t read = 0;
  RecordCounts counts{};
  bool all_read = false;
  while (read < query.range.last && !interrupted() && std::ferror(stdout) == 0) {
    const Record* const r = reader.next();
    if (r == nullptr) {
      all_read = true;
      break;
    }
    ++read;
    ++counts[r->function];
    printer.follow(*r);
    if (read < query.range.first) continue;
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), r->function) != wanted.end())
      printer.print(*r);
  }
  auto damage = opened->damage ? opened->damage : reader.error();
  if (!damage && all_read) damage = check_record_counts(opened->file, counts);
  if (!damage && !interrupted() && read < query.range.first)
    return tl::unexpected(begins_beyond(query, read));
  printer.finish(!damage && !interrupted(), diagnostics);
  if (damage) return tl::unexpected(*damage);
  return interrupt_exit().value_or(kDone);
}

}  // namespace busline::cli
