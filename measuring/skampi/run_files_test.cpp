#include "measuring/skampi/run_files.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/files/test_folder.hpp"

namespace {

using namespace busline;
using namespace busline::skampi;

const std::string kMachineHead = "#@MACHINE test\n";

std::string suite(const std::string& name) {
  return "#---\n#/*@incol_" + name +
         ".ski*/\n       1       2.0      0.0      4       2.0      0.0      4\n#eol\n";
}

void write(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

struct SkampiRun {
  TestFolder folder;
  std::string out = folder.file("s.out"), log = folder.file("s.log");
  Diagnostics diagnostics;

  RunFiles open() {
    diagnostics.clear();
    auto files = RunFiles::open({out, log}, kMachineHead, diagnostics);
    if (!files) FAIL(to_string(files.error()));
    return std::move(*files);
  }
  void measure(RunFiles& files, const std::string& name) {
    REQUIRE(files.started(name));
    REQUIRE(files.ended(name, suite(name)));
  }
};

}  // namespace

TEST_CASE("a log records what was measured and what failed") {
  Diagnostics diagnostics;
  const auto states = read_log(
      "Process 0: A started\nProcess 0: A ended\nProcess 0: B started\nsomething else\n"
      "Process 0: C started\nProcess 0: C failed\nProcess 0: D skipped\nProcess 0: E started\n"
      "Process 0: E interrupted\nProcess 0: F started",
      "s.log", diagnostics);
  CHECK(diagnostics.empty());
  CHECK(states == SuiteStates{{"A", SuiteState::done},
                              {"B", SuiteState::failed},
                              {"C", SuiteState::failed},
                              {"D", SuiteState::done},
                              {"E", SuiteState::todo}});
}

TEST_CASE("a log in which a suite ends that never started is read up to there") {
  Diagnostics diagnostics;
  const auto states =
      read_log("Process 0: A started\nProcess 0: B ended\nProcess 0: A ended\n", "s.log", diagnostics);
  CHECK(states == SuiteStates{{"A", SuiteState::failed}});
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].message == "B ended without starting: the rest of the log is ignored");
  CHECK(diagnostics[0].line == 2);
}

TEST_CASE("a complete out file becomes OUT.n and the run is a new one") {
  SkampiRun run;
  for (int n = 0; n < 3; ++n) {
    auto files = run.open();
    CHECK(files.state("A") == SuiteState::todo);
    CHECK_FALSE(files.continued());
    run.measure(files, "A");
    REQUIRE(files.finish());
  }
  const auto complete = kMachineHead + suite("A") + "skampi finished.\n";
  CHECK(content_of(run.out) == complete);
  CHECK(older_runs(run.out) == std::vector<std::string>{run.out + ".1", run.out + ".2"});
  CHECK(content_of(run.out + ".2") == complete);
  CHECK(content_of(run.log + ".old") == "Process 0: A started\nProcess 0: A ended\n");
  CHECK(older_runs(run.log) == std::vector<std::string>{run.log + ".1"});
}

TEST_CASE("merged results are replaced, not kept") {
  SkampiRun run;
  write(run.out, kMachineHead + suite("A") + merged_end_text());
  auto files = run.open();
  CHECK(content_of(run.out) == kMachineHead);
  CHECK(older_runs(run.out).empty());
  CHECK(files.state("A") == SuiteState::todo);
}

TEST_CASE("a stopped run is continued after its last complete suite") {
  SkampiRun run;
  {
    auto files = run.open();
    run.measure(files, "A");
    run.measure(files, "B");
    REQUIRE(files.started("C"));  // and here it was killed
  }
  write(run.out, content_of(run.out) + "#---\n#/*@incol_C.ski*/\n   1");
  auto files = run.open();
  REQUIRE(run.diagnostics.size() == 1);
  CHECK(run.diagnostics[0].message ==
        "27 bytes after the last complete suite are cut off: the run that wrote them was stopped");
  CHECK(files.state("A") == SuiteState::done);
  CHECK(files.state("B") == SuiteState::done);
  CHECK(files.state("C") == SuiteState::failed);
  CHECK(files.state("D") == SuiteState::todo);
  REQUIRE(files.continued());
  CHECK(files.continued()->suites.size() == 2);
  CHECK(content_of(run.log) == "Process 0: A skipped\nProcess 0: B skipped\nProcess 0: C failed\n");
  run.measure(files, "D");
  REQUIRE(files.finish());
  CHECK(content_of(run.out) == kMachineHead + suite("A") + suite("B") + suite("D") + "skampi finished.\n");
}

TEST_CASE("a suite that somebody interrupted is measured again") {
  SkampiRun run;
  {
    auto files = run.open();
    run.measure(files, "A");
    REQUIRE(files.started("B"));
    REQUIRE(files.not_measured("B", LogEvent::interrupted));
  }
  auto files = run.open();
  CHECK(files.state("A") == SuiteState::done);
  CHECK(files.state("B") == SuiteState::todo);
}

TEST_CASE("an output file of another kind is left unchanged") {
  SkampiRun run;
  const auto refused = [&](std::string_view text) {
    write(run.out, text);
    const auto files = RunFiles::open({run.out, run.log}, kMachineHead, run.diagnostics);
    REQUIRE_FALSE(files);
    CHECK(content_of(run.out) == text);
    return files.error().message;
  };
  CHECK(refused("a letter\n") ==
        "is not a SKaMPI result: it contains neither '# SKaMPI Version' nor '#/*@in'");
  CHECK(refused("# SKaMPI Version 5\n# Finished at noon\n") ==
        "is a SKaMPI 5 or 6 result, which cannot be continued");
}

TEST_CASE("a file that can have no number at its end, or cannot be there at all, stops the run") {
  const TestFolder folder;
  const auto refused = [&](const std::string& out, const std::string& log) {
    Diagnostics diagnostics;
    const auto files = RunFiles::open({out, log}, kMachineHead, diagnostics);
    REQUIRE_FALSE(files);
    return to_string(files.error());
  };
  const auto longest = folder.file(std::string(255, 'x'));
  write(longest, kMachineHead + suite("A") + "skampi finished.\n");
  CHECK(refused(longest, folder.file("s.log")) ==
        longest + ": cannot be renamed to " + longest + ".1: File name too long");
  write(longest, "");
  CHECK(refused(folder.file("s.out"), longest) ==
        longest + ": cannot be renamed to " + longest + ".old: File name too long");
  const auto nowhere = folder.file("none/s.log");
  CHECK(refused(folder.file("s.out"), nowhere) == nowhere + ": cannot be written: No such file or directory");
}

TEST_CASE("wherever a run is killed, no finished suite is lost") {
  SkampiRun run;
  {
    auto files = run.open();
    for (const auto* const name : {"A", "B", "C"}) run.measure(files, name);
  }
  const auto out = content_of(run.out), log = content_of(run.log);
  for (std::size_t size = kMachineHead.size(); size <= out.size(); size += 7) {
    for (const std::size_t logged : {std::size_t{0}, log.size() / 2, log.size()}) {
      CAPTURE(size);
      std::filesystem::remove(run.log + ".old");
      write(run.out, out.substr(0, size));
      write(run.log, log.substr(0, logged));
      std::string expected = kMachineHead;
      {
        auto files = run.open();
        for (const std::string name : {"A", "B", "C"}) {
          const bool whole = out.find(suite(name)) + suite(name).size() <= size;
          CHECK((files.state(name) == SuiteState::done) == whole);
          if (whole) expected += suite(name);
        }
      }
      CHECK(content_of(run.out) == expected);
    }
  }
}
