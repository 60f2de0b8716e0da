// docs/reference/platform.md is correct: its complete documents can be read, and each example with a pointer
// fits into the complete document before it.
#include <doctest/doctest.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <string>

#include "platforms/description/platform_json.hpp"

using namespace busline;

TEST_CASE("every example of docs/reference/platform.md reads and survives a round trip") {
  std::ifstream file(BUSLINE_SOURCE_DIR "/docs/reference/platform.md");
  std::string whole, pointer;
  std::optional<std::string> block;
  int examples = 0;
  for (std::string line; std::getline(file, line);) {
    if (line == "```json") {
      block.emplace();
    } else if (line == "```" && block) {
      CAPTURE(*block);
      const bool is_whole = block->find("\"schema\"") != std::string::npos;
      if (is_whole) whole = *block;
      auto document = Document::parse(whole, "platform.md");
      if (!document) FAIL(to_string(document.error()));
      if (!is_whole) REQUIRE(apply_set(*document, pointer + "=" + *block));
      const auto platform = parse_platform(*document);
      if (!platform) FAIL(to_string(platform.error()));
      CHECK(parse_platform(to_json_text(*platform), "back.json") == *platform);
      ++examples;
      block.reset();
    } else if (block) {
      *block += line + '\n';
    } else if (line.substr(0, 2) == "`/") {
      pointer = line.substr(1, line.find('`', 1) - 1);
    }
  }
  CHECK(examples >= 10);
}
