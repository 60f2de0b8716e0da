#include "measuring/import/smpi_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "documents/fields/printable.hpp"
#include "measuring/import/smpi_load.hpp"
#include "measuring/import/smpi_rows.hpp"
#include "measuring/import/suite_list.hpp"

namespace busline::measure {
namespace {

constexpr std::string_view kSend = "MPI_Send", kRecv = "MPI_Recv";

/// What one of the two processes times alone.
struct SmpiCall {
  std::string_view operation, suite;
  Pattern pattern;
};
// A receive is of a message that is there, as long as it is eager.
constexpr std::array<SmpiCall, 5> kSmpiCalls{{{"MPI_Isend", "isend", Pattern::overhead},
                                              {kRecv, "recv", Pattern::overhead},
                                              {"MPI_Wtime", "wtime", Pattern::local},
                                              {"MPI_Iprobe", "iprobe", Pattern::local},
                                              {"MPI_Test", "test", Pattern::local}}};

class SmpiReader {
 public:
  SmpiReader(TextLines& lines, SuiteList& list, Diagnostics& diagnostics)
      : lines_(lines), list_(list), diagnostics_(diagnostics) {}

  Expected<void> read() {
    while (lines_.next()) {
      if (lines_.text().empty()) continue;
      const auto row = smpi_row(lines_, kColumns);
      if (!row) return tl::unexpected(row.error());
      if (kind_.empty()) kind_ = row->operation;
      if (auto added = kind_ == kSend ? add_half(*row) : add_call(*row); !added) return added;
    }
    if (sent_)
      return tl::unexpected(lines_.error("the answer to this message is missing, expected a row of MPI_Recv",
                                         "the file appears to be truncated"));
    make_suites();
    return {};
  }

 private:
  static constexpr std::size_t kColumns = 4;
  using Samples = std::map<std::uint64_t, std::vector<Duration>>;  // of each size

  // A round trip is two rows: the message there, and the one back.
  Expected<void> add_half(const SmpiRow& row) {
    const auto expected = sent_ ? kRecv : kSend;
    if (row.operation != expected)
      return refuse(fmt::format("a row of {}, expected {}: rows of both alternate", printable(row.operation),
                                expected));
    if (!sent_) {
      sent_ = row;
      return {};
    }
    if (row.bytes != sent_->bytes)
      return refuse(
          fmt::format("the answer has {} bytes, expected {} as the message", row.bytes, sent_->bytes));
    calls_[row.bytes].push_back(sent_->time);
    round_trips_[row.bytes].push_back(sent_->time + row.time);
    sent_.reset();
    return {};
  }

  Expected<void> add_call(const SmpiRow& row) {
    if (row.operation != kind_)
      return refuse(fmt::format("a row of {} among rows of {}, expected files of one kind each",
                                printable(row.operation), printable(kind_)));
    calls_[row.bytes].push_back(row.time);
    return {};
  }

  Expected<void> refuse(std::string message) const {
    return tl::unexpected(lines_.error(std::move(message)));
  }

  void make_suites() {
    if (kind_ == kSend) {
      auto trips =
          list_.of_pair("pingpong", "MPI_Send-MPI_Recv", Pattern::pingpong, TimeOf::round_trip, 0, 1);
      add(std::move(trips), std::move(round_trips_));
      add(list_.of_pair("send", kSend, Pattern::overhead, TimeOf::call, 0, 1), std::move(calls_));
      return;
    }
    const auto call = std::find_if(kSmpiCalls.begin(), kSmpiCalls.end(),
                                   [&](const SmpiCall& c) { return c.operation == kind_; });
    if (call == kSmpiCalls.end()) {
      diagnostics_.push_back(
          {.code = "not-imported",
           .message =
               fmt::format("calls of {} measure something that is not modelled: left out", printable(kind_)),
           .path = lines_.path()});
      return;
    }
    if (call->pattern == Pattern::local) return add_local(*call);
    add(list_.of_pair(call->suite, call->operation, call->pattern, TimeOf::call, 0, 1), std::move(calls_));
  }

  void add(Suite suite, Samples samples) {
    suite.lead_in = LeadIn::none;
    auto* found = list_.find_or_add(std::move(suite));
    for (auto& [bytes, of_size] : samples)
      found->points.push_back(point_of_samples(bytes, std::move(of_size)));
  }

  // One rank, whatever the size of the message that it asks for. A row of MPI_Wtime is of `bytes` calls
  // together.
  void add_local(const SmpiCall& call) {
    const bool together = call.operation == "MPI_Wtime";
    std::vector<Duration> samples;
    for (const auto& [size, times] : calls_)
      for (const auto time : times)
        samples.push_back(together && size > 0 ? Duration::from_double(static_cast<double>(time.count()) /
                                                                       static_cast<double>(size))
                                               : time);
    Suite suite;
    suite.name = call.suite;
    suite.operation = call.operation;
    suite.pattern = call.pattern;
    suite.time = TimeOf::call;
    suite.varies = Varies::nothing;
    suite.ranks = {0};
    suite.lead_in = LeadIn::none;
    list_.find_or_add(std::move(suite))->points.push_back(point_of_samples(0, std::move(samples)));
  }

  TextLines& lines_;
  SuiteList& list_;
  Diagnostics& diagnostics_;
  std::string_view kind_;  // the first row's operation
  std::optional<SmpiRow> sent_;
  Samples round_trips_, calls_;
};

}  // namespace

bool looks_like_smpi(std::string_view text) {
  return smpi_columns(text) > 0;
}

Expected<Measurement> parse_smpi(std::string_view text, const std::string& path, const ImportOptions& options,
                                 Diagnostics& diagnostics) {
  TextLines lines(text, path);
  SuiteList list{JobNodes(options.ranks_per_node)};
  constexpr std::size_t kOfLoad = 5;
  auto read = smpi_columns(text) == kOfLoad ? add_smpi_load(lines, list, diagnostics)
                                            : SmpiReader(lines, list, diagnostics).read();
  return read.map([&] { return list.take(path, diagnostics); });
}

}  // namespace busline::measure
