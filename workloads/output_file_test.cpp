#include "workloads/output_file.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

namespace {

using namespace busline;
namespace fs = std::filesystem;

// A folder of its own, which goes when this does.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("busline-output-" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path); }

  std::string content(const char* name) const {
    std::ifstream in(path / name);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  auto files() const { return std::distance(fs::directory_iterator(path), {}); }
};

OutputFile create(const fs::path& path) {
  auto file = OutputFile::create(path.string());
  REQUIRE_MESSAGE(file.has_value(), to_string(file.error()));
  return std::move(*file);
}

}  // namespace

TEST_CASE("a file takes its place when it is complete") {
  const Folder folder;
  std::ofstream(folder.path / "a") << "before";
  auto file = create(folder.path / "a");
  REQUIRE(file.write("af").has_value());
  CHECK(folder.content("a") == "before");
  auto moved = std::move(file);
  REQUIRE(moved.write("ter").has_value());
  REQUIRE(moved.commit().has_value());
  CHECK(folder.content("a") == "after");
  CHECK(folder.files() == 1);
}

TEST_CASE("a file that is never complete leaves nothing") {
  const Folder folder;
  std::ofstream(folder.path / "a") << "before";
  {
    auto file = create(folder.path / "a");
    REQUIRE(file.write("half").has_value());
    CHECK(folder.files() == 2);
  }
  CHECK(folder.content("a") == "before");
  CHECK(folder.files() == 1);
}

TEST_CASE("what the system does not let us write is an error that names the file meant") {
  const Folder folder;
  const auto inside = (folder.path / "no" / "a").string();
  const auto file = OutputFile::create(inside);
  REQUIRE(!file.has_value());
  CHECK(file.error().kind == Error::Kind::unreadable);
  CHECK(to_string(file.error()) == inside + ": cannot be written: No such file or directory");

  const auto over_folder = OutputFile::create(folder.path.string());
  REQUIRE(!over_folder.has_value());
  CHECK(over_folder.error().message == "cannot be written: Is a directory");
}

TEST_CASE("a file that is closed takes its place when it is committed, or leaves nothing") {
  const Folder folder;
  for (const bool commits : {false, true}) {
    auto file = create(folder.path / "a");
    REQUIRE(file.write("after").has_value());
    REQUIRE(file.close().has_value());
    CHECK(!fs::exists(folder.path / "a"));
    CHECK(folder.files() == 1);
    if (commits) CHECK(file.commit().has_value());
  }
  CHECK(folder.content("a") == "after");
  CHECK(folder.files() == 1);
}

TEST_CASE("a file that is written at once is whole, or an error that leaves what was there") {
  const Folder folder;
  std::ofstream(folder.path / "a") << "before";
  REQUIRE(write_file((folder.path / "a").string(), "after").has_value());
  CHECK(folder.content("a") == "after");
  CHECK(folder.files() == 1);
  const auto full = write_file("/dev/full", "after");
  REQUIRE(!full.has_value());
  CHECK(to_string(full.error()) == "/dev/full: cannot be written: No space left on device");
  CHECK(!write_file((folder.path / "no" / "a").string(), "after").has_value());
}

TEST_CASE("what is no regular file is written itself and not replaced") {
  const Folder folder;
  fs::create_symlink("/dev/null", folder.path / "a");
  REQUIRE(create(folder.path / "a").commit().has_value());
  CHECK(fs::is_character_file(folder.path / "a"));
  CHECK(folder.files() == 1);
}

TEST_CASE("whether a file could be written is found out without leaving one") {
  const Folder folder;
  CHECK(check_writable((folder.path / "new").string()));
  { std::ofstream(folder.path / "old") << "before"; }
  CHECK(check_writable((folder.path / "old").string()));
  CHECK(folder.content("old") == "before");
  CHECK(folder.files() == 1);
  CHECK(check_writable(""));
  CHECK(check_writable("/dev/null"));
  CHECK_FALSE(check_writable(folder.path.string()));
  const auto nowhere = check_writable((folder.path / "no" / "such").string());
  REQUIRE_FALSE(nowhere);
  CHECK(nowhere.error().kind == Error::Kind::unreadable);
}
