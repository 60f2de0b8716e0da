#include "workloads/dumpi/compile/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "workloads/dumpi/compile/call_class.hpp"
#include "workloads/dumpi/compile/communicators.hpp"
#include "workloads/dumpi/compile/partial_trace.hpp"
#include "workloads/dumpi/compile/rank_compiler.hpp"
#include "workloads/dumpi/compile/survey.hpp"

namespace busline::dumpi {
namespace {

// Open receives for which no message is left: other receives take all those with their communicator and tag.
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

// Expected number of records, without those of functions and annotations.
std::optional<std::uint64_t> recorded_calls(const TraceFile& file) {
  if (file.called().empty()) return std::nullopt;
  const auto called = file.called()[kCountedFunctions], ignored = file.ignored()[kCountedFunctions];
  return called > ignored ? std::optional<std::uint64_t>(called - ignored) : std::nullopt;
}

bool does_something(const Program& program) {
  return std::any_of(program.operations().begin(), program.operations().end(), [&](const Operation& op) {
    if (op.kind == OpKind::noop || op.kind == OpKind::event) return false;
    if (op.kind != OpKind::collective) return true;
    const auto kind = program.collectives()[op.detail].kind;
    return kind != CollectiveKind::init && kind != CollectiveKind::finalize;
  });
}

std::string place_and_message(const Error& e) {
  return e.where.empty() ? e.message : fmt::format("{}: {}", e.where, e.message);
}

Error no_file(std::string meta) {
  return file_error(Error::Kind::bad_input, std::move(meta), "it has no file");
}

class Job {
 public:
  Job(const JobFiles& files, const DumpiOptions& options, Diagnostics& diagnostics)
      : files_(files), options_(options), diagnostics_(diagnostics), ranks_(files.ranks.size()) {}

  Expected<Program> compile();
  SalvageReport take_report() { return std::move(report_); }

 private:
  struct Rank {
    std::optional<Error> stop;              // why not all of its records are used
    std::uint64_t records = 0;              // present
    std::optional<std::uint64_t> recorded;  // expected
  };

  std::uint32_t size() const { return static_cast<std::uint32_t>(ranks_.size()); }
  Expected<TraceFile> open(std::uint32_t rank, Diagnostics& diagnostics) const;
  Expected<void> survey();
  Expected<void> survey_rank(std::uint32_t rank);
  bool in_all(bool RankSurvey::*has, const char* call);
  Expected<Program> compile_with(std::set<ReceiveKey> null_receives, Notices& notices);
  Expected<Program> salvage(const Program& program);
  std::vector<bool> sends_may_lack() const;

