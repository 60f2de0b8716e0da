#include "measuring/tables/measurement_report.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace busline;
using namespace busline::measure;

namespace {

Measurement of(Suite suite) {
  Measurement m;
  m.machine.name = "cluster";
  m.suites = {std::move(suite)};
  return m;
}

}  // namespace

TEST_CASE("a suite's page says what was measured and gives each result its unit") {
  Suite s;
  s.name = "rate";
  s.operation = "MPI_Isend";
  s.pattern = Pattern::message_rate;
  s.time = TimeOf::one_way;
  s.varies = Varies::pairs;
  s.bytes = 65536;
  s.chunks = 3;
  s.concurrent = 2;
  s.route_class = RouteClass::inter_node;
  s.ranks = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  for (const double result : {0.0, 1234.0, 5.6e9}) {
    Point p;
    p.argument = s.points.size();
    p.result_ps = {result, result / 4};
    p.count = 5;
    s.points.push_back(p);
  }
  s.points[2].settled = false;
  s.points[2].refined = true;
  CHECK(to_text(of(s)) ==
        "cluster: simulated, 1 suite\n\nrate\n"
        "  message-rate (one-way) of MPI_Isend over pairs, 65,536 bytes, 3 chunks, 2 pairs at once, "
        "inter-node, 9 "
        "ranks\n"
        "         pairs        result     error  samples\n"
        "             0           0 s         -        5\n"
        "             1      1.234 ns    25.0 %        5\n"
        "             2        5.6 ms    25.0 %        5  refined  not settled\n");
}

TEST_CASE("the page of many suites has a line for each, with its argument") {
  Suite over, once;
  over.name = "pingpong";
  over.varies = Varies::bytes;
  once.name = "work";
  once.varies = Varies::nothing;
  for (const std::uint64_t bytes : {8U, 65536U}) {
    Point p;
    p.argument = bytes;
    p.result_ps.value = 1e6;
    over.points.push_back(p);
  }
  once.points.resize(1);
  auto m = of(over);
  m.suites.push_back(once);
  CHECK(summary_text(m) ==
        "cluster: simulated, 2 suites\n\n"
        "  suite     points                      over      smallest       largest\n"
        "  pingpong       2         bytes 8 to 65,536          1 us          1 us\n"
        "  work           1                         -           0 s           0 s\n");
}

TEST_CASE("a matrix of pairs is shown in part") {
  Suite s;
  s.operation = "semidirectional";
  s.pattern = Pattern::all_pairs;
  for (std::uint32_t i = 1; i <= 100; ++i) {
    Point p;
    p.argument = 8;
    p.ranks = {0, i};
    p.result_ps.value = 1e6;
    s.points.push_back(p);
  }
  const auto text = to_text(of(s));
  CHECK(text.find("\n  0, 60                      8          1 us") != std::string::npos);
  CHECK(text.find("0, 61") == std::string::npos);
  CHECK(text.find("  and 40 more; --json has them all\n") != std::string::npos);
  CHECK(std::count(text.begin(), text.end(), '\n') == 66);
}
