#include "measuring/import/imb_results.hpp"

#include <doctest/doctest.h>

using namespace busline;
using namespace busline::measure;

namespace {

constexpr std::string_view kImbHead =
    "#    Intel(R) MPI Benchmarks 2019 Update 6, MPI-1 part\n# Machine               : x86_64\n\n";

std::string table(std::string_view benchmark, int processes, std::string_view rows) {
  return "# Benchmarking " + std::string(benchmark) + " \n# #processes = " + std::to_string(processes) +
         " \n# ( 6 additional processes waiting in MPI_Barrier)\n#-----\n" + std::string(rows) + "\n";
}

constexpr std::string_view kOne = "       #bytes #repetitions      t[usec]   Mbytes/sec\n";
constexpr std::string_view kAll = "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n";

std::string imb_error(const std::string& text) {
  Diagnostics diagnostics;
  const auto m = parse_imb(text, "imb.txt", {}, diagnostics);
  REQUIRE_FALSE(m.has_value());
  return to_string(m.error());
}

}  // namespace

TEST_CASE("tables of the Intel benchmarks become suites by benchmark and number of ranks") {
  const auto text =
      std::string(kImbHead) +
      table("PingPong", 2, std::string(kOne) + " 0 1000 0.55 0.00\n 8 1000 0.60 13.3\n") +
      table("PingPing", 2, std::string(kOne) + " 8 1000 0.70 11.4\n") +
      table("Sendrecv", 2,
            "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n 8 1000 0.8 0.9 0.85 "
            "17\n") +
      table("Sendrecv", 4,
            "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n 8 1000 0.8 0.9 0.85 "
            "17\n") +
      table("Exchange", 4,
            "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n 8 1000 0.8 0.9 0.85 "
            "34\n") +
      table("Allreduce", 2, std::string(kAll) + " 8 1000 1.0 2.0 1.5\n") +
      table("Allreduce", 4, std::string(kAll) + " 8 1000 2.0 3.0 2.5\n") +
      table("Barrier", 2, " #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n 1000 1.0 1.1 1.05\n") +
      table("Barrier", 4, " #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n 1000 2.0 2.2 2.05\n") +
      "# All processes entering MPI_Finalize\n";
  Diagnostics diagnostics;
  const auto m = parse_imb(text, "imb.txt", {}, diagnostics);
  REQUIRE_MESSAGE(m.has_value(), to_string(m.error()));
  CHECK(diagnostics.empty());
  std::vector<std::string> names;
  for (const auto& s : m->suites) names.push_back(s.name);
  CHECK(names == std::vector<std::string>{"pingpong-inter", "pingping-inter", "sendrecv-inter", "sendrecv-4",
                                          "exchange-4", "MPI_Allreduce-length-2", "MPI_Allreduce-length-4",
                                          "MPI_Barrier-ranks"});
  CHECK(m->suites[0].points[1].result_ps.value == doctest::Approx(0.6e6));
  CHECK(m->suites[0].points[1].count == 1);
  CHECK(m->suites[6].points[0].result_ps.value == doctest::Approx(3e6));
  CHECK(m->suites[6].time == TimeOf::longest_call);
  CHECK(m->suites[6].lead_in == LeadIn::none);
  CHECK(m->suites[7].ranks.size() == 4);
  REQUIRE(m->suites[7].points.size() == 2);
  CHECK(m->suites[7].points[1].argument == 4);
}

TEST_CASE("benchmarks without a counterpart and sizes that were given up are warnings") {
  Diagnostics diagnostics;
  const auto m = parse_imb(
      std::string(kImbHead) +
          table("Uniband", 2, "#bytes #repetitions   Mbytes/sec       Msg/sec\n 8 1000 1 1\n") +
          table("Bcast", 4,
                std::string(kAll) + " 8 1000 1.0 2.0 1.5\n 16 1000 time-out.; Time limit is over;\n"),
      "imb.txt", {}, diagnostics);
  REQUIRE(m.has_value());
  CHECK(m->suites.size() == 1);
  CHECK(m->suites[0].points.size() == 1);
  REQUIRE(diagnostics.size() == 2);
  CHECK(diagnostics[0].message == "'Uniband' measures something that is not modelled: left out");
  CHECK(diagnostics[1].code == "not-measured");
}

TEST_CASE("damaged outputs of the Intel benchmarks name the line") {
  CHECK(imb_error("# Benchmarking Bcast\n" + std::string(kAll) + "8 1000 1 2 3\n") ==
        "imb.txt:3: the table does not record the number of ranks\n  expected a line '# #processes = N' "
        "above it, N 2 "
        "or more");
  CHECK(imb_error("# Benchmarking Bcast\n# #processes = 99999999999\n" + std::string(kAll) + "8 1000 1 2 3\n")
            .starts_with("imb.txt:4: the table does not record"));
  CHECK(imb_error(table("Bcast", 4, std::string(kAll) + "8 1000 1 2")) ==
        "imb.txt:6: a row of 4 columns, expected 5");
  CHECK(imb_error(table("Bcast", 4, std::string(kAll) + "8 1000 1 -2 3")) ==
        "imb.txt:6: expected a number of 0 or more, found '-2'");
  CHECK(imb_error("8 1000 1\n# Benchmarking Bcast\n").starts_with("imb.txt:1: numbers before the heading"));
}

TEST_CASE("a file cannot ask for more ranks than it is worth") {
  const auto rows = std::string(kAll).append("8 1000 1 2 3\n");
  std::string text;
  for (int i = 0; i < 10; ++i) text += table("Bcast", 4'000'000 - i, rows);
  CHECK(imb_error(text).ends_with("there are too many tables of too many ranks"));
}
