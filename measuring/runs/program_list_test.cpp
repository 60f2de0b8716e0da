#include "measuring/runs/program_list.hpp"

#include <doctest/doctest.h>

using namespace busline;
using namespace busline::runs;

namespace {

std::string list_refusal(const std::string& text) {
  const auto programs = parse_program_list(text, "programs.txt");
  return programs ? "" : to_string(programs.error());
}

}  // namespace

TEST_CASE("each line names a program and its command, whose words may be quoted") {
  const auto programs = parse_program_list(
      "# two programs\n\njacobi: mpirun -n 8 {} ./jacobi\n  farm-2:sh -c 'exec \"$0\" a:b' {} x''\"y z\" "
      "\"\"\r\n",
      "programs.txt");
  REQUIRE(programs);
  CHECK(*programs ==
        std::vector<ListedProgram>{{"jacobi", {"mpirun", "-n", "8", "{}", "./jacobi"}},
                                   {"farm-2", {"sh", "-c", "exec \"$0\" a:b", "{}", "xy z", ""}}});
}

TEST_CASE("a wrong line of a list of programs is reported with its number") {
  const std::string example = "\n  such as: jacobi: mpirun -n 8 {} ./jacobi";
  const std::string no_name =
      "programs.txt:2: expected the name of a program, without blanks and '/', and a colon" + example;
  CHECK(list_refusal("a: x\nmpirun ./app\n") == no_name);
  CHECK(list_refusal("\n../b: x\n") == no_name);
  CHECK(list_refusal("\n..: x\n") == no_name);
  CHECK(list_refusal("a:\n") == "programs.txt:1: expected the command of a after the colon" + example);
  CHECK(list_refusal("a: sh -c 'x\n") == "programs.txt:1: a quote is not closed" + example);
  CHECK(list_refusal("a: x\n\na: y\n") ==
        "programs.txt:3: a stands there twice; its runs would be in the same folder");
  CHECK(list_refusal("# a: x\n") == "programs.txt: lists no program" + example);
}
