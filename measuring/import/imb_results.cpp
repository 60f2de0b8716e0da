#include "measuring/import/imb_results.hpp"

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

constexpr std::string_view kImbHeading = "# Benchmarking ";

enum class ImbKind { pingpong, pingping, ring, exchange, collective };

struct ImbBenchmark {
  std::string_view title;
  ImbKind kind;
  std::string_view call;  // the kernel's name, where there is one
};

constexpr std::array<ImbBenchmark, 19> kImbBenchmarks{{
    {"PingPong", ImbKind::pingpong, "MPI_Send-MPI_Recv"},
    {"PingPing", ImbKind::pingping, "exchange"},
    {"Sendrecv", ImbKind::ring, "MPI_Sendrecv"},
    {"SendRecv", ImbKind::ring, "MPI_Sendrecv"},
    {"Exchange", ImbKind::exchange, "IMB Exchange"},
    {"Barrier", ImbKind::collective, "MPI_Barrier"},
    {"Bcast", ImbKind::collective, "MPI_Bcast"},
    {"Reduce", ImbKind::collective, "MPI_Reduce"},
    {"Allreduce", ImbKind::collective, "MPI_Allreduce"},
    {"Reduce_scatter", ImbKind::collective, "MPI_Reduce_scatter"},
    {"Gather", ImbKind::collective, "MPI_Gather"},
    {"Gatherv", ImbKind::collective, "MPI_Gatherv"},
    {"Scatter", ImbKind::collective, "MPI_Scatter"},
    {"Scatterv", ImbKind::collective, "MPI_Scatterv"},
    {"Allgather", ImbKind::collective, "MPI_Allgather"},
    {"Allgatherv", ImbKind::collective, "MPI_Allgatherv"},
    {"Alltoall", ImbKind::collective, "MPI_Alltoall"},
    {"Alltoallv", ImbKind::collective, "MPI_Alltoallv"},
    {"Scan", ImbKind::collective, "MPI_Scan"},
}};

class ImbReader {
 public:
  ImbReader(std::string_view text, const std::string& path, const ImportOptions& options,
            Diagnostics& diagnostics)
      : lines_(text, path), list_(JobNodes(options.ranks_per_node)), diagnostics_(diagnostics) {}

  Expected<Measurement> read() {
    return for_each_line(
               lines_, [&] { comment(); }, [&] { return row(); })
        .map([&] { return list_.take(lines_.path(), diagnostics_); });
  }

 private:
  void comment() {
    const auto text = lines_.text();
    if (text.starts_with(kImbHeading)) {
      begin(words(text.substr(kImbHeading.size())));
    } else if (const auto n = number_after(text, "#processes =", kMostImportedRanks)) {
      processes_ = *n;
    } else if (benchmark_ != nullptr && text.find("groups of") != std::string_view::npos) {
      leave_out("a benchmark of several groups of ranks at once");
    } else if (text.find("#repetitions") != std::string_view::npos) {
      titles_ = words(text);
    }
  }

  void begin(const std::vector<std::string_view>& title) {
    const auto at = title.size() != 1
                        ? kImbBenchmarks.end()
                        : std::find_if(kImbBenchmarks.begin(), kImbBenchmarks.end(),
                                       [&](const ImbBenchmark& b) { return b.title == title.front(); });
    benchmark_ = at == kImbBenchmarks.end() ? nullptr : &*at;
    begun_ = true;
    table_ = nullptr;
    processes_ = 0;
    titles_.clear();
    if (benchmark_ == nullptr)
      leave_out(title.empty() ? "a benchmark without a name" : fmt::format("'{}'", printable(title.front())));
  }

  void leave_out(const std::string& what) {
    benchmark_ = nullptr;
    diagnostics_.push_back(
        lines_.warning("not-imported", what + " measures something that is not modelled: left out"));
  }

  std::optional<std::size_t> column(std::string_view title) const {
    for (std::size_t i = 0; i < titles_.size(); ++i)
      if (titles_[i] == title) return i;
    return std::nullopt;
  }

