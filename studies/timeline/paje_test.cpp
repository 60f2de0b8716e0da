#include <map>

#include "sim/base/text_parts.hpp"
#include "studies/timeline/test_timeline.hpp"

using namespace busline;
using namespace busline::timeline;

namespace {

// How often lines begin with a word.
std::map<std::string, std::size_t> first_words(const std::string& text) {
  std::map<std::string, std::size_t> words;
  for (const auto line : split(text, '\n')) ++words[std::string(line.substr(0, line.find_first_of(" ,\t")))];
  return words;
}

}  // namespace

TEST_CASE("a Paje trace has its events by time, and each link both of its ends") {
  const TestFolder folder;
  write_ring(folder.file("ring.paje"));
  std::string last;
  std::map<std::string, int> links;
  std::size_t timed = 0;
  const auto text = folder.read("ring.paje");
  for (const auto line : split(text, '\n')) {
    const auto words = split(line, ' ');
    if (words.size() < 3 || words[0] == "%" || words[0] == "%EventDef" ||
        words[1].find('.') == std::string_view::npos)
      continue;
    ++timed;
    // All have twelve digits after the point, so that longer is later.
    const std::string at(words[1]);
    CHECK((at.size() > last.size() || (at.size() == last.size() && at >= last)));
    last = at;
    if (words[0] == "9") ++links[std::string(words.back())];
    if (words[0] == "10") --links[std::string(words.back())];
  }
  CHECK(links.size() == kRanks * kRounds);
  for (const auto& [key, ends] : links) CHECK(ends == 0);
  CHECK(timed > 0);
}

TEST_CASE("pj_dump reads a Paje trace, where it is installed") {
  const TestFolder folder;
  write_ring(folder.file("ring.paje"));
  if (output_of("command -v pj_dump").empty()) return;
  const auto dump = output_of("pj_dump " + folder.file("ring.paje"));
  auto words = first_words(dump);
  CHECK_MESSAGE(words["Container"] == 8, dump);  // itself, the machine, two nodes, four ranks
  CHECK(words["Link"] == kRanks * kRounds);
  // compute, latency, wait in a receive, wait for members but on the last rank, collective; rank 0 waits for
  // the longest way round.
  CHECK(words["State"] > kRanks * kRounds * 4);
}
