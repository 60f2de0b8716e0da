#include "documents/text/json_document.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace busline;
using nlohmann::ordered_json;

TEST_CASE("a document has one line per member and per element of a list of objects") {
  const ordered_json j{
      {"b", 1}, {"a", {{"x", {1, 2}}}}, {"list", {{{"i", 0}}, {{"i", 1}}}}, {"none", ordered_json::array()}};
  const auto text = document_text(j);
  CHECK(text == R"({
  "b": 1,
  "a": {"x":[1,2]},
  "list": [
    {"i":0},
    {"i":1}
  ],
  "none": []
}
)");
  CHECK(ordered_json::parse(text) == j);
}

TEST_CASE("a document written in pieces equals the document written at once") {
  const ordered_json whole{{"a", 1}, {"list", {{{"i", 0}}, {{"i", 1}}}}, {"z", {{{"k", 2}}}}};
  LongDocument pieces;
  auto text = pieces.begin({{"a", 1}}, "list");
  text += pieces.element({{"i", 0}});
  text += pieces.element({{"i", 1}});
  text += pieces.end({{"z", {{{"k", 2}}}}});
  CHECK(text == document_text(whole));
  LongDocument nothing;
  CHECK(nothing.begin({{"a", 1}}, "list") + nothing.end({}) == "{\n  \"a\": 1,\n  \"list\": []\n}\n");
}

TEST_CASE("invalid UTF-8 in names does not stop a document, and terminal commands are escaped") {
  CHECK(document_text({{"name", "a\xff"}}) == "{\n  \"name\": \"a\\ufffd\"\n}\n");
  CHECK(document_text({{"name", "\u009b2J"}}) == "{\n  \"name\": \"\\u009b2J\"\n}\n");
}

TEST_CASE("provenance leaves out unknown members") {
  Provenance p;
  p.version = "1.2.3";
  p.command = {"busline", "bench"};
  CHECK(to_json(p).dump() ==
        R"({"tool":"busline","version":"1.2.3","command":["busline","bench"],"wall_s":0.0,"user_s":0.0})");
  p.commit = "abc";
  p.inputs = {{"t.dim", "00"}};
  CHECK(to_json(p)["inputs"].dump() == R"([{"path":"t.dim","sha256":"00"}])");
  CHECK(to_json(p)["commit"] == "abc");
}

TEST_CASE("a diagnostic has only its known members") {
  const Diagnostic d{Diagnostic::Severity::note, "not-simulated", "MPI_Put: 3 calls", "t.meta", {}, {}, 2};
  CHECK(
      to_json(Diagnostics{d}).dump() ==
      R"([{"severity":"note","code":"not-simulated","message":"MPI_Put: 3 calls","path":"t.meta","rank":2}])");
}
