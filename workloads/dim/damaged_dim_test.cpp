// Damaged Dimemas traces: whichever byte changes, reading ends with a Program or an error that names a line.
#include <doctest/doctest.h>

#include <string>

#include "workloads/dim/read_dim.hpp"

using namespace busline;

namespace {

// Every record, every optional field.
const std::string kTrace =
    "#DIMEMAS:\"t\":1,00000000000000000500:3(1,2,1),2,0,0\n"
    "d:1:1:3:0:1:2\nd:1:7:2:2:0\nd:2:1:0\n"
    "1:0:0:0.001000000\n20:0:0:50000001:31\n2:0:0:1:100000:7:1:0\n2:0:0:2:-1:5:2:7:3\n0:0:0\n20:0:0:50000001:"
    "0\n"
    "10:0:0:11:1:1:0:8:8:0\n1:0:0:1e-06\n10:0:0:11:1:1:0:8:8:2\n10:0:0:10:7:2:0:16:16:3\n"
    "1:1:0:0.001\n3:1:0:0:100000:7:1:1\n10:1:0:27:1:0:0:8:8:0\n3:1:0:0:100000:7:1:2\n10:1:0:27:1:0:0:8:8:2\n"
    "1:1:1:3.5\n"
    "1:2:0:.5\n3:2:0:-1:5:2:7:0\n10:2:0:11:1:0:0:8:8:0\n10:2:0:11:1:0:0:8:8:2\n10:2:0:10:7:2:0:16:16:3\n"
    "s:0:80\ns:1:300:400\ns:2:450\n";

void read_or_refuse(const std::string& text) {
  Diagnostics diagnostics;
  const auto p = read_dim_text(text, "t.dim", diagnostics);
  if (p) return;
  CHECK(p.error().line);
  CHECK_FALSE(p.error().message.empty());
  // An error shows part of the line, never all of a huge line.
  CHECK(to_string(p.error()).size() < 600);
}

}  // namespace

TEST_CASE("a complete trace with every record is read") {
  Diagnostics diagnostics;
  const auto p = read_dim_text(kTrace, "t.dim", diagnostics);
  if (!p) FAIL(to_string(p.error()));
  CHECK(p->operations().size() == 21);
}

TEST_CASE("a trace with one wrong byte is read or refused") {
  for (std::size_t at = 0; at < kTrace.size(); ++at)
    for (const char c : {'0', '1', '9', '-', ':', '.', 'e', ',', '(', '"', '\n', '\r', '\0', '\xff'}) {
      auto text = kTrace;
      text[at] = c;
      read_or_refuse(text);
    }
}

TEST_CASE("a trace with missing or doubled bytes is read or refused") {
  for (std::size_t at = 0; at < kTrace.size(); ++at) {
    read_or_refuse(kTrace.substr(0, at));
    read_or_refuse(kTrace.substr(at));
    for (const std::size_t n : {std::size_t{1}, std::size_t{9}}) {
      auto text = kTrace;
      text.erase(at, n);
      read_or_refuse(text);
      text = kTrace;
      text.insert(at, kTrace.substr(at, n));
      read_or_refuse(text);
    }
  }
}

TEST_CASE("huge numbers and counts allocate nothing and overflow nothing") {
  for (const std::string number :
       {"4294967295", "4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551616",
        "99999999999999999999999999", "-9223372036854775807"})
    for (std::size_t at = 0; at < kTrace.size(); ++at)
      if (kTrace[at] >= '0' && kTrace[at] <= '9' &&
          (at == 0 || kTrace[at - 1] < '0' || kTrace[at - 1] > '9')) {
        auto text = kTrace;
        text.insert(at, number);
        read_or_refuse(text);
      }
}

TEST_CASE("a long line without a meaning is refused with a part of it") {
  read_or_refuse("#DIMEMAS:\"t\":0:1(1),0\n" + std::string(100'000, '7') + "\n");
  read_or_refuse("#DIMEMAS:\"t\":0:1(1),0\n1:0:0:" + std::string(100'000, '7') + "\n");
  read_or_refuse("#DIMEMAS:\"t\":0:1(1),0\n" + std::string(100'000, 'x') + "\n");
  read_or_refuse(std::string(100'000, '\n'));
}
