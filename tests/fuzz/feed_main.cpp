// fuzz_feed: feeds all seeds, and copies of them with random damage, to what is fuzzed, without libFuzzer
// (docs/explanation/hardening.md).
//
//   fuzz_feed SOURCE_TREE [--copies N] [--target NAME]
//
// N damaged copies of each seed (default 20), the same ones every time. The last line counts; the exit code
// is 1 after a finding, whose bytes are then in a file of the folder for temporary files.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "documents/fields/text_file.hpp"
#include "tests/damage/damage.hpp"
#include "tests/fuzz/all_targets.hpp"
#include "tests/fuzz/seeds.hpp"

namespace {

using namespace busline;
using namespace busline::fuzz;
namespace fs = std::filesystem;

struct Options {
  fs::path source;
  std::uint64_t copies = 20;
  std::string target;  // empty: all
};

int fail(const std::string& message) {
  fmt::print(stderr, "{}\n", message);
  return 2;
}

bool feed(const FuzzTarget& target, std::string_view bytes) {
  if (bytes.size() > target.most_bytes) bytes = bytes.substr(0, target.most_bytes);
  const auto fault = target.fault(bytes);
  if (fault.empty()) return true;
  const auto kept = fs::temp_directory_path() / fmt::format("busline-finding-{}", target.name);
  std::ofstream(kept, std::ios::binary) << bytes;
  fmt::print(stderr, "{}: {}\n  {} has its bytes\n", target.name, fault, kept.string());
  return false;
}

bool feed_all(const FuzzTarget& target, const Seed& seed, std::uint64_t copies) {
  const auto bytes = read_text_file(seed.path);
  if (!bytes) return fail(to_string(bytes.error())) == 0;
  const RandomDamage damage(bytes->substr(0, target.most_bytes));
  bool good = feed(target, *bytes);
  for (std::uint64_t n = 0; good && n < copies; ++n) {
    const auto copy = damage.copy(n);
    good = feed(target, copy.bytes);
    if (!good) fmt::print(stderr, "  in {}, {}\n", seed.path.string(), copy.what);
  }
  return good;
}

bool read(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (!word.starts_with("--")) {
      options.source = word;
      continue;
    }
    if (++i == argc) return false;
    if (word == "--copies")
      options.copies = std::strtoull(argv[i], nullptr, 10);
    else if (word == "--target")
      options.target = argv[i];
    else
      return false;
  }
  return !options.source.empty();
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!read(argc, argv, options)) return fail("expected SOURCE_TREE [--copies N] [--target NAME]");
  const auto seeds = read_seeds(options.source);
  if (!seeds) return fail(to_string(seeds.error()));
  std::map<std::string, FuzzTarget> targets;
  for (const auto& t : all_targets()) targets.emplace(t.name, t);
  std::map<std::string, std::size_t> fed;
  bool good = true;
  for (const auto& seed : *seeds) {
    const auto target = targets.find(seed.target);
    if (target == targets.end()) return fail(fmt::format("{}: no such target", seed.target));
    if (!options.target.empty() && seed.target != options.target) continue;
    ++fed[seed.target];
    good = feed_all(target->second, seed, options.copies) && good;
  }
  for (const auto& [name, target] : targets)
    if ((options.target.empty() || name == options.target) && fed[name] == 0)
      return fail(fmt::format("{}: no seed", name));
  if (!good) return 1;
  std::size_t seeds_fed = 0;
  for (const auto& [name, count] : fed) seeds_fed += count;
  fmt::print("{} seeds, {} damaged copies of each\n", seeds_fed, options.copies);
  return 0;
}
