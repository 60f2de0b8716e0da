#include "measuring/import/smpi_load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "documents/fields/printable.hpp"
#include "measuring/import/smpi_rows.hpp"
#include "sim/base/text_parts.hpp"

namespace busline::measure {
namespace {

/// Which ranks join at step `x`, from 1, of `n`. Those that have joined stay.
enum class Joining {
  pair,        ///< x - 1, and its partner in the upper half
  two_pairs,   ///< 2x - 2 and 2x - 1, and their partners
  neighbours,  ///< 2x - 2 and 2x - 1
};

class LoadReader {
 public:
  LoadReader(TextLines& lines, SuiteList& list, Diagnostics& diagnostics)
      : lines_(lines), list_(list), diagnostics_(diagnostics) {}

  Expected<void> read() {
    constexpr std::size_t kColumns = 5;
    while (lines_.next()) {
      if (lines_.text().empty()) continue;
      const auto row = smpi_row(lines_, kColumns);
      if (!row) return tl::unexpected(row.error());
      if (auto added = add(*row); !added) return added;
    }
    return make_suite();
  }

 private:
  Expected<void> add(const SmpiRow& row) {
    if (operation_.empty()) {
      operation_ = row.operation;
      bytes_ = row.bytes;
    }
    if (row.operation != operation_ || row.bytes != bytes_)
      return tl::unexpected(
          lines_.error(fmt::format("a row of {} with {} bytes, expected {} with {} as in the first row",
                                   printable(row.operation), row.bytes, printable(operation_), bytes_)));
    if (row.rank >= kMostImportedRanks)
      return tl::unexpected(lines_.error(
          fmt::format("rank {} is not below {}, the most that are read", row.rank, kMostImportedRanks)));
    times_[row.rank].push_back(row.time);
    return {};
  }

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(times_.size()); }

  std::uint32_t steps(Joining joining) const {
    return joining == Joining::two_pairs ? ranks() / 4 : ranks() / 2;
  }

  std::uint32_t joins_at(std::uint32_t rank, Joining joining) const {
    if (joining == Joining::neighbours) return rank / 2 + 1;
    const auto of_half = rank % (ranks() / 2);
    return (joining == Joining::pair ? of_half : of_half / 2) + 1;
  }

  std::size_t calls_of(std::uint32_t rank, Joining joining) const {
    return calls_ * (steps(joining) - joins_at(rank, joining) + 1);
  }

  bool fits(Joining joining) const {
    if (ranks() % (joining == Joining::two_pairs ? 4 : 2) != 0) return false;
    return std::all_of(times_.begin(), times_.end(),
                       [&](const auto& t) { return t.second.size() == calls_of(t.first, joining); });
  }

  // The ranks that join last make the calls of a single step.
  Expected<void> make_suite() {
    if (times_.empty()) return {};
    if (times_.rbegin()->first >= ranks())
      return refuse(
          fmt::format("rows of {}, but one of rank {}", counted(ranks(), "rank"), times_.rbegin()->first));
    calls_ = times_.begin()->second.size();
    for (const auto& [rank, times] : times_) calls_ = std::min(calls_, times.size());
    if (operation_ == "MPI_Alltoall") {
      if (fits(Joining::neighbours)) return add_steps(alltoall(), Joining::neighbours, 2);
      return refuse(unexpected_calls(Joining::neighbours));
    }
    const bool both_ways = operation_ == "MPI_Sendrecv";
    if (!both_ways && operation_ != "MPI_Send") return leave_out();
    if (fits(Joining::pair)) return add_steps(pairs(both_ways), Joining::pair, 1);
    if (both_ways && fits(Joining::two_pairs)) return add_steps(ring(), Joining::two_pairs, 2);
    return refuse(unexpected_calls(Joining::pair));
  }

  Expected<void> refuse(std::string message) const {
    return tl::unexpected(lines_.error(std::move(message), "the file appears to be incomplete"));
  }

  std::string unexpected_calls(Joining joining) const {
    if (ranks() % 2 != 0) return fmt::format("rows of {}, expected an even number", counted(ranks(), "rank"));
    const auto wrong = std::find_if(times_.begin(), times_.end(), [&](const auto& t) {
      return t.second.size() != calls_of(t.first, joining);
    });
    return fmt::format("rank {} made {} of {}, expected {}: {} a step from step {} to {}", wrong->first,
                       counted(wrong->second.size(), "call"), printable(operation_),
                       calls_of(wrong->first, joining), calls_, joins_at(wrong->first, joining),
                       steps(joining));
  }

  Expected<void> leave_out() {
    diagnostics_.push_back({.code = "not-imported",
                            .message = fmt::format("{} of many ranks in this order measures something that "
                                                   "calibration does not use: left out",
                                                   printable(operation_)),
                            .path = lines_.path()});
    return {};
  }

  Suite pairs(bool both_ways) const {
    Suite s;
    s.name = both_ways ? "pairs-both-ways" : "pairs-one-way";
    s.operation = operation_;
    s.pattern = Pattern::pairings;
    s.time = TimeOf::mean_call;
    s.varies = Varies::pairs;
    const auto half = ranks() / 2;
    for (std::uint32_t i = 0; i < half; ++i) s.ranks.insert(s.ranks.end(), {i, half + i});
    return s;
  }

  // To its own partner, and from that of its neighbour: no kernel does the same, so nothing is predicted for
  // it.
  Suite ring() const {
    auto s = pairs(true);
    s.name = "ring-of-pairs";
    s.operation += " with two partners";
    s.pattern = Pattern::ring;
    return s;
  }

  Suite alltoall() const {
    return SuiteList::collective(operation_, Varies::ranks, ranks(), TimeOf::mean_call, LeadIn::none);
  }

  Expected<void> add_steps(Suite suite, Joining joining, std::uint64_t arguments_a_step) {
    suite.bytes = bytes_;
    suite.lead_in = LeadIn::none;
    auto* found = list_.find_or_add(std::move(suite));
    if (found == nullptr) return refuse("there are too many ranks");
    for (std::uint32_t step = 1; step <= steps(joining); ++step) {
      std::vector<double> sums(calls_);
      double joined_ranks = 0;
      for (const auto& [rank, times] : times_) {
        const auto joined = joins_at(rank, joining);
        if (joined > step) continue;
        ++joined_ranks;
        for (std::size_t i = 0; i < calls_; ++i)
          sums[i] += static_cast<double>(times[(step - joined) * calls_ + i].count());
      }
      std::vector<Duration> means;
      for (const auto sum : sums) means.push_back(Duration::from_double(sum / joined_ranks));
      found->points.push_back(point_of_samples(step * arguments_a_step, std::move(means)));
    }
    return {};
  }

  TextLines& lines_;
  SuiteList& list_;
  Diagnostics& diagnostics_;
  std::string_view operation_;
  std::uint64_t bytes_ = 0;
  std::size_t calls_ = 0;                                 // of a rank in a step
  std::map<std::uint32_t, std::vector<Duration>> times_;  // of each rank's calls, in their order
};

}  // namespace

Expected<void> add_smpi_load(TextLines& lines, SuiteList& list, Diagnostics& diagnostics) {
  return LoadReader(lines, list, diagnostics).read();
}

}  // namespace busline::measure
