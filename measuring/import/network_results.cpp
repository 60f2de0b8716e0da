#include "measuring/import/network_results.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "documents/fields/object.hpp"
#include "documents/fields/printable.hpp"
#include "documents/fields/values.hpp"
#include "measuring/import/suite_list.hpp"
#include "measuring/measurement/measurement_fields.hpp"
#include "sim/base/text_parts.hpp"

namespace busline::measure {

// The document's members.
struct NetworkRow {
  std::string test;
  std::uint64_t bytes = 0;
  std::optional<std::uint32_t> a, b, pairs, k,
      n;  ///< the participants; which members exist depends on the test
  std::vector<double> samples_us;
};

struct NetworkDocument {
  std::string label, clock;
  std::uint32_t ranks = 0;
  std::vector<std::string> hosts;  ///< by rank
  std::vector<NetworkRow> results;
};

void describe(Fields& f, NetworkRow& r) {
  f.required("test", r.test);
  f.required("bytes", Whole{r.bytes, 0, kMostCount});
  f.optional("a", Whole{r.a, 0, kMostRanks});
  f.optional("b", Whole{r.b, 0, kMostRanks});
  f.optional("pairs", Whole{r.pairs, 1, kMostRanks});
  f.optional("k", Whole{r.k, 1, kMostRanks});
  f.optional("n", Whole{r.n, 2, kMostRanks});
  f.required("samples_us", Numbers{r.samples_us});
}

void describe(Fields& f, NetworkDocument& d) {
  f.required("label", d.label);
  f.required("ranks", Whole{d.ranks, 1, kMostRanks});
  f.required("hosts", d.hosts);
  f.optional("clock", d.clock);
  f.required("results", d.results);
}

namespace {

constexpr std::size_t kMostListed = std::size_t{1} << 30U;
constexpr double kLongestSample = 1e12;  // microseconds: 11 days

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kCollectives{
    {{"barrier", "MPI_Barrier"},
     {"bcast", "MPI_Bcast"},
     {"reduce", "MPI_Reduce"},
     {"allreduce", "MPI_Allreduce"},
     {"allgather", "MPI_Allgather"},
     {"alltoall", "MPI_Alltoall"}}};

class NetworkReader {
 public:
  explicit NetworkReader(const NetworkDocument& document)
      : document_(document),
        list_(JobNodes(document.hosts)),
        time_(document.clock == "common" ? TimeOf::after_last : TimeOf::longest_call) {}

  Expected<void> add(const NetworkRow& row, const Cursor& at) {
    if (row.samples_us.empty())
      return tl::unexpected(at.member("samples_us")->error("expected at least one sample"));
    std::vector<Duration> samples;
    for (std::size_t i = 0; i < row.samples_us.size(); ++i) {
      if (row.samples_us[i] > kLongestSample)
        return tl::unexpected(at.member("samples_us")->element(i).expected("at most 10^12 microseconds"));
      samples.push_back(Duration::from_double(row.samples_us[i] * kPicosecondsPerMicrosecond));
    }
    std::uint64_t argument = row.bytes;
    auto suite = suite_of(row, at, argument);
    if (!suite) return tl::unexpected(std::move(suite.error()));
    auto* found = list_.find_or_add(*std::move(suite));
    if (found == nullptr) return tl::unexpected(at.error("there are too many tests of too many ranks"));
    found->points.push_back(point_of_samples(argument, std::move(samples)));
    return {};
  }

  Measurement finish(const std::string& path, Diagnostics& diagnostics) {
    auto m = list_.take(path, diagnostics);
    m.machine.name = document_.label;
    return m;
  }

