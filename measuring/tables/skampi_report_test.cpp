#include "measuring/tables/skampi_report.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace busline;

TEST_CASE("the page of a SKaMPI result escapes what is in the file and names suites without rows or end") {
  skampi::ResultFile file;
  file.head = {{"NETWORK", "two\x1b[31m racks\nand a switch"}};
  file.hosts = {"n1", "n0", "n1"};
  file.suites.resize(2);
  file.suites[0].name = "empty";
  file.suites[1].name = "cut";
  file.suites[1].rows.resize(1);
  const auto text = to_text("x.out", file);
  CHECK(
      text.starts_with("x.out: a SKaMPI 3 or 4 result, 2 suites, not complete\n\n"
                       "network       two\\x1b[31m racks\n"
                       "              and a switch\n"
                       "processes     n0 (1), n1 (2)\n"
                       "no rows       empty\n"
                       "no end        cut\n"));
  CHECK(text.find('\x1b') == std::string::npos);
}
