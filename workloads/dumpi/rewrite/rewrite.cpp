#include "workloads/dumpi/rewrite/rewrite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "workloads/dumpi/compile/clock.hpp"
#include "workloads/dumpi/compile/mpi3.hpp"
#include "workloads/dumpi/format/call_reader.hpp"
#include "workloads/dumpi/format/meta_file.hpp"
#include "workloads/dumpi/format/trace_writer.hpp"
#include "workloads/files/unpack.hpp"

namespace busline::dumpi {
namespace {

namespace fs = std::filesystem;

// Calls that stay although they are outside of the range: remaining calls refer to their results.
constexpr std::array kAlwaysKept = [] {
  std::array<bool, kFunctions> kept{};
  for (const std::uint16_t function :
       {function_id("MPI_Init"), function_id("MPI_Init_thread"), function_id("MPI_Finalize"),
        // communicators
        function_id("MPI_Comm_dup"), function_id("MPI_Comm_create"), function_id("MPI_Comm_split"),
        function_id("MPI_Comm_free"), function_id("MPI_Comm_rank"), function_id("MPI_Comm_size"),
        function_id("MPI_Comm_remote_size"), function_id("MPI_Comm_test_inter"),
        function_id("MPI_Intercomm_create"), function_id("MPI_Intercomm_merge"),
        function_id("MPI_Cart_create"), function_id("MPI_Cart_sub"), function_id("MPI_Graph_create"),
        function_id("MPI_Comm_accept"), function_id("MPI_Comm_connect"), function_id("MPI_Comm_disconnect"),
        function_id("MPI_Comm_get_parent"), function_id("MPI_Comm_join"), function_id("MPI_Comm_spawn"),
        function_id("MPI_Comm_spawn_multiple"), function_id("MPI_Comm_set_name"),
        // groups
        function_id("MPI_Comm_group"), function_id("MPI_Comm_remote_group"), function_id("MPI_Group_union"),
        function_id("MPI_Group_intersection"), function_id("MPI_Group_difference"),
        function_id("MPI_Group_incl"), function_id("MPI_Group_excl"), function_id("MPI_Group_range_incl"),
        function_id("MPI_Group_range_excl"), function_id("MPI_Group_free"), function_id("MPI_Win_get_group"),
        function_id("MPI_File_get_group"),
        // datatypes
        function_id("MPI_Type_contiguous"), function_id("MPI_Type_vector"), function_id("MPI_Type_hvector"),
        function_id("MPI_Type_indexed"), function_id("MPI_Type_hindexed"), function_id("MPI_Type_struct"),
        function_id("MPI_Type_create_darray"), function_id("MPI_Type_create_hindexed"),
        function_id("MPI_Type_create_hvector"), function_id("MPI_Type_create_indexed_block"),
        function_id("MPI_Type_create_resized"), function_id("MPI_Type_create_struct"),
        function_id("MPI_Type_create_subarray"), function_id("MPI_Type_dup"),
        function_id("MPI_Type_match_size"), function_id("MPI_Type_get_contents"),
        function_id("MPI_Type_commit"), function_id("MPI_Type_free"), function_id("MPI_Type_size"),
        function_id("MPI_Type_set_name"), function_id("MPI_File_get_view"),
        // operations, persistent requests, windows, files, the rest
        function_id("MPI_Op_create"), function_id("MPI_Op_free"), function_id("MPI_Send_init"),
        function_id("MPI_Bsend_init"), function_id("MPI_Ssend_init"), function_id("MPI_Rsend_init"),
        function_id("MPI_Recv_init"), function_id("MPI_Request_free"), function_id("MPI_Win_create"),
        function_id("MPI_Win_free"), function_id("MPI_Win_set_name"), function_id("MPI_File_open"),
        function_id("MPI_File_close"), function_id("MPI_Info_create"), function_id("MPI_Info_dup"),
        function_id("MPI_Info_free"), function_id("MPI_Keyval_create"), function_id("MPI_Keyval_free"),
        function_id("MPI_Comm_create_keyval"), function_id("MPI_Comm_free_keyval"),
        function_id("MPI_Type_create_keyval"), function_id("MPI_Type_free_keyval"),
        function_id("MPI_Win_create_keyval"), function_id("MPI_Win_free_keyval"),
        function_id("MPI_Errhandler_create"), function_id("MPI_Errhandler_free"),
        function_id("MPI_Comm_create_errhandler"), function_id("MPI_File_create_errhandler"),
        function_id("MPI_Win_create_errhandler"),
        // of MPI-3
        function_id("MPI_Comm_idup"), function_id("MPI_Comm_idup_with_info"),
        function_id("MPI_Comm_dup_with_info"), function_id("MPI_Comm_split_type"),
        function_id("MPI_Comm_create_group"), function_id("MPI_Dist_graph_create"),
        function_id("MPI_Dist_graph_create_adjacent"), function_id("MPI_Win_allocate"),
        function_id("MPI_Win_allocate_shared"), function_id("MPI_Win_create_dynamic")})
    kept[function] = true;
  for (std::uint16_t f = kFirstMpi3; f < kFunctions; ++f)
    if (kFunctionTable[f].name.ends_with("_init")) kept[f] = true;
  return kept;
}();

// The end of MPI_Init by the rank's clock; without MPI_Init, the begin of the first call.
std::optional<std::int64_t> origin_of(const TraceFile& file) {
  RankClock clock(false);
  RecordReader records(file);
  std::optional<std::int64_t> first;
  while (const auto* r = records.next()) {
    const auto time = clock.read(*r);
    if (!time) continue;
    if (r->function == function_id("MPI_Init") || r->function == function_id("MPI_Init_thread"))
      return time->exit;
    if (!first) first = time->entry;
  }
  return first;
}

// Selects the records of a file that are in the range.
class RangeFilter {
 public:
  RangeFilter(const TraceFile& file, const TimeRange& range) : range_(range) {
    if (range_.is_everything()) return;
    for (const auto& label : file.labels())
      if (const auto call = mpi3_call(label.text)) {
        const auto row = std::find_if(kFunctionTable.begin() + kFirstMpi3, kFunctionTable.end(),
                                      [&](const FunctionRow& r) { return r.name == *call; });
        mpi3_calls_[label.key] = row != kFunctionTable.end() &&
                                 kAlwaysKept[static_cast<std::size_t>(row - kFunctionTable.begin())];
      }
    const auto origin = origin_of(file);
    has_times_ = origin.has_value();
    origin_ = origin.value_or(0);
  }
  /// Whether the records allow a range.
  bool has_times() const { return has_times_; }
  /// Call it with the records of the file, in order.
  bool keeps(const Record& r) {
    if (range_.is_everything()) return true;
    if (const auto time = clock_.read(r)) entry_ = time->entry - origin_;
    const bool kept = is_in_range(r);
    if (!kept) return false;
    has_long_gap_ = has_long_gap_ || entry_ - last_kept_ > kLongestGap;
    last_kept_ = entry_;
    return true;
  }
  /// Whether so much was left out that the clock of the remaining records is ambiguous: it stores seconds
  /// modulo 65536, and only a step of less than half of that is unique.
  bool has_long_gap() const { return has_long_gap_; }

