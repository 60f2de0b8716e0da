#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "platforms/dimemas/dimemas_cfg.hpp"

using namespace busline;

namespace {

// A file that is removed after the test.
struct TemporaryFile {
  explicit TemporaryFile(const std::string& text) { std::ofstream(path) << text; }
  ~TemporaryFile() { std::filesystem::remove(path); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::string path =
      (std::filesystem::temp_directory_path() / ("busline-" + std::to_string(getpid()) + ".cfg")).string();
};

Expected<Duration> scheduler(const std::string& text, Diagnostics& d) {
  const TemporaryFile file(text);
  auto cost = read_scheduler(file.path, d);
  if (!cost) cost.error().path = "s.cfg";
  return cost;
}

}  // namespace

TEST_CASE("a scheduler file gives the context-switch cost") {
  Diagnostics d;
  CHECK(scheduler("Policy: FIFO\nContext switch cost (seconds): 0.0000123\nBusy wait (seconds): 0.0\n", d) ==
        Duration::picoseconds(12'300'000));
  CHECK(d.empty());
  CHECK(scheduler("Policy: FIFO\nContext switch cost (seconds): 0.0\nBusy wait (seconds): 0.001\n", d) ==
        Duration{});
  REQUIRE(d.size() == 1);
  CHECK(d[0].message == "busy waiting has no effect without a context-switch cost, as in Dimemas");
  const auto busy =
      scheduler("Policy: FIFO\nContext switch cost (seconds): 1\nBusy wait (seconds): 0.001\n", d);
  CHECK(busy.error().kind == Error::Kind::unsupported);
  CHECK(to_string(busy.error()) ==
        "s.cfg:3: Busy wait (seconds): busy waiting with a context-switch cost is not supported, expected 0");
  const auto policy = scheduler("Policy: RR\n", d);
  CHECK(policy.error().kind == Error::Kind::unsupported);
  CHECK(to_string(policy.error()) == "s.cfg:1:9: Policy: policy: expected FIFO, 'RR' is not supported");
  CHECK(to_string(scheduler("Polcy: FIFO\n", d).error()) ==
        "s.cfg:1: unknown line 'Polcy: FIFO'; did you mean 'Policy:'?");
  CHECK(to_string(scheduler("Policy:\n", d).error()) == "s.cfg:1: Policy: expected 1 value, found 0");
}
