#include "measuring/runs/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include "measuring/runs/border_calls.hpp"
#include "measuring/runs/environment.hpp"
#include "measuring/runs/output_end.hpp"
#include "measuring/runs/preload.hpp"
#include "measuring/runs/process.hpp"
#include "measuring/runs/program_file.hpp"
#include "measuring/runs/run_set_json.hpp"
#include "measuring/runs/times_file.hpp"
#include "measuring/runs/trace_times.hpp"

namespace busline::runs {
namespace {

namespace fs = std::filesystem;
constexpr const char *kTraceFolder = "trace", *kTimesFile = "times.json", *kTimesScript = "load-times.sh",
                     *kTracerScript = "load-tracer.sh", *kNotPinned = "several cores for each rank";

// Where ranks were, and on what.
void describe_machine(const TimesFile& times, const std::string& name, RunSet& set) {
  auto& machine = set.machine;
  set.placement.clear();
  machine.nodes.clear();
  std::map<std::string, std::uint32_t> nodes;
  bool pinned = true;
  for (const auto& rank : times.ranks) {
    const auto [node, is_new] = nodes.emplace(rank.host, static_cast<std::uint32_t>(nodes.size()));
    if (is_new) machine.nodes.push_back(rank.host);
    set.placement.push_back({rank.host, node->second, rank.core});
    pinned = pinned && rank.cores == 1;
  }
  set.ranks = static_cast<std::uint32_t>(times.ranks.size());
  machine.name = name.empty() ? machine_name(machine.nodes) : name;
  machine.mpi = times.mpi;
  machine.cpu_model = times.cpu_model;
  machine.cpus_per_node = times.cpus;
  machine.pinning = pinned ? "one core for each rank" : kNotPinned;
  machine.scheduler_job = scheduler_job();
}

void add_rank(const Disturbance& rank, Disturbance& run) {
  // Nothing is less than any time.
  run.cpu_wait = std::max(run.cpu_wait, rank.cpu_wait);
  run.throttled = std::max(run.throttled, rank.throttled);
  if (rank.preempted) run.preempted = run.preempted.value_or(0) + *rank.preempted;
}

// Files of other origin stay.
void remove_recorded(const fs::path& folder) {
  std::error_code gone;
  const auto remove = [&](const std::string& name) { fs::remove(folder / name, gone); };
  for (const char* name : {kRunSetFile, kTimesFile, kTimesScript, kTracerScript}) remove(name);
  fs::remove_all(folder / kTraceFolder, gone);
  for (const auto& ending : {".out", ".err"}) {
    remove(std::string("traced") + ending);
    for (const char* label : {"run", "warm-up"})
      for (int i = 1; fs::exists(folder / fmt::format("{}-{}{}", label, i, ending), gone); ++i)
        remove(fmt::format("{}-{}{}", label, i, ending));
  }
}

class Recording {
 public:
  explicit Recording(const RecordingOptions& options)
      : options_(options), folder_(fs::absolute(options.folder).lexically_normal()) {}

  Expected<RunSet> record();

