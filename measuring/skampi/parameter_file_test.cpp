#include "measuring/skampi/parameter_file.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "measuring/skampi/test_files.hpp"

namespace {

using namespace busline;
using namespace busline::skampi;
using measure::Scale;
using measure::Varies;

Expected<ParameterFile> parse(std::string_view text, Diagnostics& diagnostics, bool lenient = false) {
  return parse_parameter_file(text, "x.skampi", {lenient}, diagnostics);
}

// The message for a file that cannot be read.
std::string parameters_refused(std::string_view text) {
  Diagnostics diagnostics;
  const auto file = parse(text, diagnostics);
  if (file) return "it was read";
  return to_string(file.error());
}

// A file with one block of these keys, which begin in line 2.
std::string block(std::string_view keys) {
  return fmt::format("@MEASUREMENTS\nA {{ Type = 1;\n{}}}\n", keys);
}

double standard_error(std::string_view text, std::string* warning = nullptr) {
  Diagnostics diagnostics;
  const auto file = parse(fmt::format("@STANDARDERRORDEFAULT {}\n", text), diagnostics);
  if (!file) return -1;
  if (warning != nullptr && !diagnostics.empty()) *warning = diagnostics[0].message;
  CHECK((warning != nullptr || diagnostics.empty()));
  return file->defaults.repetition.precision;
}

}  // namespace

TEST_CASE(
    "line ends of Windows are line ends, and a carriage return inside of a line makes no section of it") {
  Diagnostics diagnostics;
  const auto file = parse("@USER a\r\nb\r\n@MACHINE x\n@ME\rASUREMENTS\n", diagnostics, true);
  REQUIRE(file.has_value());
  CHECK(file->user == "a\nb");
  const auto again = parse(to_text(*file), diagnostics, true);
  REQUIRE(again.has_value());
  CHECK(*again == *file);
}

TEST_CASE("all sections and all keys of a parameter file are read") {
  Diagnostics diagnostics;
  const auto file = parse(kParameterFile, diagnostics);
  if (!file) FAIL(to_string(file.error()));
  CHECK(diagnostics.empty());
  CHECK(file->comment == "What stands before the first section is a comment.\nmore");
  CHECK(file->user == "R. Reussner\n  Karlsruhe");
  CHECK(file->machine == "two racks");
  CHECK(file->node.empty());
  CHECK(file->memory == Bytes{1024 * 1024});
  CHECK(file->absolute);
  CHECK_FALSE(file->post_processing);
  CHECK(file->out_file == "my results.out");
  CHECK(file->log_file.empty());
  const auto& defaults = file->defaults;
  CHECK(defaults.max_steps == 30);
  CHECK(defaults.repetition.max_repetitions == 100);
  CHECK(defaults.repetition.min_repetitions == 8);
  CHECK(defaults.repetition.precision == 0.05);
  CHECK(defaults.repetition.cut_quantile == 0.1);
  CHECK_FALSE(defaults.repetition.time_limit);
  CHECK(defaults.time_suite == Duration::seconds(90));

  REQUIRE(file->suites.size() == 2);
  const auto& send = file->suites[0];
  CHECK(send.name == "MPI_Send");
  CHECK(send.line == 16);
  CHECK(send.type == 50);
  CHECK(send.operation.empty());
  CHECK(send.varies == Varies::bytes);
  CHECK(send.scale == Scale::dynamic_log);
  CHECK(send.start == 0);
  CHECK_FALSE(send.end);
  CHECK(send.step == 1.414213562);
  CHECK(send.min_distance == 2);
  CHECK(send.max_distance == 512);
  CHECK(send.message == 256);
  CHECK(send.chunks == 0);
  CHECK(send.node_times);
  CHECK(send.limits == defaults);

  const auto& gather = file->suites[1];
  CHECK(gather.name == "Gather-nodes");
  CHECK(gather.type == 0);
  CHECK(gather.operation == "MPI_Gather");
  CHECK(gather.varies == Varies::ranks);
  CHECK_FALSE(gather.scale);
  CHECK_FALSE(gather.step);
  CHECK(gather.end == 16);
  CHECK(gather.limits.max_steps == 5);
  CHECK(gather.limits.repetition.precision == 0.02);
  CHECK_FALSE(gather.limits.time_suite);
}

TEST_CASE("a file with nothing in it has SKaMPI's defaults") {
  Diagnostics diagnostics;
  const auto file = parse("", diagnostics);
  REQUIRE(file);
  CHECK(*file == ParameterFile{});
  CHECK(file->memory == Bytes{4194304});
  CHECK(file->defaults.max_steps == 16);
  CHECK(file->defaults.repetition == measure::RepetitionRules{});
}

TEST_CASE("defaults also hold for the suites before them") {
  Diagnostics diagnostics;
  const auto file = parse(block("Max_Repetition = Default_Value;") + "@MAXREPDEFAULT 7\n", diagnostics);
  REQUIRE(file);
  CHECK(file->suites[0].limits.repetition.max_repetitions == 7);
}

TEST_CASE("a standard error is per cent or a fraction by its size") {
  CHECK(standard_error("3 %") == 0.03);
  CHECK(standard_error("0.5%") == 0.005);
  CHECK(standard_error("0.03") == 0.03);
  CHECK(standard_error("3") == 0.03);
  CHECK(standard_error("100.00") == 1);
  CHECK(standard_error("1") == 0.01);
  std::string warning;
  CHECK(standard_error("0.5", &warning) == 0.5);
  CHECK(warning == "@STANDARDERRORDEFAULT: 0.5 is read as a fraction, 50 %: write it with %");
}