  const JobFiles& files_;
  const DumpiOptions& options_;
  Diagnostics& diagnostics_;
  Notices notices_;  // of the first pass
  std::vector<RankSurvey> surveys_;
  std::vector<Rank> ranks_;
  std::vector<Error> tolerated_;                  // about communicators
  bool with_init_ = true, with_finalize_ = true;  // all ranks have the record
  SalvageReport report_;
};

Expected<Program> Job::compile() {
  if (auto done = survey(); !done) return tl::unexpected(std::move(done.error()));
  with_init_ = in_all(&RankSurvey::has_init, "MPI_Init");
  with_finalize_ = in_all(&RankSurvey::has_finalize, "MPI_Finalize");
  auto told = notices_;
  auto program = compile_with({}, told);
  if (program && told.null_destinations > 0 && told.open_without_status > 0) {
    told = notices_;
    program = compile_with(receives_without_sends(*program), told);
  }
  if (!program) return program;
  told.tell(files_.meta, options_.keep_io, diagnostics_);
  if (auto done = check_partial_trace(*program, surveys_, files_.ranks, told, diagnostics_);
      !done && !options_.salvage)
    return tl::unexpected(std::move(done.error()));
  return options_.salvage ? salvage(*program) : program;
}

Expected<TraceFile> Job::open(std::uint32_t rank, Diagnostics& diagnostics) const {
  const auto& path = files_.ranks[rank];
  if (path.empty()) return tl::unexpected(no_file(files_.meta));
  return files_.open(path, diagnostics, options_.salvage ? Opening::salvage : Opening::whole);
}

// The first pass.
Expected<void> Job::survey() {
  surveys_.resize(size());
  for (std::uint32_t rank = 0; rank < size(); ++rank)
    if (auto done = survey_rank(rank); !done) return done;
  return {};
}

Expected<void> Job::survey_rank(std::uint32_t rank) {
  Diagnostics news;
  const auto file = open(rank, news);
  tell_once(diagnostics_, std::move(news));
  auto& r = ranks_[rank];
  auto& survey = surveys_[rank];
  if (file) {
    survey = dumpi::survey_rank(*file, RankInJob{rank, size()}, notices_);
    r.stop = survey.stop;
    r.records = survey.records;
    r.recorded = recorded_calls(*file);
  } else if (file.error().kind == Error::Kind::unreadable) {
    return tl::unexpected(file.error());  // the file system's business, not damage
  } else {
    r.stop = file.error();
  }
  if (r.stop && !options_.salvage) return tl::unexpected(*r.stop);
  return {};
}

// Reports if only some ranks have a record of a call that all must make.
bool Job::in_all(bool RankSurvey::*has, const char* call) {
  const auto without =
      std::find_if(surveys_.begin(), surveys_.end(), [&](const RankSurvey& r) { return !(r.*has); });
  if (without == surveys_.end()) return true;
  const auto rank = static_cast<std::uint32_t>(without - surveys_.begin());
  if (!ranks_[rank].stop)
    diagnostics_.push_back(
        {Diagnostic::Severity::warning, "missing-call",
         fmt::format("rank {} has no record of {}: the program ended early or recording was off", rank, call),
         files_.ranks[rank], std::nullopt, std::nullopt, rank});
  return false;
}

// The second pass.
Expected<Program> Job::compile_with(std::set<ReceiveKey> null_receives, Notices& notices) {
  ProgramBuilder builder(size());
  builder.reserve(std::accumulate(surveys_.begin(), surveys_.end(), std::uint64_t{0},
                                  [](std::uint64_t n, const RankSurvey& s) { return n + s.operations; }));
  tolerated_.clear();
  auto communicators =
      Communicators::match(surveys_, files_.ranks, builder, options_.salvage ? &tolerated_ : nullptr);
  if (!communicators) return tl::unexpected(std::move(communicators.error()));
  Compilation shared{options_,       *communicators,          builder, notices, with_init_,
                     with_finalize_, std::move(null_receives)};
  for (std::uint32_t rank = 0; rank < size(); ++rank) {
    auto& r = ranks_[rank];
    if (r.stop && r.records == 0) {
      builder.begin_strand(rank);
      continue;
    }
    Diagnostics told_before;
    const auto file = open(rank, told_before);
    if (!file) return tl::unexpected(file.error());
    RankCompiler compiler(*file, rank, surveys_[rank], shared);
    auto done = compiler.run();
    if (done) continue;
    if (!options_.salvage) return tl::unexpected(std::move(done.error()));
    r.stop = std::move(done.error());
    r.records = compiler.records();
  }
  std::optional<Duration> run_time = Duration{};
  for (const auto& s : surveys_)
    run_time = run_time && s.run_time ? std::optional(std::max(*run_time, *s.run_time)) : std::nullopt;
  const bool whole = std::none_of(ranks_.begin(), ranks_.end(), [](const Rank& r) { return r.stop; });
  if (run_time && whole) builder.set_traced_run_time(*run_time);
  return builder.build();
}

// ---- what was left out

// Ranks with calls that were made but not recorded, of the kind that sends.
std::vector<bool> Job::sends_may_lack() const {
  std::vector<bool> lack(size(), false);
  for (std::uint32_t rank = 0; rank < size(); ++rank)
    lack[rank] =
        !ranks_[rank].stop && std::any_of(surveys_[rank].ignored.begin(), surveys_[rank].ignored.end(),
                                          [](const auto& ignored) { return may_send(ignored.first); });
  return lack;
}

Expected<Program> Job::salvage(const Program& program) {
  auto part = consistent_part(program, sends_may_lack());
  report_.early_ends = std::move(part.early_ends);
  report_.unmatched = part.unmatched;
  std::vector<bool> ends_early(size(), false);
  for (const auto& e : report_.early_ends) ends_early[e.rank] = true;
  for (std::uint32_t rank = 0; rank < size(); ++rank) {
    const auto& r = ranks_[rank];
    // Findings of the second pass do not matter if the rank ends before them.
    if (!r.stop || (!surveys_[rank].stop && r.records > 0 && ends_early[rank])) continue;
    const auto& e = *r.stop;
    report_.files.push_back(
        {rank, files_.ranks[rank], r.records, r.recorded, e.offset, place_and_message(e)});
  }
  for (const auto& e : tolerated_)
    diagnostics_.push_back(
        {Diagnostic::Severity::warning, "unknown-communicator", place_and_message(e), e.path, e.offset});
  tell(report_, files_.meta, diagnostics_);
  if (does_something(part.program)) return std::move(part.program);
  Error e;
  e.path = files_.meta;
  e.message = "nothing is left to replay";
  if (!report_.files.empty())
    e.message += fmt::format("; rank {}: {}", report_.files.front().rank, report_.files.front().why);
  return tl::unexpected(std::move(e));
}

}  // namespace

Expected<Program> compile_job(const JobFiles& files, const DumpiOptions& options, Diagnostics& diagnostics,
                              SalvageReport& salvaged) {
  Job job(files, options, diagnostics);
  auto program = job.compile();
  salvaged = job.take_report();
  return program;
}

}  // namespace busline::dumpi
