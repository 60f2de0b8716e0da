// The JSON Schema of the times of a run, and what this program reads must be the same.
#include <doctest/doctest.h>

#include "documents/fields/test_schema.hpp"
#include "measuring/runs/times_file.hpp"
#include "workloads/files/test_folder.hpp"

using namespace busline;
using namespace busline::runs;
using nlohmann::json;
using Strings = std::vector<std::string>;

TEST_CASE("the schema of a run's times is the one that is generated from their description") {
  check_generated<TimesFile>(
      BUSLINE_SOURCE_DIR "/measuring", "run-times",
      "How long one run took on each rank: what libbusline-times writes for 'busline-measure record'");
}

TEST_CASE("the schema of a run's times accepts and rejects the same as the reader") {
  const auto schema = read_schema(BUSLINE_SOURCE_DIR "/measuring", "run-times");
  const TestFolder folder;
  const auto is_read = [&folder](const std::string& text) {
    folder.write("times.json", text);
    return read_times_file(folder.file("times.json")).has_value();
  };
  // As libbusline-times writes it.
  const auto document = json::parse(content_of(BUSLINE_SOURCE_DIR "/tests/fuzz/corpus/run_times/one-rank"));
  CHECK(disagreements(schema, document, is_read) == Strings());
  CHECK(unnoticed_properties(schema, {document}) == Strings());
  auto of_no_rank = document;
  of_no_rank["ranks"] = json::array();
  CHECK_FALSE(is_read(of_no_rank.dump()));
  CHECK(SchemaCheck::differences(schema, of_no_rank) == Strings{"/ranks has too few elements"});
}
