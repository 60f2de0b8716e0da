#include "measuring/import/osu_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "documents/fields/printable.hpp"
#include "measuring/import/suite_list.hpp"
#include "measuring/import/text_lines.hpp"

namespace busline::measure {
namespace {

constexpr std::string_view kOsuHeading = "# OSU MPI";
constexpr double kPicosecondsPerSecond = 1e12;
constexpr double kBytesPerMegabyte = 1e6;  // the benchmarks divide by 10^6
// Messages in flight at once; the header shows it where it can be chosen.
constexpr std::uint32_t kWindow = 64;

enum class OsuKind { latency, multi_latency, bandwidth, both_ways, message_rate, collective };

struct OsuBenchmark {
  std::string_view title;  // without "OSU MPI" and "Test"
  OsuKind kind;
  std::string_view call = {};  // of a collective
};

constexpr std::array<OsuBenchmark, 21> kOsuBenchmarks{{
    {"Latency", OsuKind::latency},
    {"Multi Latency", OsuKind::multi_latency},
    {"Bandwidth", OsuKind::bandwidth},
    {"Bi-Directional Bandwidth", OsuKind::both_ways},
    {"Bidirectional Bandwidth", OsuKind::both_ways},
    {"Multiple Bandwidth / Message Rate", OsuKind::message_rate},
    {"Barrier Latency", OsuKind::collective, "MPI_Barrier"},
    {"Broadcast Latency", OsuKind::collective, "MPI_Bcast"},
    {"Reduce Latency", OsuKind::collective, "MPI_Reduce"},
    {"Allreduce Latency", OsuKind::collective, "MPI_Allreduce"},
    {"Reduce_scatter Latency", OsuKind::collective, "MPI_Reduce_scatter"},
    {"Gather Latency", OsuKind::collective, "MPI_Gather"},
    {"Gatherv Latency", OsuKind::collective, "MPI_Gatherv"},
    {"Scatter Latency", OsuKind::collective, "MPI_Scatter"},
    {"Scatterv Latency", OsuKind::collective, "MPI_Scatterv"},
    {"Allgather Latency", OsuKind::collective, "MPI_Allgather"},
    {"Allgatherv Latency", OsuKind::collective, "MPI_Allgatherv"},
    {"All-to-All Personalized Exchange Latency", OsuKind::collective, "MPI_Alltoall"},
    {"All-to-Allv Personalized Exchange Latency", OsuKind::collective, "MPI_Alltoallv"},
    {"All-to-All Latency", OsuKind::collective, "MPI_Alltoall"},  // the non-blocking ones
    {"All-to-Allv Latency", OsuKind::collective, "MPI_Alltoallv"},
}};

// "# OSU MPI Allreduce Latency Test v5.6.2", "# OSU MPI-CUDA Latency Test v7.3": what is between.
std::string_view title_of(std::string_view heading) {
  auto title = heading.substr(kOsuHeading.size());
  if (title.starts_with('-')) title.remove_prefix(std::min(title.find(' '), title.size()));
  title = title.substr(0, title.rfind(" Test"));
  title.remove_prefix(std::min(title.find_first_not_of(' '), title.size()));
  return title;
}

class OsuReader {
 public:
  OsuReader(std::string_view text, const std::string& path, const ImportOptions& options,
            Diagnostics& diagnostics)
      : lines_(text, path),
        options_(options),
        list_(JobNodes(options.ranks_per_node)),
        diagnostics_(diagnostics) {}

  Expected<Measurement> read() {
    return for_each_line(
               lines_, [&] { comment(); }, [&] { return row(); })
        .map([&] { return list_.take(lines_.path(), diagnostics_); });
  }