 private:
  // What annotations hold of a call of MPI-3 stays together.
  bool is_in_range(const Record& r) {
    const bool in_range = (entry_ >= range_.from && entry_ < range_.to) || kAlwaysKept[r.function];
    const bool enter = r.function == function_id("Function_enter");
    if (!enter && r.function != function_id("Function_exit")) return in_range;
    const auto call = mpi3_calls_.find(static_cast<std::uint64_t>(r[0]));
    if (call == mpi3_calls_.end()) return is_annotated_part(r) ? mpi3_kept_ : in_range;
    if (enter) mpi3_kept_ = in_range || call->second;
    return mpi3_kept_;
  }

  static constexpr std::int64_t kLongestGap = std::int64_t{32768} * 1'000'000'000;

  TimeRange range_;
  RankClock clock_{false};
  bool has_times_ = true;
  std::map<std::uint64_t, bool> mpi3_calls_;  // by the key of their annotation: whether they always stay
  bool mpi3_kept_ = false;                    // the one at hand
  std::int64_t origin_ = 0;
  std::int64_t entry_ = 0, last_kept_ = 0;  // since the origin
  bool has_long_gap_ = false;
};

// The files of the new trace.
struct Target {
  fs::path meta;
  std::string prefix;  // of the rank files, beside the metafile

