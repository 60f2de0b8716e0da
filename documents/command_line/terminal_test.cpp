#include "documents/command_line/terminal.hpp"

#include <doctest/doctest.h>

#include "documents/command_line/exit_codes.hpp"

using namespace busline;
using namespace busline::cli;

TEST_CASE("a progress line fills up, stays within the terminal and shows the time left") {
  CHECK(progress_line(0.5, "replaying", 12.3, 45) == "[#######       ]  50 %  replaying  12 s left");
  CHECK(progress_line(0, "replaying", 0, 36) == "[                ]   0 %  replaying");
  CHECK(progress_line(1.7, "replaying", 0, 36) == "[################] 100 %  replaying");
  for (const int width : {40, 80, 200}) CHECK(progress_line(0.3, "replaying", 100, width).size() < 100);
}

TEST_CASE("each kind of error has its exit code") {
  CHECK(exit_code(Error::Kind::bad_option) == 2);
  CHECK(exit_code(Error::Kind::bad_input) == 3);
  CHECK(exit_code(Error::Kind::unsupported) == 4);
  CHECK(exit_code(Error::Kind::unreadable) == 5);
}