 private:
  void comment() {
    const auto text = lines_.text();
    if (text.starts_with(kOsuHeading)) {
      begin(title_of(text));
    } else if (text.find("[ pairs:") != std::string_view::npos) {
      pairs_ = number_after(text, "pairs:", kMostImportedRanks / 2).value_or(0);
      window_ = number_after(text, "window size:", 1U << 20U).value_or(kWindow);
    } else {
      // "# Size   Avg Latency(us)", and without a size for the barrier.
      auto found = titles(text.substr(1));
      const bool table = std::any_of(found.begin(), found.end(), [](std::string_view t) {
        return t == "MB/s" || t.find("(us)") != std::string_view::npos ||
               t.find("(MB/s)") != std::string_view::npos;
      });
      if (table) titles_ = std::move(found);
    }
  }

  void begin(std::string_view title) {
    constexpr std::string_view kNonblocking = "Non-blocking ";
    nonblocking_ = title.starts_with(kNonblocking);
    if (nonblocking_) title.remove_prefix(kNonblocking.size());
    const auto at = std::find_if(kOsuBenchmarks.begin(), kOsuBenchmarks.end(),
                                 [&](const OsuBenchmark& b) { return b.title == title; });
    benchmark_ = at == kOsuBenchmarks.end() ? nullptr : &*at;
    begun_ = true;
    table_ = nullptr;
    titles_.clear();
    pairs_ = 0;
    window_ = kWindow;
    if (benchmark_ == nullptr)
      diagnostics_.push_back(lines_.warning(
          "not-imported",
          fmt::format("'{}' measures something that is not modelled: left out", printable(title))));
    else if (nonblocking_)
      diagnostics_.push_back(lines_.warning(
          "nonblocking-collectives",
          fmt::format(
              "the time of the non-blocking collective alone ('Pure Comm.') is taken for {}, which the "
              "MPI library may carry out with another algorithm",
              benchmark_->call)));
  }

  Expected<void> row() {
    if (!begun_)
      return tl::unexpected(
          lines_.error("numbers before the heading of a benchmark, as in '# OSU MPI Latency Test'"));
    if (benchmark_ == nullptr) return {};
    if (titles_.empty())
      return tl::unexpected(lines_.error("numbers without a preceding line that names the columns"));
    const auto values = lines_.numbers(titles_.size());
    if (!values) return tl::unexpected(values.error());
    std::uint64_t bytes = 0;
    if (has_sizes()) {
      const auto size = lines_.whole(values->front());
      if (!size) return tl::unexpected(size.error());
      bytes = *size;
    }
    if (auto ready = begin_table(); !ready) return ready;
    const auto ps = result_ps(*values, bytes);
    if (!ps) return tl::unexpected(ps.error());
    const auto ranks = table_->ranks.size();
    std::uint64_t argument = table_->varies == Varies::ranks ? ranks : bytes;
    if (benchmark_->call == "MPI_Reduce_scatter") {
      // Here the size is that of the whole vector.
      if (bytes % ranks != 0) return {};
      argument = bytes / ranks;
    }
    table_->points.push_back(average_point(argument, *ps));
    return {};
  }

  // Made once: a suite lists all ranks.
  Expected<void> begin_table() {
    if (table_ != nullptr) return {};
    auto suite = suite_here();
    if (!suite) return tl::unexpected(std::move(suite.error()));
    table_ = list_.find_or_add(*std::move(suite));
    if (table_ == nullptr) return tl::unexpected(lines_.error("there are too many tables of too many ranks"));
    return {};
  }

  bool has_sizes() const { return titles_.front() == "Size"; }

  std::optional<std::size_t> column(std::string_view title) const {
    for (std::size_t i = 0; i < titles_.size(); ++i)
      if (titles_[i].starts_with(title)) return i;
    return std::nullopt;
  }

