#include "workloads/dumpi/format/values.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "workloads/dumpi/format/test_trace.hpp"

namespace {

using namespace busline;
using namespace busline::dumpi;

constexpr std::string_view kText = "ab";  // in test traces a text is a list of 1-byte numbers
const std::vector<std::int64_t> kTextBytes(kText.begin(), kText.end());

}  // namespace

TEST_CASE("every shape of argument reads as it was recorded") {
  TestRank rank;
  rank.call("MPI_Op_create", 0, {1, 255});
  rank.call("MPI_File_set_size", 0, {-3, std::int64_t{1} << 40});
  rank.call("MPI_Type_create_darray", 0,
            {8, 1, 1, std::vector<std::int64_t>{70000}, std::vector<std::int64_t>{255},
             std::vector<std::int64_t>{-1}, std::vector<std::int64_t>{8}, 56, 9, 28});
  rank.call(
      "MPI_Type_create_struct", 0,
      {1, std::vector<std::int64_t>{1}, std::vector<std::int64_t>{0}, std::vector<std::int64_t>{-9}, 28});
  rank.call("MPI_Group_range_incl", 0, {2, 2, std::vector<std::vector<std::int64_t>>{{0, 4, 2}, {5}}, 3});
  rank.call("MPI_Info_delete", 0, {2, kTextBytes});
  rank.call("MPI_Init", 0, {std::vector<std::vector<std::int64_t>>{kTextBytes, {}, kTextBytes}});
  rank.call("MPI_Wait", 0, {2, std::vector<TestStatus>{{80, 3, 7, true}}});
  rank.mask = 0x48;
  rank.call("MPI_Wait", 0, {2});
  rank.call("MPI_Gather", 0, {1, 4, 9, 0, 2});

  const auto bytes = rank.bytes();
  Diagnostics diagnostics;
  const auto file = TraceFile::in_memory("a.bin", bytes, diagnostics);
  REQUIRE(file.has_value());
  RecordReader reader(*file);
  const Record* r = nullptr;
  const auto next = [&] {
    r = reader.next();
    REQUIRE(r != nullptr);
  };
  next();
  CHECK(std::get<std::int64_t>(value_of(*r, 1)) == 255);
  next();
  CHECK(std::get<std::int64_t>(value_of(*r, 0)) == -3);
  CHECK(std::get<std::int64_t>(value_of(*r, 1)) == std::int64_t{1} << 40);
  next();
  CHECK(std::get<Numbers>(value_of(*r, 3))[0] == 70000);
  CHECK(std::get<Numbers>(value_of(*r, 4))[0] == 255);
  next();
  CHECK(std::get<Numbers>(value_of(*r, 3))[0] == -9);

  next();
  std::vector<std::vector<std::int32_t>> lists;
  const auto ranges = std::get<Int32Lists>(value_of(*r, 2));
  for (const auto& list : ranges) {
    lists.emplace_back();
    for (std::size_t i = 0; i < list.size(); ++i) lists.back().push_back(list[i]);
  }
  CHECK(lists == std::vector<std::vector<std::int32_t>>{{0, 4, 2}, {5}});

  next();
  CHECK(std::get<std::string_view>(value_of(*r, 1)) == kText);
  next();
  std::vector<std::string_view> texts;
  const auto argv = std::get<Texts>(value_of(*r, 0));
  for (const auto text : argv) texts.push_back(text);
  CHECK(texts == std::vector<std::string_view>{kText, "", kText});

  next();
  const auto statuses = std::get<Statuses>(value_of(*r, 1));
  REQUIRE(statuses.size() == 1);
  CHECK(statuses[0].bytes == 80);
  CHECK(statuses[0].source == 3);
  CHECK(statuses[0].tag == 7);
  CHECK(statuses[0].cancelled == 1);
  next();
  CHECK(std::holds_alternative<Absent>(value_of(*r, 1)));
  next();
  CHECK(std::get<std::int64_t>(value_of(*r, 4)) == 2);
  CHECK(std::holds_alternative<Absent>(value_of(*r, 5)));
  CHECK(reader.next() == nullptr);
  CHECK(!reader.error());
}

TEST_CASE("lists of lists of texts are read forward") {
  const auto put = [](std::initializer_list<std::string> texts) {
    std::string all{'\0', '\0', '\0', static_cast<char>(texts.size())};
    for (const auto& t : texts) all += std::string{'\0', '\0', '\0', static_cast<char>(t.size())} + t;
    return all;
  };
  const std::string two("\0\0\0\2", 4);
  const auto lists = two + put({"-x", "1"}) + put({});
  const TextLists view(lists.data() + 4, 2);
  std::vector<std::vector<std::string_view>> found;
  for (const auto& list : view) {
    found.emplace_back();
    for (const auto text : list) found.back().push_back(text);
  }
  CHECK(found == std::vector<std::vector<std::string_view>>{{"-x", "1"}, {}});
}