 private:
  // `argument` holds the row's bytes and becomes what the suite varies.
  Expected<Suite> suite_of(const NetworkRow& row, const Cursor& at, std::uint64_t& argument) const {
    if (row.test == "pingpong") {
      auto a = needed(row.a, "a", at, document_.ranks - 1), b = needed(row.b, "b", at, document_.ranks - 1);
      if (!a) return tl::unexpected(std::move(a.error()));
      if (!b) return tl::unexpected(std::move(b.error()));
      if (*a == *b) return tl::unexpected(at.member("b")->error("a and b are the same rank"));
      return list_.of_pair("pingpong", "MPI_Send-MPI_Recv", Pattern::pingpong, TimeOf::half_round_trip, *a,
                           *b);
    }
    if (row.test == "pairs_one" || row.test == "pairs_both") {
      const auto pairs = needed(row.pairs, "pairs", at, document_.ranks / 2);
      if (!pairs) return tl::unexpected(pairs.error());
      argument = *pairs;
      return pairs_at_once(row.test == "pairs_both", row.bytes);
    }
    if (row.test == "fan_out" || row.test == "fan_in") {
      const auto k = needed(row.k, "k", at, document_.ranks - 1);
      if (!k) return tl::unexpected(k.error());
      argument = std::uint64_t{*k} + 1;
      return fan(row.test == "fan_in", row.bytes);
    }
    for (const auto& [test, call] : kCollectives) {
      if (row.test != test) continue;
      const auto n = needed(row.n, "n", at, document_.ranks);
      if (!n) return tl::unexpected(n.error());
      const bool has_data = call != "MPI_Barrier";
      if (!has_data) argument = *n;
      return SuiteList::collective(call, has_data ? Varies::bytes : Varies::ranks,
                                   has_data ? *n : document_.ranks, time_, LeadIn::verdict_and_barrier);
    }
    return tl::unexpected(at.member("test")->error(fmt::format(
        "unknown test '{}', expected pingpong, pairs_one, pairs_both, fan_out, fan_in or a collective",
        printable(row.test))));
  }

  // Rank i of the lower half with rank i of the upper half.
  Suite pairs_at_once(bool both_ways, std::uint64_t bytes) const {
    Suite s;
    s.name = both_ways ? "pairs-both-ways" : "pairs-one-way";
    s.operation = both_ways ? "exchange" : "MPI_Send";
    s.pattern = Pattern::pairings;
    s.time = document_.clock == "common" ? TimeOf::max_over_ranks : TimeOf::longest_call;
    s.varies = Varies::pairs;
    s.bytes = bytes;
    const auto half = document_.ranks / 2;
    for (std::uint32_t i = 0; i < half; ++i) s.ranks.insert(s.ranks.end(), {i, half + i});
    s.lead_in = LeadIn::verdict_and_barrier;
    return s;
  }

  // Rank 0 and k others, k + 1 ranks.
  Suite fan(bool in, std::uint64_t bytes) const {
    Suite s;
    s.name = in ? "fan-in" : "fan-out";
    s.operation = in ? "Gather_ISWA" : "Scatter_ISWA";
    s.pattern = in ? Pattern::incast : Pattern::node_flows;
    s.time = document_.clock == "common" ? TimeOf::max_over_ranks : TimeOf::longest_call;
    s.varies = Varies::ranks;
    s.bytes = bytes;
    s.ranks = first_ranks(document_.ranks);
    s.lead_in = LeadIn::verdict_and_barrier;
    return s;
  }

  static Expected<std::uint32_t> needed(const std::optional<std::uint32_t>& value, std::string_view key,
                                        const Cursor& at, std::uint32_t most) {
    if (!value) return tl::unexpected(at.error(fmt::format("this test needs the member '{}'", key)));
    if (*value > most)
      return tl::unexpected(
          at.member(key)->error(fmt::format("{} is {}, expected at most {}", key, *value, most)));
    return *value;
  }

  const NetworkDocument& document_;
  SuiteList list_;
  TimeOf time_;
};

}  // namespace

bool is_network_result(const Document& document) {
  const auto& root = document.root();
  return root.is_object() && !root.contains("schema") && root.contains("hosts") && root.contains("results");
}

Expected<Measurement> parse_network_result(const Document& document, Diagnostics& diagnostics) {
  const Cursor root(document);
  NetworkDocument d;
  if (auto read = read_value(root, d); !read) return tl::unexpected(std::move(read.error()));
  if (d.hosts.size() != d.ranks)
    return tl::unexpected(
        root.member("hosts")->error(fmt::format("found {} for {}, expected one for each",
                                                counted(d.hosts.size(), "host"), counted(d.ranks, "rank"))));
  if (!d.clock.empty() && d.clock != "common")
    return tl::unexpected(root.member("clock")->expected("\"common\" or no such member"));
  // Each test makes a list of its ranks.
  if (d.results.size() > kMostListed / d.ranks)
    return tl::unexpected(root.member("results")->error("there are too many tests of too many ranks"));
  NetworkReader reader(d);
  const auto results = *root.member("results");
  for (std::size_t i = 0; i < d.results.size(); ++i)
    if (auto added = reader.add(d.results[i], results.element(i)); !added)
      return tl::unexpected(std::move(added.error()));
  return reader.finish(document.path(), diagnostics);
}

}  // namespace busline::measure
