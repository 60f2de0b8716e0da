#include "documents/text/text_table.hpp"

#include <doctest/doctest.h>

#include <algorithm>

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

TEST_CASE("a table wider than the terminal goes on below, with its first column again") {
  TextTable table({"call", "number", "us", "bytes"});
  table.add({"MPI_Send", "1", "1234.5", "8"});
  // 2 + 8, 2 + 6, 2 + 6 and 2 + 5 columns.
  set_text_width(33);
  const auto whole = table.text();
  set_text_width(32);
  const auto folded = table.text();
  set_text_width(5);
  const auto narrow = table.text();
  set_text_width(0);
  CHECK(whole == table.text());
  CHECK(folded ==
        "  call      number      us\n"
        "  MPI_Send       1  1234.5\n"
        "\n"
        "  call      bytes\n"
        "  MPI_Send      8\n");
  CHECK(std::count(narrow.begin(), narrow.end(), '\n') == 8);
}

TEST_CASE("a table of one column does not fold") {
  TextTable table({"call"});
  table.add({"MPI_Sendrecv_replace"});
  set_text_width(10);
  const auto text = table.text();
  set_text_width(0);
  CHECK(text == table.text());
}

TEST_CASE("columns keep the least width that they are given") {
  TextTable table({"a", "b"}, {4, 3});
  table.add({"x", "12345"});
  CHECK(table.text() ==
        "  a         b\n"
        "  x     12345\n");
}
