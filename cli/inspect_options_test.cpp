#include "cli/inspect_options.hpp"

#include <doctest/doctest.h>

#include "workloads/dumpi/format/function_table.hpp"

using namespace busline;
using namespace busline::cli;

TEST_CASE("a range of records may be open on either side, or a single one") {
  const auto range = [](const char* text) {
    const auto r = parse_record_range(text);
    REQUIRE(r.has_value());
    return std::pair(r->first, r->last);
  };
  constexpr auto kEnd = std::numeric_limits<std::uint64_t>::max();
  CHECK(range("10..20") == std::pair<std::uint64_t, std::uint64_t>(10, 20));
  CHECK(range("..20") == std::pair<std::uint64_t, std::uint64_t>(1, 20));
  CHECK(range("10..") == std::pair<std::uint64_t, std::uint64_t>(10, kEnd));
  CHECK(range("..") == std::pair<std::uint64_t, std::uint64_t>(1, kEnd));
  CHECK(range("7") == std::pair<std::uint64_t, std::uint64_t>(7, 7));
}

TEST_CASE("a meaningless range of records is refused") {
  for (const auto* wrong :
       {"", "0", "0..5", "x", "1..x", "-1..5", "1...5", "1-5", "1..5..9", "99999999999999999999"})
    CHECK_FALSE(parse_record_range(wrong));
  CHECK(to_string(parse_record_range("5..4").error()) == "--records: '5..4' ends before it begins");
  CHECK(to_string(parse_record_range("ten").error()) ==
        "--records: 'ten': expected record numbers, from 1\n"
        "  such as 10..20, 10.., ..20 or 10; '..' selects all");
}

TEST_CASE("functions are named as MPI names them") {
  const auto found = parse_functions({"MPI_Isend", "Function_enter"});
  REQUIRE(found.has_value());
  CHECK(*found == std::vector{dumpi::function_id("MPI_Isend"), dumpi::function_id("Function_enter")});
  CHECK(to_string(parse_functions({"MPI_Irecvs"}).error()) ==
        "--call: 'MPI_Irecvs' is not a function that DUMPI records\n  did you mean 'MPI_Irecv'?");
  CHECK_FALSE(parse_functions({""}));
  CHECK_FALSE(parse_functions({"MPI_Pcontrol"}));
}

TEST_CASE("a rank's file is a file, or a rank of a trace") {
  const auto folder = std::string(BUSLINE_SOURCE_DIR) + "/validation/golden/dumpi/traces/pingpong";
  Diagnostics diagnostics;
  const auto file = rank_file(folder, 1, diagnostics);
  REQUIRE(file.has_value());
  CHECK(file->ends_with("-0001.bin"));
  CHECK(*rank_file(*file, std::nullopt, diagnostics) == *file);
  CHECK(rank_file(*file, 0, diagnostics).error().where == "--rank");
  CHECK(to_string(rank_file(folder, 2, diagnostics).error()) == "--rank: is 2, expected 0 to 1");
  CHECK(to_string(rank_file(folder, std::nullopt, diagnostics).error()) ==
        "--rank: is missing: the trace has 2 ranks\n  such as --rank 0");
}
