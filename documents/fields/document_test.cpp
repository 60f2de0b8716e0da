#include "documents/fields/document.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "documents/fields/compact_text.hpp"
#include "documents/fields/pointer.hpp"
#include "documents/fields/printable.hpp"

using namespace busline;

namespace {

std::string syntax_error(const std::string& text) {
  const auto d = Document::parse(text, "x.json");
  REQUIRE_FALSE(d);
  return to_string(d.error());
}

Document document(const std::string& text) {
  auto d = Document::parse(text, "x.json");
  REQUIRE(d);
  return std::move(*d);
}

std::string refusal(const std::string& text, const std::string& assignment) {
  auto d = document(text);
  const auto set = d.set(assignment);
  REQUIRE_FALSE(set);
  CHECK(set.error().kind == Error::Kind::bad_option);
  CHECK(d.root() == document(text).root());
  return to_string(set.error());
}

std::string after_set(const std::string& text, const std::string& assignment) {
  auto d = document(text);
  const auto set = d.set(assignment);
  REQUIRE(set);
  return d.root().dump();
}

}  // namespace

TEST_CASE("wrong syntax names line and column") {
  CHECK(syntax_error("{\n  \"a\" 1\n}") ==
        "x.json:2:7: syntax error while parsing object separator - unexpected number literal; expected ':'");
  CHECK(syntax_error("\n ") == "x.json:2:2: expected a JSON document, found nothing");
  CHECK(syntax_error("#DIMEMAS:\"ring\"\nd:1") ==
        "x.json:1:1: expected a JSON document, found #DIMEMAS:\"ring\"");
  CHECK(syntax_error("{\"a\": [1, 2}") ==
        "x.json:1:12: syntax error while parsing array - unexpected '}'; expected ']'");
}

TEST_CASE("a key that is given twice is refused where it is given again") {
  CHECK(syntax_error("{\"a\": 1,\n \"b\": [0, {\"c\": 1, \"\\u0063\": 2}]}") ==
        "x.json:2:20: /b/1/c: the key 'c' is given twice");
  CHECK(syntax_error("{\"a~b/c\": {\"d\": 1, \"d\": 2}}") ==
        "x.json:1:20: /a~0b~1c/d: the key 'd' is given twice");
}

TEST_CASE("a number that no double holds is refused") {
  CHECK(syntax_error("{\"a\": [1, 1e999]}") == "x.json:1:11: /a/1: the number is too large");
}

