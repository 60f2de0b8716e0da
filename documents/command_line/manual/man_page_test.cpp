#include "documents/command_line/manual/man_page.hpp"

#include <doctest/doctest.h>

using namespace busline::cli;

TEST_CASE("a manual page escapes characters that groff would interpret") {
  CommandDescription command;
  command.name = "busline show";
  command.description = "Show `a\\b`, 'c', d-e, f^g and ~/h";
  const CommandDescription above;
  const auto page = man_page(command, &above, "1", "2");
  CHECK(page.find("busline\\-show \\- Show \\(gaa\\eb\\(ga, \\(aqc\\(aq, d\\-e, f\\(hag and \\(ti/h\n") !=
        std::string::npos);
}
