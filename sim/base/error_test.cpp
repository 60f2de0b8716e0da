#include "sim/base/error.hpp"

#include <doctest/doctest.h>

using namespace busline;

TEST_CASE("a binary file's error names the byte and the next step") {
  Error e;
  e.path = "dumpi-0003.bin";
  e.offset = 81234;
  e.where = "MPI_Send record";
  e.message = "count is -2, expected 0 or more";
  e.hint = "the file is cut or not a DUMPI trace";
  CHECK(to_string(e) ==
        "dumpi-0003.bin:+81234: MPI_Send record: count is -2, expected 0 or more\n"
        "  the file is cut or not a DUMPI trace");
}

TEST_CASE("a text file's error names line and column") {
  Error e;
  e.path = "cluster.json";
  e.line = 12;
  e.column = 20;
  e.where = "/network/latency";
  e.message = "a unit is missing";
  CHECK(to_string(e) == "cluster.json:12:20: /network/latency: a unit is missing");
}

TEST_CASE("control characters quoted in an error have no effect on a terminal") {
  Error e;
  e.path = "a\033[31m.dim";
  e.line = 3;
  e.message = std::string("record '\0\t\x7f\xc2\x9b' and '\xc3\x9b'", 23);
  e.hint = "x";
  CHECK(to_string(e) == "a\\x1b[31m.dim:3: record '\\x00\\x09\\x7f\xc2\\x9b' and '\xc3\x9b'\n  x");
}

TEST_CASE("a misspelt name finds its neighbour, and an unrelated one finds none") {
  CHECK(nearest_name({"latency", "bandwidth", "buses"}, "bandwith") == "bandwidth");
  CHECK(nearest_name({"latency", "bandwidth", "buses"}, "colour").empty());
}

TEST_CASE("a message about several files is reported once") {
  const auto about = [](const char* path, const char* message) {
    return Diagnostic{Diagnostic::Severity::warning, "code", message, path};
  };
  Diagnostics told{about("a", "is old")};
  tell_once(told, {about("b", "is old"), about("b", "is cut")});
  REQUIRE(told.size() == 2);
  CHECK(told[1].message == "is cut");
}