  // From the columns, as the time of one message or call.
  Expected<double> result_ps(const std::vector<double>& values, std::uint64_t bytes) const {
    switch (benchmark_->kind) {
      case OsuKind::bandwidth:
      case OsuKind::both_ways:
      case OsuKind::message_rate: {
        const auto at = column("Bandwidth").value_or(column("MB/s").value_or(1));
        if (at >= values.size() || values[at] <= 0)
          return tl::unexpected(lines_.error("expected a bandwidth above 0"));
        // All pairs together, or both directions.
        const double messages = benchmark_->kind == OsuKind::both_ways ? 2 : std::max<double>(pairs_, 1);
        return messages * static_cast<double>(bytes) / (values[at] * kBytesPerMegabyte) *
               kPicosecondsPerSecond;
      }
      default: {
        const std::size_t first = has_sizes() ? 1 : 0;
        const auto at = nonblocking_ ? column("Pure Comm").value_or(values.size())
                                     : column("Max Latency").value_or(column("Avg Latency").value_or(first));
        if (at >= values.size())
          return tl::unexpected(lines_.error("the table has no column 'Pure Comm.(us)'"));
        if (values[at] <= 0) return tl::unexpected(lines_.error("expected a time above 0"));
        return values[at] * kPicosecondsPerMicrosecond;
      }
    }
  }

  Expected<Suite> suite_here() const {
    Suite s;
    switch (benchmark_->kind) {
      case OsuKind::latency:
        return list_.of_pair("pingpong", "MPI_Send-MPI_Recv", Pattern::pingpong, TimeOf::half_round_trip, 0,
                             1);
      case OsuKind::bandwidth:
        s = list_.of_pair("bandwidth", "window", Pattern::bandwidth, TimeOf::one_way, 0, 1);
        s.messages = window_;
        return s;
      case OsuKind::both_ways:
        s = list_.of_pair("bidirectional", "exchange_window", Pattern::bidirectional, TimeOf::one_way, 0, 1);
        s.messages = window_;
        return s;
      case OsuKind::multi_latency:
      case OsuKind::message_rate:
        return of_pairs();
      case OsuKind::collective:
        break;
    }
    if (options_.ranks < 2)
      return tl::unexpected(lines_.error("the file does not record the number of ranks in this collective",
                                         "give it with --ranks"));
    if (options_.ranks > kMostImportedRanks) return tl::unexpected(lines_.error("there are too many ranks"));
    const bool longest = column("Max Latency").has_value();
    return SuiteList::collective(benchmark_->call, has_sizes() ? Varies::bytes : Varies::ranks,
                                 options_.ranks, longest ? TimeOf::longest_call : TimeOf::mean_call,
                                 LeadIn::barrier);
  }

  // Rank i with rank i + pairs.
  Expected<Suite> of_pairs() const {
    const auto pairs = pairs_ > 0 ? pairs_ : options_.ranks / 2;
    if (pairs == 0)
      return tl::unexpected(
          lines_.error("the file does not record the number of pairs of ranks", "give it with --ranks"));
    if (pairs > kMostImportedRanks / 2)
      return tl::unexpected(lines_.error("there are too many pairs of ranks"));
    Suite s;
    const bool rate = benchmark_->kind == OsuKind::message_rate;
    s.name = fmt::format("{}-{}-pairs", rate ? "message-rate" : "pingpong", pairs);
    s.operation = rate ? "window" : "MPI_Send-MPI_Recv";
    s.pattern = rate ? Pattern::message_rate : Pattern::pingpong;
    s.time = rate ? TimeOf::one_way : TimeOf::half_round_trip;
    for (std::uint32_t i = 0; i < pairs; ++i) s.ranks.insert(s.ranks.end(), {i, pairs + i});
    s.concurrent = pairs;
    if (rate) s.messages = window_;
    return s;
  }

  TextLines lines_;
  const ImportOptions& options_;
  SuiteList list_;
  Diagnostics& diagnostics_;
  const OsuBenchmark* benchmark_ = nullptr;
  Suite* table_ = nullptr;  // of the rows that follow, once there was one
  bool begun_ = false, nonblocking_ = false;
  std::vector<std::string_view> titles_;
  std::uint32_t pairs_ = 0, window_ = kWindow;
};

}  // namespace

bool looks_like_osu(std::string_view text) {
  return text.find(kOsuHeading) != std::string_view::npos;
}

Expected<Measurement> parse_osu(std::string_view text, const std::string& path, const ImportOptions& options,
                                Diagnostics& diagnostics) {
  return OsuReader(text, path, options, diagnostics).read();
}

}  // namespace busline::measure