  Expected<void> row() {
    if (!begun_)
      return tl::unexpected(
          lines_.error("numbers before the heading of a benchmark, as in '# Benchmarking PingPong'"));
    if (benchmark_ == nullptr) return {};
    if (titles_.empty())
      return tl::unexpected(lines_.error("numbers without a preceding line that names the columns"));
    if (processes_ < 2)
      return tl::unexpected(lines_.error("the table does not record the number of ranks",
                                         "expected a line '# #processes = N' above it, N 2 or more"));
    if (const auto text = lines_.text(); text.find("time-out") != std::string_view::npos ||
                                         text.find("out-of-mem") != std::string_view::npos) {
      diagnostics_.push_back(lines_.warning("not-measured", "the benchmark gave up on this size"));
      return {};
    }
    const auto values = lines_.numbers(titles_.size());
    if (!values) return tl::unexpected(values.error());
    const auto time = column("t_max[usec]").value_or(column("t[usec]").value_or(titles_.size()));
    if (time == titles_.size())
      return tl::unexpected(lines_.error("the table has no column t_max[usec] or t[usec]"));
    if ((*values)[time] <= 0) return tl::unexpected(lines_.error("expected a time above 0"));
    if (table_ == nullptr) table_ = list_.find_or_add(suite_here());
    if (table_ == nullptr) return tl::unexpected(lines_.error("there are too many tables of too many ranks"));
    std::uint64_t argument = processes_;
    if (table_->varies == Varies::bytes) {
      const auto at = column("#bytes");
      if (!at) return tl::unexpected(lines_.error("the table has no column #bytes"));
      const auto bytes = lines_.whole((*values)[*at]);
      if (!bytes) return tl::unexpected(bytes.error());
      argument = *bytes;
      if (benchmark_->call == "MPI_Reduce_scatter") {
        // Here the size is that of the whole vector.
        if (argument % processes_ != 0) return {};
        argument /= processes_;
      }
    }
    table_->points.push_back(average_point(argument, (*values)[time] * kPicosecondsPerMicrosecond));
    return {};
  }

  Suite suite_here() const {
    const auto call = benchmark_->call;
    switch (benchmark_->kind) {
      case ImbKind::pingpong:
        return list_.of_pair("pingpong", call, Pattern::pingpong, TimeOf::half_round_trip, 0, 1);
      case ImbKind::pingping:
        return list_.of_pair("pingping", call, Pattern::pingping, TimeOf::one_way, 0, 1);
      case ImbKind::ring:
        // For two ranks each is the other's neighbour on both sides.
        if (processes_ == 2)
          return list_.of_pair("sendrecv", call, Pattern::pingping, TimeOf::longest_call, 0, 1);
        return neighbours("sendrecv", "IMB Sendrecv");
      case ImbKind::exchange:
        return neighbours("exchange", call);
      case ImbKind::collective:
        break;
    }
    return SuiteList::collective(call, column("#bytes") ? Varies::bytes : Varies::ranks, processes_,
                                 TimeOf::longest_call, LeadIn::none);
  }

  Suite neighbours(std::string_view name, std::string_view operation) const {
    Suite s;
    s.name = fmt::format("{}-{}", name, processes_);
    s.operation = operation;
    s.pattern = Pattern::ring;
    s.time = TimeOf::longest_call;
    s.ranks = first_ranks(processes_);
    s.lead_in = LeadIn::none;
    return s;
  }

  TextLines lines_;
  SuiteList list_;
  Diagnostics& diagnostics_;
  const ImbBenchmark* benchmark_ = nullptr;
  Suite* table_ = nullptr;  // of the rows that follow, once there was one
  bool begun_ = false;
  std::uint32_t processes_ = 0;
  std::vector<std::string_view> titles_;
};

}  // namespace

bool looks_like_imb(std::string_view text) {
  return text.find(kImbHeading) != std::string_view::npos;
}

Expected<Measurement> parse_imb(std::string_view text, const std::string& path, const ImportOptions& options,
                                Diagnostics& diagnostics) {
  return ImbReader(text, path, options, diagnostics).read();
}

}  // namespace busline::measure
