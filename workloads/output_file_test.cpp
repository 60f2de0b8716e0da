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

  fs::create_directories(folder.path / "b" / "c");
  auto over_folder = create(folder.path / "b");
  CHECK(!over_folder.commit().has_value());
  CHECK(folder.files() == 1);
}