  std::string rank_file(std::uint32_t rank) const {
    return (meta.parent_path() / fmt::format("{}-{:04}.bin", prefix, rank)).string();
  }
};

Expected<Target> target_of(const TraceFiles& from, const MetaFile& meta, const std::string& to) {
  if (without_compression(to).size() != to.size())
    return tl::unexpected(
        file_error(Error::Kind::bad_option, to, "compressed traces are read, but not written"));
  if (fs::path(to).extension() == ".meta") return Target{to, fs::path(to).stem().string()};
  std::error_code code;
  fs::create_directories(to, code);
  if (code)
    return tl::unexpected(file_error(Error::Kind::unreadable, to, "cannot be written: " + code.message()));
  const auto name = fs::path(without_compression(from.meta)).filename();
  const auto prefix = fs::path(meta.prefix).filename();
  return Target{fs::path(to) / name, (prefix.empty() ? name.stem() : prefix).string()};
}

Expected<std::vector<std::uint32_t>> ranks_to_write(const TraceFiles& files, const RewriteOptions& options) {
  auto ranks = options.ranks;
  if (ranks.empty())  // all ranks of the trace
    for (std::uint32_t r = 0; r < files.ranks.size(); ++r)
      if (!files.ranks[r].empty()) ranks.push_back(r);
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  if (!ranks.empty() && ranks.back() >= files.ranks.size())
    return tl::unexpected(file_error(
        Error::Kind::bad_option, files.meta,
        fmt::format("has no rank {}: its ranks are 0 to {}", ranks.back(), files.ranks.size() - 1)));
  for (const auto rank : ranks)
    if (files.ranks[rank].empty())
      return tl::unexpected(file_error(Error::Kind::bad_option, files.meta,
                                       fmt::format("the file of rank {} is missing", rank)));
  return ranks;
}

// Does not overwrite the trace that is read, nor write beside ranks of another trace that a reader would
// include.
Expected<void> check_target(const TraceFiles& files, const Target& target,
                            const std::vector<std::uint32_t>& ranks) {
  std::error_code not_there;
  if (fs::equivalent(files.meta, target.meta, not_there))
    return tl::unexpected(file_error(Error::Kind::bad_option, target.meta.string(), "is the trace being read",
                                     "write to another folder or name"));
  for (const auto& [rank, path] : rank_files((target.meta.parent_path() / target.prefix).string())) {
    const bool replaced =
        std::binary_search(ranks.begin(), ranks.end(), rank) && path == target.rank_file(rank);
    const bool is_read = rank < files.ranks.size() && !files.ranks[rank].empty() &&
                         fs::equivalent(files.ranks[rank], path, not_there);
    if (!replaced || is_read)
      return tl::unexpected(file_error(Error::Kind::bad_option, path,
                                       "is in the way: it would count as a rank of the new trace",
                                       "write to another folder or name"));
  }
  return {};
}

}  // namespace

Expected<RankSummary> rewrite_rank(const TraceFile& file, ByteSink& to, const TimeRange& range,
                                   Diagnostics& diagnostics) {
  RangeFilter filter(file, range);
  if (!filter.has_times())
    return tl::unexpected(
        file_error(Error::Kind::bad_option, file.path(), "holds no times, so no time range can be selected"));
  RankSummary summary;
  auto parts = parts_of(file);
  TraceWriter writer(to, file.cpu_bias(), file.wall_bias(), file.version());
  RecordReader records(file);
  while (const auto* r = records.next()) {
    if (filter.keeps(*r)) {
      writer.copy(*r);
      ++summary.records;
    } else {
      parts.counts.ignore_recorded(r->function);
      ++summary.left_out;
    }
  }
  if (records.error()) return tl::unexpected(*records.error());
  if (filter.has_long_gap())
    diagnostics.push_back(
        {Diagnostic::Severity::warning, "long-gap",
         "more than 9 hours between two remaining calls: the file's clock cannot count them", file.path()});
  if (auto done = writer.finish(parts, form_of(file, records)); !done)
    return tl::unexpected(std::move(done.error()));
  return summary;
}

Expected<RewriteSummary> rewrite_trace(const std::string& from, const std::string& to,
                                       const RewriteOptions& options, Diagnostics& diagnostics,
                                       const std::function<bool(double)>& progress) {
  if (options.range.from >= options.range.to)
    return tl::unexpected(file_error(Error::Kind::bad_option, "", "the time range ends before it begins"));
  const auto files = find_trace_files(from, diagnostics, true);
  if (!files) return tl::unexpected(files.error());
  auto meta = read_meta_file(files->meta);
  if (!meta) return tl::unexpected(std::move(meta.error()));
  const auto ranks = ranks_to_write(*files, options);
  if (!ranks) return tl::unexpected(ranks.error());
  const auto target = target_of(*files, *meta, to);
  if (!target) return tl::unexpected(target.error());
  if (auto free = check_target(*files, *target, *ranks); !free)
    return tl::unexpected(std::move(free.error()));

  RewriteSummary summary;
  summary.read.push_back(files->meta);
  std::vector<OutputFile> written;
  for (const auto rank : *ranks) {
    Diagnostics news;
    const auto file = TraceFile::open(files->ranks[rank], news);
    if (!file) return tl::unexpected(file.error());
    auto out = OutputFile::create(target->rank_file(rank));
    if (!out) return tl::unexpected(std::move(out.error()));
    const auto done = rewrite_rank(*file, *out, options.range, news);
    if (!done) return tl::unexpected(done.error());
    tell_once(diagnostics, std::move(news));
    if (auto closed = out->close(); !closed) return tl::unexpected(std::move(closed.error()));
    written.push_back(std::move(*out));
    summary.read.push_back(files->ranks[rank]);
    summary.files.push_back(target->rank_file(rank));
    summary.records += done->records;
    summary.left_out += done->left_out;
    const auto share = static_cast<double>(summary.files.size()) / static_cast<double>(ranks->size());
    summary.stopped = progress && !progress(share);
    if (summary.stopped) return summary;
  }
  meta->ranks = static_cast<std::uint32_t>(files->ranks.size());
  meta->prefix = target->prefix;
  summary.meta = target->meta.string();
  auto out = OutputFile::create(summary.meta);
  if (!out) return tl::unexpected(std::move(out.error()));
  if (auto done = out->write(to_text(*meta)); !done) return tl::unexpected(std::move(done.error()));
  written.push_back(std::move(*out));
  for (auto& file : written)
    if (auto done = file.commit(); !done) return tl::unexpected(std::move(done.error()));
  return summary;
}

}  // namespace busline::dumpi
