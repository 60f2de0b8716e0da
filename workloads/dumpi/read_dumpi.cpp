#include "workloads/dumpi/read_dumpi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "workloads/dumpi/compile/communicators.hpp"
#include "workloads/dumpi/compile/partial_trace.hpp"
#include "workloads/dumpi/compile/rank_compiler.hpp"
#include "workloads/dumpi/compile/survey.hpp"
#include "workloads/dumpi/format/meta_file.hpp"

namespace busline {
namespace {

using namespace dumpi;

// What the first pass gathered.
struct Trace {
  std::vector<std::string> paths;  // of the rank files
  std::vector<RankSurvey> surveys;
  std::optional<Duration> run_time;
  bool with_init = true, with_finalize = true;  // all ranks have the record
};

// Tells if only some of the ranks have a record of a call that all must make.
bool in_all(const Trace& trace, bool RankSurvey::*has, const char* call, Diagnostics& diagnostics) {
  const auto& ranks = trace.surveys;
  const auto without =
      std::find_if(ranks.begin(), ranks.end(), [&](const RankSurvey& r) { return !(r.*has); });
  if (without == ranks.end()) return true;
  const auto rank = static_cast<std::uint32_t>(without - ranks.begin());
  diagnostics.push_back(
      {Diagnostic::Severity::warning, "missing-call",
       fmt::format("rank {} has no record of {}: the program ended early or recording was off", rank, call),
       trace.paths[rank], std::nullopt, std::nullopt, rank});
  return false;
}

// The second pass.
Expected<Program> compile(const Trace& trace, const DumpiOptions& options, std::set<ReceiveKey> null_receives,
                          Notices& notices) {
  ProgramBuilder builder(static_cast<std::uint32_t>(trace.paths.size()));
  std::uint64_t operations = 0;
  for (const auto& survey : trace.surveys) operations += survey.operations;
  builder.reserve(operations);
  auto communicators = Communicators::match(trace.surveys, trace.paths, builder);
  if (!communicators) return tl::unexpected(std::move(communicators.error()));
  Compilation shared{options,
                     *communicators,
                     builder,
                     notices,
                     trace.with_init,
                     trace.with_finalize,
                     std::move(null_receives)};
  for (std::uint32_t rank = 0; rank < builder.ranks(); ++rank) {
    Diagnostics told_before;
    const auto file = TraceFile::open(trace.paths[rank], told_before);
    if (!file) return tl::unexpected(file.error());
    if (auto done = RankCompiler(*file, rank, trace.surveys[rank], shared).run(); !done)
      return tl::unexpected(std::move(done.error()));
  }
  if (trace.run_time) builder.set_traced_run_time(*trace.run_time);
  return builder.build();
}

// Open receives whose rank is sent nothing on their communicator with their tag but what other receives take.
std::set<ReceiveKey> receives_without_sends(const Program& program) {
  std::map<ReceiveKey, std::int64_t> surplus;
  for (const auto& strand : program.strands())
    for (const auto& op : program.operations(strand)) {
      const bool sends = op.kind == OpKind::send || op.kind == OpKind::isend;
      if (!sends && op.kind != OpKind::recv && op.kind != OpKind::irecv) continue;
      if ((op.detail & kAnyChannel) != 0) continue;
      const auto& c = program.channels()[op.detail];
      for (const auto tag : {c.tag, kAnyTag}) surplus[{c.destination, c.communicator, tag}] += sends ? 1 : -1;
    }
  std::set<ReceiveKey> none;
  for (const auto& w : program.wildcards()) {
    const ReceiveKey key{w.destination, w.communicator, w.tag};
    if (const auto at = surplus.find(key); at == surplus.end() || at->second <= 0) none.insert(key);
  }
  return none;
}

// What is said of one file holds for most of the others, so that it is told once.
void tell_once(Diagnostics& told, Diagnostics&& news) {
  for (auto& n : news)
    if (std::none_of(told.begin(), told.end(), [&](const Diagnostic& t) { return t.message == n.message; }))
      told.push_back(std::move(n));
}

// Why the file of a single rank cannot be simulated: what is wrong with it, or that it is one of many.
Error error_of_single_rank(const std::string& path, Diagnostics& diagnostics) {
  const auto file = TraceFile::open(path, diagnostics);
  if (!file) return file.error();
  Notices notices;
  const auto survey = survey_rank(*file, std::nullopt, notices);
  notices.tell(path, true, diagnostics);
  if (!survey) return survey.error();
  Error e;
  e.path = path;
  e.message = "missing ranks: this is the file of one rank of a job, and what is in it can be read";
  e.hint = "give the trace's .meta file, or the folder that holds it";
  return e;
}

}  // namespace

Expected<Program> read_dumpi(const std::string& meta_or_folder, const DumpiOptions& options,
                             Diagnostics& diagnostics) {
  if (!std::isfinite(options.compute_scale) || options.compute_scale < 0) {
    Error e;
    e.kind = Error::Kind::bad_option;
    e.where = "compute_scale";
    e.message = fmt::format("is {}, expected a finite factor of 0 or more", options.compute_scale);
    return tl::unexpected(std::move(e));
  }
  std::error_code not_there;
  if (meta_or_folder.ends_with(".bin") && !std::filesystem::is_directory(meta_or_folder, not_there))
    return tl::unexpected(error_of_single_rank(meta_or_folder, diagnostics));
  const auto files = find_trace_files(meta_or_folder, diagnostics);
  if (!files) return tl::unexpected(files.error());
  const auto n = static_cast<std::uint32_t>(files->ranks.size());

  Notices notices;
  std::vector<RankSurvey> surveys;
  surveys.reserve(n);
  Duration run_time;
  bool has_run_time = true;
  for (std::uint32_t rank = 0; rank < n; ++rank) {
    Diagnostics news;
    const auto file = TraceFile::open(files->ranks[rank], news);
    tell_once(diagnostics, std::move(news));
    if (!file) return tl::unexpected(file.error());
    auto survey = survey_rank(*file, RankInJob{rank, n}, notices);
    if (!survey) return tl::unexpected(std::move(survey.error()));
    has_run_time = has_run_time && survey->run_time.has_value();
    run_time = std::max(run_time, survey->run_time.value_or(Duration{}));
    surveys.push_back(std::move(*survey));
  }

  Trace trace{files->ranks, std::move(surveys), has_run_time ? std::optional(run_time) : std::nullopt, true,
              true};
  trace.with_init = in_all(trace, &RankSurvey::has_init, "MPI_Init", diagnostics);
  trace.with_finalize = in_all(trace, &RankSurvey::has_finalize, "MPI_Finalize", diagnostics);
  auto told = notices;
  auto program = compile(trace, options, {}, told);
  if (program && told.null_destinations > 0 && told.open_without_status > 0) {
    told = notices;
    program = compile(trace, options, receives_without_sends(*program), told);
  }
  if (!program) return program;
  told.tell(files->meta, options.keep_io, diagnostics);
  if (auto done = check_partial_trace(*program, trace.surveys, trace.paths, told, diagnostics); !done)
    return tl::unexpected(std::move(done.error()));
  return program;
}

}  // namespace busline
