#include "measuring/tracer/tracer.hpp"

#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <utility>

#include "measuring/tracer/program_check.hpp"
#include "workloads/dumpi/compile/mpi3.hpp"
#include "workloads/dumpi/format/meta_file.hpp"

namespace busline::tracer {
namespace {

constexpr std::uint64_t kFirstAnnotation = 4096;

// In the order in which threads call MPI first.
std::uint16_t thread_number() {
  static std::atomic<std::uint16_t> threads{0};
  static thread_local const std::uint16_t number = threads++;
  return number;
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::string user_name() {
  const char* const name = std::getenv("LOGNAME");
  return name != nullptr ? name : "<none>";
}

// As libdumpi names its files: in local time.
std::string stamped(const std::string& root, std::time_t now) {
  std::tm local{};
  ::localtime_r(&now, &local);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "-%Y.%m.%d.%H.%M.%S", &local);
  return root + text.data();
}

// Rank 0's text, on all ranks.
std::string broadcast(std::string text) {
  auto bytes = static_cast<int>(text.size());
  PMPI_Bcast(&bytes, 1, MPI_INT, 0, MPI_COMM_WORLD);
  text.resize(static_cast<std::size_t>(bytes));
  PMPI_Bcast(text.data(), bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
  return text;
}

// Programs that end without MPI_Finalize have traces, too.
void finish_at_exit() {
  auto& tracer = Tracer::of_process();
  const auto lock = tracer.lock();
  tracer.finish();
}

}  // namespace

const char* const kLibraryName = "busline-dumpi";

thread_local int Nesting::depth_ = 0;

Tracer& Tracer::of_process() {
  static Tracer& tracer = *new Tracer;
  return tracer;
}

Tracer::Tracer()
    : settings_(read_settings(complaints_)),
      cpu_bias_(static_cast<std::int32_t>(Stamp::of(CLOCK_PROCESS_CPUTIME_ID).seconds)),
      wall_bias_(static_cast<std::int32_t>(Stamp::of(CLOCK_MONOTONIC).seconds)),
      start_time_(static_cast<std::uint64_t>(std::time(nullptr))),
      host_(host_name()),
      user_(user_name()),
      writer_(file_, cpu_bias_, wall_bias_, dumpi::kNewestKnown, settings_.buffer_bytes),
      flush_second_(wall_bias_) {}

void Tracer::say(const std::string& message) const {
  std::fprintf(stderr, "%s: %s\n", kLibraryName, message.c_str());
}

void Tracer::start(bool many_threads) {
  note_program_seen();
  threads_ = many_threads;
  int rank = 0, ranks = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  handles_.emplace();
  const auto prefix = broadcast(rank == 0 ? stamped(settings_.file_root, std::time(nullptr)) : std::string());
  if (rank == 0) {
    for (const auto& complaint : complaints_) say(complaint);
    std::error_code code;  // the file's own error will tell
    if (const auto folder = std::filesystem::path(prefix).parent_path(); !folder.empty())
      std::filesystem::create_directories(folder, code);
    const dumpi::MetaFile meta{.ranks = static_cast<std::uint32_t>(ranks),
                               .prefix = std::filesystem::path(prefix).filename(),
                               .host = host_,
                               .user = user_,
                               .start_time = start_time_,
                               .version = dumpi::kNewestKnown};
    RankFile file;
    auto error = file.open(prefix + ".meta");
    if (error.empty())
      if (const auto written = file.write(dumpi::to_text(meta)); !written) error = written.error().message;
    if (!error.empty()) say(prefix + ".meta: " + error);
  }
  PMPI_Barrier(MPI_COMM_WORLD);  // the folder is there
  open(prefix, rank);
  std::atexit(finish_at_exit);
  PMPI_Barrier(MPI_COMM_WORLD);
}

void Tracer::open(const std::string& prefix, int rank) {
  std::array<char, 16> number{};
  std::snprintf(number.data(), number.size(), "-%04d.bin", rank);
  const auto path = prefix + number.data();
  if (const auto error = file_.open(path); !error.empty()) {
    say(path + ": " + error + "; this rank is not traced");
    failed_ = true;
    on_ = false;
  }
}

void Tracer::finish() {
  if (std::exchange(finished_, true) || !started() || failed_) return;
  on_ = false;
  dumpi::TraceParts parts;
  parts.header.start_time = start_time_;
  parts.header.host = host_;
  parts.header.user = user_;
  parts.counts = counts_;
  parts.type_sizes = handles_->type_sizes();
  for (const auto& [key, text] : labels_) parts.labels.push_back({key, text});
  if (const auto written = writer_.finish(parts); !written)
    say(written.error().path + ": " + written.error().message);
}

dumpi::RecordPrefix Tracer::prefix(std::uint16_t function, const Interval& interval) const {
  using Prefix = dumpi::RecordPrefix;
  unsigned mask = Prefix::has_thread;
  if (settings_.statuses == Level::success) mask |= 1U;
  if (settings_.statuses == Level::enable) mask |= 3U;
  if (settings_.cpu_time) mask |= Prefix::has_cpu_time;
  if (settings_.wall_time) mask |= Prefix::has_wall_time;
  return {.function = function,
          .thread = thread_number(),
          .mask = static_cast<std::uint8_t>(mask),
          .cpu = stamps(interval.cpu_entry, interval.cpu_exit, cpu_bias_),
          .wall = stamps(interval.wall_entry, interval.wall_exit, wall_bias_)};
}

// A record that annotations hold lies between those that mark the begin and the end of its call.
dumpi::RecordWriter& Tracer::begin(std::uint16_t function, const Interval& interval) {
  const bool annotated = function >= dumpi::kFirstMpi3;
  if (annotated) {
    mark(true, mpi3_annotation(function), interval);
    annotated_ = function;
  }
  counts_.add_recorded(function);
  auto& record = annotated ? writer_.annotated_record() : writer_.record();
  record.begin(prefix(function, interval));
  return record;
}

void Tracer::end(const Interval& interval) {
  if (const auto function = std::exchange(annotated_, std::uint16_t{0}); function != 0) {
    writer_.end_annotated_record(thread_number());
    return mark(false, mpi3_annotation(function), interval);
  }
  writer_.end_record();
  // A run that is killed loses what it recorded in its last second, or, without times, in its last buffer.
  if (interval.wall_exit.seconds == flush_second_ || !started()) return;
  flush_second_ = interval.wall_exit.seconds;
  writer_.flush();
}

std::uint64_t Tracer::annotation(std::string_view text) {
  if (const auto known = keys_.find(text); known != keys_.end()) return known->second;
  const auto key = kFirstAnnotation + keys_.size();
  keys_.emplace(text, key);
  name_annotation(key, text);
  return key;
}

void Tracer::name_annotation(std::uint64_t key, std::string_view text) {
  labels_[key] = std::string(dumpi::kAnnotationPrefix).append(text);
}

void Tracer::mark(bool enter, std::uint64_t key, Interval interval) {
  // The record tells one instant.
  if (enter) {
    interval.wall_exit = interval.wall_entry;
    interval.cpu_exit = interval.cpu_entry;
  } else {
    interval.wall_entry = interval.wall_exit;
    interval.cpu_entry = interval.cpu_exit;
  }
  begin(enter ? dumpi::function_id("Function_enter") : dumpi::function_id("Function_exit"), interval)
      .number(static_cast<std::int64_t>(key));
  end(interval);
}

void Tracer::annotate(std::uint64_t key, const Interval& interval) {
  if (!on_) return;
  if (settings_.enter) mark(true, key, interval);
  if (settings_.leave) mark(false, key, interval);
}

void Tracer::mark_mpi3(Mpi3Call call, bool enter, const Interval& interval) {
  const auto place = static_cast<std::size_t>(call);
  if (enter) ++mpi3_calls_[place];
  if (on_) mark(enter, mpi3_annotation(kMpi3Names[place]), interval);
}

std::uint64_t Tracer::mpi3_annotation(std::string_view name) {
  return annotation(std::string(dumpi::kMpi3Prefix).append(name));
}

std::uint64_t Tracer::mpi3_annotation(std::uint16_t function) {
  auto& key = mpi3_keys_[function];
  if (key == 0) key = mpi3_annotation(dumpi::kFunctionTable[function].name);
  return key;
}

void Tracer::warn_of_mpi3() {
  std::array<std::uint32_t, kMpi3Calls> total{};
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Reduce(mpi3_calls_.data(), total.data(), static_cast<int>(kMpi3Calls), MPI_UINT32_T, MPI_SUM, 0,
              MPI_COMM_WORLD);
  if (rank != 0) return;
  std::string calls;
  for (std::size_t i = 0; i < kMpi3Calls; ++i) {
    if (total[i] == 0) continue;
    if (!calls.empty()) calls += ", ";
    calls.append(std::to_string(total[i])).append(" ").append(kMpi3Names[i]);
  }
  if (!calls.empty())
    say("the trace has the time of these calls of MPI-3 and later, but not what they do: " + calls);
}

}  // namespace busline::tracer
