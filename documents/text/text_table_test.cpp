#include "documents/text/text_table.hpp"

#include <doctest/doctest.h>

using namespace busline;

TEST_CASE("columns are as wide as their widest cell, names to the left and figures to the right") {
  TextTable table({"call", "number", "us"});
  table.add({"MPI_Send", "1", "1234.5"});
  table.add({"MPI_Recv", "1,000,000", "1"});
  CHECK(table.text() ==
        "  call         number      us\n"
        "  MPI_Send          1  1234.5\n"
        "  MPI_Recv  1,000,000       1\n");
}

TEST_CASE("a table without rows is empty") {
  const TextTable table({"call", "number"});
  CHECK_FALSE(table.has_rows());
  CHECK(table.text().empty());
}
