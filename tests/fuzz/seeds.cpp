#include "tests/fuzz/seeds.hpp"

#include <glob.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <utility>

#include "documents/fields/text_file.hpp"

namespace busline::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> matching(const fs::path& pattern) {
  glob_t found{};
  std::vector<fs::path> paths;
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  return paths;
}

}  // namespace

Expected<std::vector<Seed>> read_seeds(const fs::path& source) {
  const auto folder = source / "tests/fuzz";
  const auto list = read_text_file(folder / "seeds.txt");
  if (!list) return tl::unexpected(list.error());
  std::vector<Seed> seeds;
  std::istringstream lines(*list);
  std::uint64_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty() || line.starts_with("#")) continue;
    std::istringstream words(line);
    std::string target, pattern;
    words >> target >> pattern;
    const auto paths = matching(source / pattern);
    if (paths.empty()) {
      Error e;
      e.path = (folder / "seeds.txt").string();
      e.line = number;
      e.message = "no file is called '" + pattern + "'";
      return tl::unexpected(std::move(e));
    }
    for (const auto& path : paths) seeds.push_back({target, path});
  }
  for (const auto& path : matching(folder / "corpus" / "*" / "*"))
    seeds.push_back({path.parent_path().filename(), path});
  return seeds;
}

}  // namespace busline::fuzz