TEST_CASE("deep nesting is refused before it costs anything") {
  CHECK(Document::parse(std::string(64, '[') + std::string(64, ']'), "x.json"));
  const auto deep = syntax_error(std::string(100'000, '['));
  CHECK(deep.substr(0, 17) == "x.json:1:65: /0/0");
  CHECK(deep.find("nesting is deeper than 64 levels") != std::string::npos);
}

TEST_CASE("hostile text is cut and escaped in messages") {
  CHECK(printable("a\nb\t\x01\xff\xc3\xa9") == "a\\nb\\t\\x01\\xff\xc3\xa9");
  CHECK(printable("\u009b2J\u00a0") == "\\xc2\\x9b2J\u00a0");
  for (const auto* good :
       {"\x7f", "\xc2\x80", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
    CHECK(is_utf8(good));
  for (const auto* bad : {"\x80", "\xc1\x80", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf",
                          "\xf4\x90\x80\x80", "\xe2\x82"})
    CHECK_FALSE(is_utf8(bad));
  CHECK(printable(std::string(100, 'x'), 5) == "xxxxx...");
  CHECK(syntax_error("{\"" + std::string(5000, 'k') + "\": tru}").size() < 300);
}

TEST_CASE("a missing file is an error that says so") {
  const auto d = Document::read("/nonexistent/x.json");
  REQUIRE_FALSE(d);
  CHECK(d.error().kind == Error::Kind::unreadable);
  CHECK(to_string(d.error()) == "/nonexistent/x.json: cannot be read: No such file or directory");
  CHECK(to_string(Document::read("/").error()) == "/: cannot be read: it is a folder, expected a file");
}

TEST_CASE("a value is found again by its pointer") {
  const std::string text =
      "\xef\xbb\xbf{ \"a/b\": [10, {\"~\": \"}]\\\"\", \"k\\n\": [ ] }, 30],\n  \"z\": true}";
  const auto value = [&](const char* pointer) { return text.substr(locate(text, pointer).value, 2); };
  CHECK(value("/a~1b/0") == "10");
  CHECK(value("/a~1b/1/~0") == "\"}");
  CHECK(value("/a~1b/1/k\n") == "[ ");
  CHECK(value("/a~1b/2") == "30");
  CHECK(value("/z") == "tr");
  CHECK(text.substr(locate(text, "/z").key, 3) == "\"z\"");
  for (const auto* gone : {"/a~1b/3", "/y", "/z/0", "/a~1b/x"}) {
    CAPTURE(gone);
    CHECK_FALSE(locate(text, gone).found);
  }
}

TEST_CASE("locating stays inside texts truncated anywhere") {
  const std::string text = R"({"a": [1, {"b\"": "c"}, [[]]], "d": {"e": {}}})";
  for (std::size_t n = 0; n <= text.size(); ++n)
    for (const auto* pointer : {"", "/a/1/b\"", "/a/2/0/0", "/d/e/f", "/a/9"}) {
      const auto place = locate(text.substr(0, n), pointer);
      CHECK(place.value <= n);
      CHECK(place.key <= n);
    }
}

TEST_CASE("an error names the place of a value, inside it, or of its key") {
  const auto d = document("{\n  \"a\": {\n    \"b\": \"2 parsec\", \"c\": \"\\u0032 parsec\"}}");
  CHECK(to_string(d.error_at("/a/b", "wrong")) == "x.json:3:10: /a/b: wrong");
  CHECK(to_string(d.error_at("/a/b", "wrong", 2)) == "x.json:3:13: /a/b: wrong");
  CHECK(to_string(d.error_at("/a/c", "wrong", 2)) == "x.json:3:27: /a/c: wrong");
  CHECK(to_string(d.error_at_key("/a/b", "wrong")) == "x.json:3:5: /a/b: wrong");
  CHECK(to_string(d.error_at("", "wrong")) == "x.json:1:1: wrong");
}

TEST_CASE("--set replaces, creates and appends") {
  const std::string text = R"({"a": {"b": 1}, "l": [1, 2]})";
  CHECK(after_set(text, "/a/b=4") == R"({"a":{"b":4},"l":[1,2]})");
  CHECK(after_set(text, "/a/b=4us") == R"({"a":{"b":"4us"},"l":[1,2]})");
  CHECK(after_set(text, "/a/b=") == R"({"a":{"b":""},"l":[1,2]})");
  CHECK(after_set(text, "/a/c={\"d\": [true]}") == R"({"a":{"b":1,"c":{"d":[true]}},"l":[1,2]})");
  CHECK(after_set(text, "/x/y/z=a=b") == R"({"a":{"b":1},"l":[1,2],"x":{"y":{"z":"a=b"}}})");
  CHECK(after_set(text, "/l/1=5") == R"({"a":{"b":1},"l":[1,5]})");
  CHECK(after_set(text, "/l/-=5") == R"({"a":{"b":1},"l":[1,2,5]})");
  CHECK(after_set(text, "/m/-/n=5") == R"({"a":{"b":1},"l":[1,2],"m":[{"n":5}]})");
  CHECK(after_set(text, "/a~1=5") == R"({"a":{"b":1},"l":[1,2],"a/":5})");
}

TEST_CASE("--set refuses what is not a pointer or leads nowhere") {
  const std::string text = R"({"a": {"b": "x"}, "l": [1, 2]})";
  CHECK(refusal(text, "/a/b") ==
        "--set /a/b: expected a JSON pointer, '=' and a value, as in --set /network/buses=4");
  CHECK(refusal(text, "a/b=1") == "--set a/b: not a JSON pointer, expected one as in --set /network/buses=4");
  CHECK(refusal(text, "=1") == "--set : not a JSON pointer, expected one as in --set /network/buses=4");
  CHECK(refusal(text, "/~2=1") == "--set /~2: not a JSON pointer, expected one as in --set /network/buses=4");
  CHECK(refusal(text, "/a/b/c=1") == "--set /a/b/c: /a/b is \"x\", which has no members");
  CHECK(refusal(text, "/l/2=1") ==
        "--set /l/2: /l has 2 elements, expected an index below that or '-' to append one");
  CHECK(refusal(text, "/l/01=1") ==
        "--set /l/01: /l has 2 elements, expected an index below that or '-' to append one");
  CHECK(refusal(text, "/a/b=\xff") == "--set /a/b: the value is not UTF-8");
  std::string deep;
  for (int i = 0; i < 65; ++i) deep += "/x";
  CHECK(refusal(text, deep + "=1").find("nesting is deeper than 64 levels") != std::string::npos);
}

TEST_CASE("an error about a value names the last --set that gave it") {
  auto d = document(R"({"a": {"b": 1}})");
  REQUIRE(d.set("/a/b=one"));
  REQUIRE(d.set("/a/b=two parsec"));
  REQUIRE(d.set("/c/d={\"e\": 3}"));
  CHECK(to_string(d.error_at("/a/b", "wrong", 4)) == "--set /a/b: two parsec: column 5: wrong");
  CHECK(to_string(d.error_at("/c/d/e", "wrong")) == "--set /c/d: /c/d/e: {\"e\": 3}: wrong");
  CHECK(to_string(d.error_at("/c", "wrong")) == "--set /c/d: /c: wrong");
  CHECK(to_string(d.error_at_key("/c/d", "wrong")) == "--set /c/d: wrong");
  CHECK(to_string(d.error_at("/a", "wrong")) == "x.json:1:7: /a: wrong");
}

TEST_CASE("readable JSON keeps short values on one line and fills lines with numbers") {
  nlohmann::ordered_json j{{"short", {{"a", 1}, {"b", {1, 2}}}}, {"none", nlohmann::ordered_json::array()}};
  j["long"] = std::vector<int>(60, 7);
  CHECK(
      compact_text(j) ==
      "{\n"
      "  \"short\": {\"a\": 1, \"b\": [1, 2]},\n"
      "  \"none\": [],\n"
      "  \"long\": [\n"
      "    7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,\n"
      "    7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7\n"
      "  ]\n"
      "}\n");
  CHECK(nlohmann::ordered_json::parse(compact_text(j)) == j);
}