TEST_CASE("what is written is read back") {
  Diagnostics diagnostics;
  auto file = *parse(kParameterFile, diagnostics);
  auto again = parse(to_text(file), diagnostics);
  if (!again) FAIL(to_string(again.error()));
  for (std::size_t i = 0; i < file.suites.size(); ++i) again->suites.at(i).line = file.suites[i].line;
  CHECK(*again == file);
  CHECK(parse(to_text(ParameterFile{}), diagnostics) == ParameterFile{});
  CHECK(diagnostics.empty());
}

TEST_CASE("errors of a parameter file name line and key") {
  CHECK(parameters_refused(block("Max_Steps = 0;")) ==
        "x.skampi:3: Max_Steps of A: is '0', expected a whole number from 1 to 1000000");
  CHECK(parameters_refused(block("Cut_Quantile = 0.5;")) ==
        "x.skampi:3: Cut_Quantile of A: is '0.5', expected 0 or more and less than 0.5");
  CHECK(parameters_refused(block("\nScale = Dynamic_linea;")) ==
        "x.skampi:4: Scale of A: is 'Dynamic_linea', expected Fixed_linear or Fixed_log or Dynamic_linear or "
        "Dynamic_log\n  did you mean Dynamic_linear?");
  CHECK(parameters_refused(block("Time_Suite = -1;")) ==
        "x.skampi:3: Time_Suite of A: is '-1', expected minutes, more than 0 and at most 14400, or "
        "Invalid_Value for no limit");
  CHECK(parameters_refused(block("Max_Setps = 1;")) ==
        "x.skampi:3: A: unknown key 'Max_Setps'\n  did you mean Max_Steps?");
  CHECK(parameters_refused(block("Max_Steps = 1;\nMax_Steps = 1;")) ==
        "x.skampi:4: A: Max_Steps occurs a second time");
  CHECK(parameters_refused(block("Max_Steps = 1\nMin_Distance = 1;")) ==
        "x.skampi:4: A: expected ';' after the value of Max_Steps, found '='\n  Max_Steps is on line 3");
  CHECK(parameters_refused(block("Max_Steps 1;")) ==
        "x.skampi:3: A: expected '=' after Max_Steps, found '1'");
  CHECK(parameters_refused(block("Max_Steps = ;")) ==
        "x.skampi:3: Max_Steps of A: the value is missing, expected a value before ';'");
  CHECK(parameters_refused(block("Stepwidth = 1; Scale = Fixed_log;")) ==
        "x.skampi:2: A: Stepwidth is 1: a logarithmic scale needs more than 1\n"
        "  each argument is the one before it times Stepwidth");
  CHECK(parameters_refused(block("Start_Argument = 3; End_Argument = 2;")) ==
        "x.skampi:2: A: Start_Argument is 3, but End_Argument is 2");
  CHECK(parameters_refused("@MEASUREMENTS\nA { Type = 1;\n") ==
        "x.skampi:3: A: expected a key or '}', the section ends\n  the block began in line 2");
  CHECK(parameters_refused("@MEASUREMENTS\nA B { Type = 1; }\n") ==
        "x.skampi:2: A: expected '{' after the name A, found 'B'\n"
        "  a name is one word, such as MPI_Bcast-nodes");
  CHECK(parameters_refused("@MEASUREMENTS A { }") ==
        "x.skampi:1: A: neither Type nor Operation says what is measured\n"
        "  such as 'Type = 1;' or 'Operation = MPI_Send-MPI_Recv;'");
  CHECK(parameters_refused("@MEASUREMENTS A { Type = 1; } A { Type = 1; }") ==
        "x.skampi:1: A: two suites are named A\n  suite names identify results");
  CHECK(parameters_refused("\n@MEMORY four\n") ==
        "x.skampi:2: @MEMORY: is 'four', expected a whole number from 1 to 8796093022208");
  CHECK(parameters_refused("@MEMORY 1\n2\n") ==
        "x.skampi:1: @MEMORY: it has more than one line, expected one value");
  CHECK(parameters_refused("@OUTFILE\n") ==
        "x.skampi:1: @OUTFILE: the value is missing, expected the name of a file");
  CHECK(parameters_refused("@mesurements\n") ==
        "x.skampi:1: unknown section @mesurements\n  did you mean @MEASUREMENTS?");
}

TEST_CASE("a lenient reader takes the default and says so") {
  Diagnostics diagnostics;
  const auto file = parse("@MEMORY 0\n@NONSENSE\n" +
                              block("Max_Steps = 0; Stepwidth = 1; Scale = Fixed_log;") + "A { Type = 2; }\n",
                          diagnostics, true);
  if (!file) FAIL(to_string(file.error()));
  CHECK(file->memory == Bytes{4194304});
  CHECK(file->suites.at(0).limits.max_steps == 16);
  CHECK_FALSE(file->suites[0].step);
  CHECK(file->suites.at(1).name == "A_2");
  REQUIRE(diagnostics.size() == 6);
  CHECK(diagnostics[0].message == "unknown section @NONSENSE: the line is text");
  CHECK(diagnostics[1].message == "@MEMORY: it has more than one line, expected one value: using the first");
  CHECK(diagnostics[2].message ==
        "@MEMORY: is '0', expected a whole number from 1 to 8796093022208: using the default");
  CHECK(diagnostics[2].line == 1);
}