 private:
  Expected<void> open_folder();
  Expected<void> warm_up_and_time();
  Expected<void> trace();
  Expected<std::optional<Run>> timed_run(const std::string& label, bool kept);
  Expected<ProcessEnd> run(const std::string& label, const Preload& preload, const std::string& script);
  Expected<Run> times_of_run(const std::string& label, const std::string& file);
  tl::unexpected<Error> failed(const std::string& label, const ProcessEnd& end) const;
  Expected<void> save();
  bool stopped() const { return options_.go_on && !options_.go_on(); }
  void tell() {
    ++done_;
    const auto all = options_.warmup + missing_ + (options_.trace ? 1U : 0U);
    if (options_.tell) options_.tell(std::min(1.0, static_cast<double>(done_) / all));
  }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  const RecordingOptions& options_;
  fs::path folder_;
  RunSet set_;
  std::uint32_t done_ = 0;
  std::uint32_t missing_ = 0;  // timed runs to make
};

Expected<void> Recording::open_folder() {
  if (options_.pin && !marks_program(options_.command))
    return refuse_option("--pin", "needs {} before the program", "such as mpirun -n 8 {} ./app");
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (failed) return refuse_file(Error::Kind::unreadable, options_.folder, failed.message());
  if (options_.earlier == Earlier::replaced) remove_recorded(folder_);
  const bool is_empty = fs::is_empty(folder_, failed);
  if (failed) return refuse_file(Error::Kind::unreadable, options_.folder, failed.message());
  const bool refused = options_.earlier == Earlier::refused || options_.earlier == Earlier::replaced;
  if (!is_empty && refused)
    return refuse_file(Error::Kind::bad_option, options_.folder, "the folder is not empty",
                       options_.earlier == Earlier::replaced
                           ? "it has files that 'busline-measure record' did not write there; move them"
                           : "add runs to it with --append, or name another folder with -o");
  if (fs::exists(file(kRunSetFile))) {
    auto there = read_run_set(file(kRunSetFile));
    if (!there) return tl::unexpected(std::move(there.error()));
    if (there->command != options_.command || there->region != options_.region)
      return refuse_file(Error::Kind::bad_option, file(kRunSetFile),
                         "contains runs of another command or region",
                         options_.earlier == Earlier::completed
                             ? "record it anew with --again, or keep its command, --from and --to"
                             : "add runs only with the same command, --from and --to");
    if (options_.pin && there->machine.pinning == kNotPinned)
      return refuse_file(Error::Kind::bad_option, file(kRunSetFile),
                         "contains runs without --pin, whose ranks could use several cores each",
                         options_.earlier == Earlier::completed
                             ? "record it anew with --again, or complete it without --pin"
                             : "add runs without --pin, or name another folder with -o");
    set_ = *std::move(there);
    return {};
  }
  set_.command = options_.command;
  set_.region = options_.region;
  set_.folder = folder_.string();
  set_.name = options_.name.empty() ? program_name(options_.command) : options_.name;
  if (set_.name.empty()) set_.name = folder_.filename().string();
  return {};
}

Expected<void> Recording::save() {
  if (set_.ranks == 0) return {};  // nothing is known yet
  set_.environment = environment_that_matters();
  if (options_.provenance) set_.provenance = options_.provenance();
  return write_run_set(set_, file(kRunSetFile));
}

Expected<ProcessEnd> Recording::run(const std::string& label, const Preload& preload,
                                    const std::string& script) {
  const auto command = load_into(options_.command, preload, file(script));
  if (!command) return tl::unexpected(command.error());
  return run_process({.words = command->words,
                      .variables = command->variables,
                      .output = file(label + ".out"),
                      .errors = file(label + ".err"),
                      .limit = options_.limit,
                      .go_on = options_.go_on});
}

// The error for a run that did not come to its end.
tl::unexpected<Error> Recording::failed(const std::string& label, const ProcessEnd& end) const {
  const auto what =
      end.why == ProcessEnd::Why::limit
          ? fmt::format("{} was aborted: it took longer than {:g} s", label, options_.limit->in_seconds())
      : end.exit_code > 128 ? fmt::format("{} was terminated by signal {}", label, end.exit_code - 128)
                            : fmt::format("{} ended with exit code {}", label, end.exit_code);
  return refuse_file(Error::Kind::unsupported, options_.command.front(), what, end_of_output(file(label)));
}

// The times from libbusline-times of a successful run.
Expected<Run> Recording::times_of_run(const std::string& label, const std::string& path) {
  if (!fs::exists(path)) {
    if (const auto why = why_not_loadable(program_word(options_.command)))
      return refuse_file(Error::Kind::unsupported, program_word(options_.command),
                         fmt::format("{}, so that no library can be loaded into it", *why),
                         "link it dynamically, or run it as yourself");
    return refuse_file(
        Error::Kind::unsupported, options_.command.front(),
        fmt::format("{} left no times: the library was not loaded, or the program did not call MPI_Finalize",
                    label),
        marks_program(options_.command)
            ? fmt::format("check that the program uses the MPI library that {} was built for; {}",
                          options_.times_library, end_of_output(file(label)))
            : "put {} before the program: mpirun -n 8 {} ./app");
  }
  const auto times = read_times_file(path);
  std::error_code gone;
  fs::remove(path, gone);
  if (!times) return tl::unexpected(times.error());
  const auto& ranks = times->ranks;
  using Rank = TimedRank;
  if (options_.region.from &&
      std::none_of(ranks.begin(), ranks.end(), [](const Rank& r) { return r.made_from; }))
    return tl::unexpected(no_such_call({}, *options_.region.from));
  if (options_.region.to && std::none_of(ranks.begin(), ranks.end(), [](const Rank& r) { return r.made_to; }))
    return tl::unexpected(no_such_call({}, *options_.region.to));
  if (set_.ranks == 0) describe_machine(*times, options_.machine, set_);
  if (ranks.size() != set_.ranks)
    return refuse_file(
        Error::Kind::unsupported, options_.command.front(),
        fmt::format("{} had {} ranks, but earlier runs had {}", label, ranks.size(), set_.ranks));
  Run run;
  for (const auto& rank : ranks) {
    run.rank_times.push_back(rank.time);
    add_rank(rank.disturbance, run.disturbance);
  }
  run.time = *std::max_element(run.rank_times.begin(), run.rank_times.end());
  return run;
}

// Nothing if it was interrupted. A failed run that is to be kept is added to the set.
Expected<std::optional<Run>> Recording::timed_run(const std::string& label, bool kept) {
  const auto path = file(kTimesFile);
  std::error_code gone;
  fs::remove(path, gone);
  Preload preload{options_.times_library, {{"BUSLINE_TIMES_FILE", path}}, options_.pin};
  const auto& [from, to] = options_.region;
  if (from) preload.variables.push_back({"BUSLINE_TIMES_FROM", to_text(*from)});
  if (to && to->call != "MPI_Finalize") preload.variables.push_back({"BUSLINE_TIMES_TO", to_text(*to)});
  const auto end = run(label, preload, kTimesScript);
  if (!end) return tl::unexpected(end.error());
  if (end->why == ProcessEnd::Why::interrupted) return std::optional<Run>();
  if (end->exit_code != 0) {
    if (kept) set_.runs.push_back({.wall = end->wall, .exit_code = end->exit_code});
    return failed(label, *end);
  }
  auto times = times_of_run(label, path);
  if (!times) return tl::unexpected(std::move(times.error()));
  times->wall = end->wall;
  tell();
  return std::optional(*std::move(times));
}

Expected<void> Recording::warm_up_and_time() {
  if (missing_ == 0) return {};
  for (std::uint32_t i = 1; i <= options_.warmup && !stopped(); ++i)
    if (const auto run = timed_run(fmt::format("warm-up-{}", i), false); !run)
      return tl::unexpected(run.error());
  const auto before = set_.runs.size();
  while (set_.runs.size() < before + missing_ && !stopped()) {
    auto run = timed_run(fmt::format("run-{}", set_.runs.size() + 1), true);
    if (run && *run) set_.runs.push_back(**std::move(run));
    if (auto saved = save(); !saved) return saved;
    if (!run) return tl::unexpected(std::move(run.error()));
  }
  return {};
}

Expected<void> Recording::trace() {
  const auto folder = folder_ / kTraceFolder;
  std::error_code gone;
  fs::remove_all(folder, gone);  // from a failed attempt: the document has no trace
  const auto end =
      run("traced", {options_.tracer, {{"DUMPI_FILEROOT", (folder / "dumpi").string()}}, options_.pin},
          kTracerScript);
  if (!end) return tl::unexpected(end.error());
  if (end->why == ProcessEnd::Why::interrupted) return {};
  if (end->exit_code != 0) return failed("traced", *end);
  auto times = trace_times(folder.string(), options_.region);
  if (!times) return tl::unexpected(std::move(times.error()));
  if (times->size() != set_.ranks && set_.ranks != 0)
    return refuse_file(Error::Kind::unsupported, folder.string(),
                       fmt::format("has {} ranks, but the runs had {}", times->size(), set_.ranks));
  const auto longest = *std::max_element(times->begin(), times->end());
  set_.traced =
      TracedRun{{.time = longest, .rank_times = *std::move(times), .wall = end->wall}, kTraceFolder};
  tell();
  return save();
}

Expected<RunSet> Recording::record() {
  if (auto opened = open_folder(); !opened) return tl::unexpected(std::move(opened.error()));
  const auto there = options_.earlier == Earlier::completed ? times_of(set_).size() : 0;
  missing_ = options_.runs - static_cast<std::uint32_t>(std::min<std::size_t>(there, options_.runs));
  if (auto timed = warm_up_and_time(); !timed) return tl::unexpected(std::move(timed.error()));
  if (options_.trace && !set_.traced && !stopped())
    if (auto traced = trace(); !traced) return tl::unexpected(std::move(traced.error()));
  return std::move(set_);
}

}  // namespace

Expected<void> check_border(const std::optional<CallRef>& call, const std::string& option, bool is_end) {
  if (!call || (is_end && *call == CallRef{"MPI_Finalize", 1})) return {};
  Error e;
  e.kind = Error::Kind::bad_option;
  e.where = option;
  if (call->number > kMostBorderNumber || call->number < -kMostBorderNumber) {
    e.message = fmt::format("{}: expected a number up to {}", to_text(*call), kMostBorderNumber);
    return tl::unexpected(std::move(e));
  }
  if (std::find(kBorderCalls.begin(), kBorderCalls.end(), call->call) != kBorderCalls.end()) return {};
  const std::vector<std::string> names(kBorderCalls.begin(), kBorderCalls.end());
  const auto near = nearest_name(names, call->call);
  e.message = fmt::format("{} cannot be timed", call->call);
  e.hint = near.empty()
               ? "collectives, communicator constructors, and blocking sends, receives and waits can be timed"
               : fmt::format("did you mean {}?", near);
  return tl::unexpected(std::move(e));
}

Expected<RunSet> record_runs(const RecordingOptions& options) {
  return Recording(options).record();
}

}  // namespace busline::runs
