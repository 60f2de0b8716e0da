#include "studies/benchmark/benchmark.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "documents/text/process_usage.hpp"

using namespace busline;

TEST_CASE("a benchmark has a row for each number of ranks and model, of about the wished size") {
  BenchmarkOptions options;
  options.ranks = {2, 8};
  options.operations = 2'000;
  options.repetitions = 1;
  std::size_t told = 0;
  const auto rows = run_benchmark(options, [&](const BenchmarkRow&) { return ++told > 0; });
  REQUIRE(rows);
  CHECK(rows->size() == 4);
  CHECK(told == 4);
  for (const auto& row : *rows) {
    CHECK(row.operations > 1'500);
    CHECK(row.operations < 2'500);
    CHECK(row.operations_per_second() >= 0);
  }
  CHECK(to_json(*rows)[3]["ranks"] == 8);
}

TEST_CASE("a benchmark stops on request, and an unknown model is an error") {
  BenchmarkOptions options;
  options.ranks = {2, 2};
  options.operations = 100;
  CHECK(run_benchmark(options, [](const BenchmarkRow&) { return false; })->size() == 1);
  options.go_on = [] { return false; };
  CHECK(run_benchmark(options, [](const BenchmarkRow&) { return true; })->empty());
  options.models = {"guess"};
  CHECK_FALSE(run_benchmark(options, [](const BenchmarkRow&) { return true; }));
}

TEST_CASE("the signature of predictions is the same twice") {
  const auto first = prediction_signature();
  REQUIRE(first);
  CHECK(first->size() == 16);
  CHECK(*prediction_signature() == *first);
}

TEST_CASE("what the process uses does not shrink while it works") {
  const auto before = user_seconds();
  volatile std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < 1'000'000; ++i) sum = sum + i;
  CHECK(user_seconds() >= before);
  const auto resident = resident_bytes();
  const auto peak = peak_resident_bytes();
  CHECK(resident <= peak);
}
