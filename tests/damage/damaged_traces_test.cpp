// Readers must survive damaged files: an error, a warning or a Program that can be simulated or deadlocks;
// never a crash, a hang or an allocation by a length that the file claims.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "models/simulate.hpp"
#include "platforms/mapping.hpp"
#include "tests/damage/damage.hpp"
#include "tests/damage/test_memory.hpp"
#include "workloads/dumpi/compile/read_dumpi.hpp"
#include "workloads/files/test_folder.hpp"

namespace {

using namespace busline;
namespace fs = std::filesystem;

constexpr long kMostForTraces =
    600'000;  // that the tests may add; the address sanitizer keeps 256 MB of freed memory

// A new file: writing over an old one makes some file systems wait for the disk.
void write_new(const fs::path& path, const std::string& bytes) {
  fs::remove(path);
  std::ofstream(path, std::ios::binary) << bytes;
}

// A copy of a trace of which one file at a time is damaged.
class Victim {
 public:
  explicit Victim(const fs::path& trace)
      : folder_(fs::temp_directory_path() / ("busline-damage-" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    for (const auto& entry : fs::directory_iterator(trace)) {
      const auto extension = entry.path().extension();
      if (extension != ".bin" && extension != ".meta") continue;
      files_.push_back(folder_ / entry.path().filename());
      write_new(files_.back(), content_of(entry.path()));
    }
    std::sort(files_.begin(), files_.end());
  }
  Victim(const Victim&) = delete;
  Victim& operator=(const Victim&) = delete;
  ~Victim() { fs::remove_all(folder_); }

  const std::vector<fs::path>& files() const { return files_; }
  std::string folder() const { return folder_.string(); }

 private:
  fs::path folder_;
  std::vector<fs::path> files_;
};

// Reads and, if that went well, simulates.
void use_trace(const std::string& folder) {
  Diagnostics diagnostics;
  const auto program = read_dumpi(folder, {}, diagnostics);
  if (!program) {
    CHECK(!program.error().message.empty());
    CHECK(!program.error().path.empty());
    return;
  }
  Platform platform;
  platform.machines.emplace_back();
  platform.machines[0].nodes.emplace_back();
  platform.machines[0].nodes[0].count = program->ranks();
  platform.machines[0].network.latency = Duration::seconds(1e-6);
  const auto machine = place_ranks(platform, program->ranks());
  REQUIRE(machine.has_value());
  (void)simulate(*program, platform, *machine);
}

// How many copies of each trace: more than the few that tests make every time, for a longer search.
std::uint64_t copies(std::uint64_t by_default) {
  const char* const wanted = std::getenv("BUSLINE_DAMAGED_COPIES");
  return wanted == nullptr ? by_default : std::strtoull(wanted, nullptr, 10);
}

}  // namespace

TEST_CASE("a damaged copy can be made again from its number") {
  const RandomDamage damage(std::string(1000, 'x'));
  for (std::uint64_t n = 0; n < 3 * RandomDamage::kinds(); ++n) {
    const auto one = damage.copy(n), other = damage.copy(n);
    CHECK(one.bytes == other.bytes);
    CHECK(one.what == other.what);
  }
  CHECK(RandomDamage("").copy(3).bytes.empty());
  for (std::uint64_t n = 0; n < 100; ++n) CHECK(RandomDamage("x").copy(n).bytes.size() <= 2);
}

TEST_CASE("no damage to a DUMPI trace crashes the reader or the simulation, or takes memory") {
  const auto before = resident_kilobytes();
  const fs::path traces = fs::path(BUSLINE_SOURCE_DIR) / "validation/golden/dumpi/traces";
  for (const auto* name : {"anywait", "colls", "comms", "misc", "persist", "pingpong", "rma", "srring",
                           "threads", "types", "nas-dt-BH-S5", "halo2d-wall"}) {
    const Victim victim(traces / name);
    const auto n = copies(27);
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto& file = victim.files()[i % victim.files().size()];
      const auto whole = content_of(file);
      const auto damaged = RandomDamage(whole).copy(i + n * whole.size());
      CAPTURE(name);
      CAPTURE(file.filename().string());
      CAPTURE(damaged.what);
      write_new(file, damaged.bytes);
      use_trace(victim.folder());
      write_new(file, whole);
    }
    Diagnostics diagnostics;
    CHECK(read_dumpi(victim.folder(), {}, diagnostics).has_value());  // whole again
  }
  CHECK(resident_kilobytes() - before < kMostForTraces);
}
