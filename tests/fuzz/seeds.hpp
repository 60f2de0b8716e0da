// What targets are fed with to begin with: files of the repository (docs/explanation/hardening.md).
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "sim/base/error.hpp"

namespace busline::fuzz {

struct Seed {
  std::string target;
  std::filesystem::path path;
};

/// Those that tests/fuzz/seeds.txt below `source` lists, a target and a pattern of file names a line,
/// and the files of tests/fuzz/corpus/TARGET, in the order of their names. An Error for a pattern that
/// fits no file.
Expected<std::vector<Seed>> read_seeds(const std::filesystem::path& source);

}  // namespace busline::fuzz
