#include "workloads/dumpi/compile/call_class.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "workloads/dumpi/compile/functions.hpp"
#include "workloads/dumpi/compile/handles.hpp"

using namespace busline;
using namespace busline::dumpi;

namespace {

// Calls in the first columns of the page's tables, with the titles of the sections that they are in.
std::multimap<std::string, std::string> calls_of_page() {
  std::multimap<std::string, std::string> calls;
  std::ifstream page(BUSLINE_SOURCE_DIR "/docs/reference/dumpi-calls.md");
  REQUIRE(page.good());
  std::string line, title;
  while (std::getline(page, line)) {
    if (line.starts_with("## ")) title = line.substr(3);
    if (!line.starts_with("| ")) continue;
    std::istringstream cell(line.substr(2, line.find(" |") - 2));
    for (std::string word; cell >> word;) {
      if (word.ends_with(',')) word.pop_back();
      if (word.starts_with("MPI") || word.starts_with("Function_")) calls.emplace(word, title);
    }
  }
  return calls;
}

}  // namespace

TEST_CASE("docs/reference/dumpi-calls.md names each call once, in the section of its class") {
  std::map<CallClass, std::string> titles;
  for (const auto& row : kCallClassTable) titles.emplace(row.of, row.title);
  CHECK(titles.size() == kCallClasses);
  auto calls = calls_of_page();
  for (std::uint16_t f = 0; f < kFunctions; ++f) {
    const std::string name(kFunctionTable[f].name);
    if (f == kCountedFunctions || (f >= kFileFunctions && f < kFirstMpi3)) continue;  // totals; no functions
    CAPTURE(name);
    REQUIRE(calls.count(name) == 1);
    CHECK(calls.find(name)->second == titles[call_class(f)]);
    calls.erase(name);
  }
  CHECK_MESSAGE(calls.empty(), calls.begin()->first << " is no call");
}

TEST_CASE("the known arguments of a call fit its class") {
  for (std::uint16_t f = 0; f < kFunctions; ++f) {
    CAPTURE(kFunctionTable[f].name);
    CHECK(send_call(f).has_value() == (call_class(f) == CallClass::send));
    CHECK(collective_kind(f).has_value() == is_collective(call_class(f)));
    CHECK(creator_of(f).has_value() == (call_class(f) == CallClass::creation));
  }
}
