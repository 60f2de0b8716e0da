#include "documents/command_line/program.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>

using namespace busline;
using namespace busline::cli;

namespace {

struct EndedProgram {
  int exit = 0;
  std::string printed;  // to stdout and stderr
};

// Runs 'busline' with one command in this process, and restores its state.
EndedProgram run_busline(const AddCommand& add, std::vector<std::string> arguments,
                         std::vector<OptionalPart> (*parts)() = nullptr) {
  auto* file = std::tmpfile();
  REQUIRE(file != nullptr);
  std::fflush(nullptr);
  const int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
  dup2(fileno(file), STDOUT_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  struct sigaction interrupt {
  }, terminate{};
  sigaction(SIGINT, nullptr, &interrupt);
  sigaction(SIGTERM, nullptr, &terminate);
  const auto terminate_handler = std::get_terminate();
  const auto new_handler = std::get_new_handler();

  arguments.insert(arguments.begin(), "busline");
  std::vector<char*> argv;
  for (auto& a : arguments) argv.push_back(a.data());
  EndedProgram ended;
  ended.exit = run_program({"busline", "Runs a test", {&add, 1}, nullptr, parts},
                           static_cast<int>(argv.size()), argv.data());

  std::set_new_handler(new_handler);
  std::set_terminate(terminate_handler);
  sigaction(SIGINT, &interrupt, nullptr);
  sigaction(SIGTERM, &terminate, nullptr);
  std::fflush(nullptr);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  close(out);
  close(err);
  ended.printed.resize(static_cast<std::size_t>(std::ftell(file)));
  std::rewind(file);
  CHECK(std::fread(ended.printed.data(), 1, ended.printed.size(), file) == ended.printed.size());
  std::fclose(file);
  return ended;
}

}  // namespace

TEST_CASE("running out of memory and internal errors have a message and an exit code") {
  const auto lacking = run_busline(
      [](CLI::App& program, Invocation& invocation) {
        return Command{new_command(program, invocation, "go", "Goes", {}),
                       []() -> Expected<Exit> { throw std::bad_alloc(); }};
      },
      {"go"});
  CHECK(lacking.exit == kReadWriteFailed);
  CHECK(lacking.printed == "busline: out of memory\n");
  const auto wrong = run_busline(
      [](CLI::App& program, Invocation& invocation) {
        return Command{new_command(program, invocation, "go", "Goes", {}),
                       []() -> Expected<Exit> { throw std::logic_error("two is one"); }};
      },
      {"go"});
  CHECK(wrong.exit == kBug);
  CHECK(wrong.printed == "busline: bug: two is one\n  please report it together with the command you ran\n");
}

TEST_CASE("the version explains each optional part, and how to get a missing one") {
  const auto version = [](const std::vector<std::string>& arguments) {
    return run_busline(
        [](CLI::App& program, Invocation& invocation) {
          return Command{new_command(program, invocation, "go", "Goes", {}),
                         []() -> Expected<Exit> { return kDone; }};
        },
        arguments,
        [] {
          return std::vector<OptionalPart>{{"zlib", "reads .gz", true, "install zlib1g-dev"},
                                           {"MPI", "runs in parallel", false, "install libmpich-dev"}};
        });
  };
  const auto text = version({"--version"});
  CHECK(text.exit == kDone);
  CHECK(
      text.printed.ends_with("\n  zlib         present  reads .gz\n"
                             "  MPI          missing  runs in parallel: install libmpich-dev\n"));
  CHECK(version({"--version", "--json"})
            .printed.find("{\"name\":\"zlib\",\"gives\":\"reads .gz\",\"present\":true},\n") !=
        std::string::npos);
  CHECK(version({"--version", "--json"})
            .printed.find("{\"name\":\"MPI\",\"gives\":\"runs in parallel\",\"present\":false,"
                          "\"how_to_get\":\"install libmpich-dev\"}\n") != std::string::npos);
}
