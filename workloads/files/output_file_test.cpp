#include "workloads/files/output_file.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "workloads/files/test_folder.hpp"

namespace {

using namespace busline;
namespace fs = std::filesystem;

OutputFile create(const fs::path& path) {
  auto file = OutputFile::create(path.string());
  REQUIRE_MESSAGE(file.has_value(), to_string(file.error()));
  return std::move(*file);
}

}  // namespace

TEST_CASE("a file takes its place when it is complete") {
  const TestFolder folder;
  std::ofstream(folder.file("a")) << "before";
  auto file = create(folder.file("a"));
  REQUIRE(file.write("af").has_value());
  CHECK(folder.read("a") == "before");
  auto moved = std::move(file);
  REQUIRE(moved.write("ter").has_value());
  REQUIRE(moved.commit().has_value());
  CHECK(folder.read("a") == "after");
  CHECK(folder.files() == 1);
}

TEST_CASE("a file that is never complete leaves nothing") {
  const TestFolder folder;
  std::ofstream(folder.file("a")) << "before";
  {
    auto file = create(folder.file("a"));
    REQUIRE(file.write("half").has_value());
    CHECK(folder.files() == 2);
  }
  CHECK(folder.read("a") == "before");
  CHECK(folder.files() == 1);
}

TEST_CASE("a file that the system refuses to write is an error that names it") {
  const TestFolder folder;
  const auto inside = folder.file("no/a");
  const auto file = OutputFile::create(inside);
  REQUIRE(!file.has_value());
  CHECK(file.error().kind == Error::Kind::unreadable);
  CHECK(to_string(file.error()) == inside + ": cannot be written: No such file or directory");

  const auto over_folder = OutputFile::create(folder.path());
  REQUIRE(!over_folder.has_value());
  CHECK(over_folder.error().message == "cannot be written: Is a directory");
}

TEST_CASE("a file that is closed takes its place when it is committed, or leaves nothing") {
  const TestFolder folder;
  for (const bool commits : {false, true}) {
    auto file = create(folder.file("a"));
    REQUIRE(file.write("after").has_value());
    REQUIRE(file.close().has_value());
    CHECK(!fs::exists(folder.file("a")));
    CHECK(folder.files() == 1);
    if (commits) CHECK(file.commit().has_value());
  }
  CHECK(folder.read("a") == "after");
  CHECK(folder.files() == 1);
}

TEST_CASE("a file written at once is complete, or an error that leaves the old one") {
  const TestFolder folder;
  std::ofstream(folder.file("a")) << "before";
  REQUIRE(write_file(folder.file("a"), "after").has_value());
  CHECK(folder.read("a") == "after");
  CHECK(folder.files() == 1);
  const auto full = write_file("/dev/full", "after");
  REQUIRE(!full.has_value());
  CHECK(to_string(full.error()) == "/dev/full: cannot be written: No space left on device");
  CHECK(!write_file(folder.file("no/a"), "after").has_value());
}

TEST_CASE("a target that is not a regular file is written directly and not replaced") {
  const TestFolder folder;
  fs::create_symlink("/dev/null", folder.file("a"));
  REQUIRE(create(folder.file("a")).commit().has_value());
  CHECK(fs::is_character_file(folder.file("a")));
  CHECK(folder.files() == 1);
}

TEST_CASE("checking whether a file could be written leaves no file") {
  const TestFolder folder;
  CHECK(check_writable(folder.file("new")));
  { std::ofstream(folder.file("old")) << "before"; }
  CHECK(check_writable(folder.file("old")));
  CHECK(folder.read("old") == "before");
  CHECK(folder.files() == 1);
  CHECK(check_writable(""));
  CHECK(check_writable("/dev/null"));
  CHECK_FALSE(check_writable(folder.path()));
  const auto nowhere = check_writable(folder.file("no/such"));
  REQUIRE_FALSE(nowhere);
  CHECK(nowhere.error().kind == Error::Kind::unreadable);
}
