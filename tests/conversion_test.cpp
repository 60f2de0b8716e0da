// Workloads in other formats: the golden traces and random programs come back from a Program file as they
// were, and from a Dimemas trace as far as one can hold them.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/program/program_builder.hpp"
#include "sim/program/program_rules.hpp"
#include "tests/random_program.hpp"
#include "tests/result_text.hpp"
#include "validation/simulated/textbook.hpp"
#include "workloads/dim/left_out.hpp"
#include "workloads/dim/read_dim.hpp"
#include "workloads/dim/write_dim.hpp"
#include "workloads/dumpi/compile/read_dumpi.hpp"
#include "workloads/files/text_sink.hpp"
#include "workloads/program/program_file.hpp"
#include "workloads/program/test_seal.hpp"

namespace {

using namespace busline;
namespace fs = std::filesystem;

const fs::path kGoldenTraces = fs::path(BUSLINE_SOURCE_DIR) / "validation/golden";

std::vector<fs::path> sorted(std::vector<fs::path> paths) {
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<fs::path> dim_traces() {
  std::vector<fs::path> all;
  for (const auto* folder : {"dimemas", "dimemas-defects"})
    for (const auto& entry : fs::recursive_directory_iterator(kGoldenTraces / folder))
      if (entry.path().extension() == ".dim") all.push_back(entry.path());
  return sorted(all);
}

std::vector<fs::path> dumpi_traces() {
  std::vector<fs::path> all;
  for (const auto* folder : {"dumpi", "real_runs"})
    for (const auto& entry : fs::recursive_directory_iterator(kGoldenTraces / folder))
      if (entry.path().extension() == ".meta") all.push_back(entry.path());
  return sorted(all);
}

void check_program_file(const Program& program) {
  TextSink sink;
  REQUIRE(write_program(program, {}, sink).has_value());
  const auto bytes = std::make_shared<const std::string>(std::move(sink.text));
  const auto file = read_program(*bytes, bytes, "x.program");
  REQUIRE_MESSAGE(file.has_value(), to_string(file.error()));
  CHECK(all_of(file->program) == all_of(program));
  TextSink again;
  REQUIRE(write_program(file->program, {}, again).has_value());
  CHECK(again.text == *bytes);
}

Expected<Program> through_dim(const Program& program) {
  TextSink sink;
  Diagnostics diagnostics;
  if (auto done = write_dim(program, "t", sink, diagnostics); !done)
    return tl::unexpected(std::move(done.error()));
  return read_dim_text(sink.text, "t.dim", diagnostics);
}

// The operations that a .dim holds instead of these. Calls are left out: records have names of their own.
class AsInDim {
 public:
  explicit AsInDim(const Program& p) : builder_(p.ranks()) {
    for (std::size_t c = 1; c < p.communicators().size(); ++c)
      builder_.add_communicator(p.communicators()[c].members);
    for (std::size_t i = 0; i < p.strands().size(); ++i) {
      const auto& s = p.strands()[i];
      const bool sole = (i == 0 || p.strands()[i - 1].rank != s.rank) &&
                        (i + 1 == p.strands().size() || p.strands()[i + 1].rank != s.rank);
      builder_.begin_strand(s.rank, sole);
      slots_.clear();
      for (const auto& op : p.operations(s)) put(p, op);
    }
  }
  std::vector<std::string> lines() { return without_calls(builder_.build()); }

  static std::vector<std::string> without_calls(const Program& program) {
    auto lines = all_of(program);
    for (auto& line : lines) {
      const auto begin = line.find(" flags "), end = line.find(" amount ");
      const int flags = std::stoi(line.substr(begin + 7));
      line.replace(begin, end - begin, " flags " + std::to_string(flags & ~Operation::first_of_call));
    }
    return lines;
  }

 private:
  static Envelope envelope(const Program& p, const Operation& op) {
    if ((op.detail & kAnyChannel) == 0)
      return {op.peer, p.channels()[op.detail].tag, p.channels()[op.detail].communicator};
    const auto& w = p.wildcards()[op.detail & ~kAnyChannel];
    return {op.peer, w.tag, w.communicator};
  }

  void put(const Program& p, const Operation& op) {
    const Bytes size{static_cast<std::uint64_t>(op.amount)};
    const auto mode = (op.flags & Operation::synchronous) != 0 ? SendMode::synchronous : SendMode::standard;
    switch (op.kind) {
      case OpKind::compute:
        return builder_.compute(Duration::picoseconds(op.amount));
      case OpKind::noop:
      case OpKind::wait_send:  // the separator takes its place
        return builder_.noop();
      case OpKind::event:
        return builder_.event(op.detail, op.amount);
      case OpKind::send:
        return builder_.send(envelope(p, op), size, mode);
      case OpKind::isend:
        return builder_.isend_and_forget(envelope(p, op), size, mode);
      case OpKind::recv:
        return builder_.recv(envelope(p, op), size);
      case OpKind::irecv:
        slots_[op.request] = builder_.irecv(envelope(p, op), size);
        return;
      case OpKind::wait_recv:
      case OpKind::collective_wait:
        return builder_.wait(slots_.at(op.request));
      case OpKind::collective:
      case OpKind::collective_start: {
        auto args = p.collectives()[op.detail];
        if (args.kind == CollectiveKind::init) return builder_.compute(Duration());
        if (args.kind == CollectiveKind::finalize) return builder_.noop();
        args.kind = dim::written_as(args.kind);
        args.block_list = 0;
        if (op.kind == OpKind::collective) return builder_.collective(args);
        slots_[op.request] = builder_.collective_start(args);
        return;
      }
      case OpKind::probe:
      case OpKind::put:
      case OpKind::get:
      case OpKind::mark:
      case OpKind::local:
      case OpKind::repeat:
      case OpKind::start:
      case OpKind::again:
      case OpKind::part_send:
      case OpKind::part_receive:
        FAIL("a Dimemas trace cannot hold this");
    }
  }

  ProgramBuilder builder_;
  std::map<std::uint32_t, std::uint32_t> slots_;  // in the builder, by those of the Program
};

// Ranks that share nodes, a link and a bus: many messages wait for one another, and many things happen at
// once.
Platform crowded(std::uint32_t ranks) {
  auto p = textbook::machine((ranks + 1) / 2, 2);
  p.machines[0].nodes[0].links = {Links::Kind::full_duplex, 1, 1};
  textbook::network_of(p).buses = 1;
  return p;
}

Result replayed(const Program& program, const Platform& platform) {
  auto result = textbook::simulated(program, platform, "dimemas");
  REQUIRE_MESSAGE(result.has_value(), to_string(result.error()));
  return std::move(*result);
}

}  // namespace

TEST_CASE("the golden traces keep a Program's rules and come back from a Program file") {
  std::size_t read = 0;
  const auto check = [&](const fs::path& path, const Expected<Program>& program) {
    if (!program) return;
    CAPTURE(path);
    ++read;
    check_program_file(*program);
  };
  Diagnostics diagnostics;
  for (const auto& path : dim_traces()) check(path, read_dim(path.string(), diagnostics));
  for (const auto& path : dumpi_traces()) check(path, read_dumpi(path.string(), {}, diagnostics));
  CHECK(read > 250);
}

TEST_CASE("a golden Dimemas trace that is written again is read as the same operations") {
  Diagnostics diagnostics;
  std::size_t compared = 0;
  for (const auto& path : dim_traces()) {
    const auto program = read_dim(path.string(), diagnostics);
    if (!program) continue;
    CAPTURE(path);
    const auto again = through_dim(*program);
    REQUIRE_MESSAGE(again.has_value(), to_string(again.error()));
    CHECK(AsInDim::without_calls(*again) == AsInDim::without_calls(*program));
    ++compared;
  }
  CHECK(compared > 230);
}

TEST_CASE("a golden DUMPI trace as a Dimemas trace has the same operations and run time, or is refused") {
  // Each of these holds calls that no record stands for.
  const std::vector<std::string> refused{"anywait", "persist", "pingpong", "rma"};
  Diagnostics diagnostics;
  std::size_t compared = 0;
  for (const auto& path : dumpi_traces()) {
    const auto program = read_dumpi(path.string(), {}, diagnostics);
    if (!program) continue;
    CAPTURE(path);
    const auto again = through_dim(*program);
    const bool expected =
        std::find(refused.begin(), refused.end(), path.parent_path().filename()) == refused.end();
    REQUIRE_MESSAGE(again.has_value() == expected, (again ? "" : to_string(again.error())));
    if (!again) continue;
    CHECK(AsInDim::without_calls(*again) == AsInDim(*program).lines());
    const auto platform = crowded(program->ranks());
    CHECK(replayed(*again, platform).run_time == replayed(*program, platform).run_time);
    ++compared;
  }
  CHECK(compared > 20);
}

TEST_CASE("random programs come back from a Program file, with the same prediction") {
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const auto program =
        random_program({.seed = seed, .ranks = 2 + seed % 7, .steps = 60, .to_oneself = true});
    const auto broken = first_broken_rule(program.tables());
    REQUIRE_MESSAGE(!broken.has_value(), broken->message);
    check_program_file(program);
  }
}

TEST_CASE("random programs as Dimemas traces have the same operations and run time, or are refused") {
  std::size_t compared = 0, refused = 0;
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    const bool plain = seed % 2 == 0;  // nothing that no record could hold
    const auto program = random_program({.seed = seed,
                                         .ranks = 2 + seed % 7,
                                         .steps = plain ? 100U : 20U,
                                         .rendezvous = !plain,
                                         .collectives = !plain});
    const auto again = through_dim(program);
    if (!again) {
      CHECK(!plain);
      CHECK(again.error().kind == Error::Kind::bad_option);
      ++refused;
      continue;
    }
    CHECK(AsInDim::without_calls(*again) == AsInDim(program).lines());
    const auto platform = crowded(program.ranks());
    CHECK(replayed(*again, platform).run_time == replayed(program, platform).run_time);
    ++compared;
  }
  CHECK(compared > 50);
  CHECK(refused > 10);
}

TEST_CASE("no Program file whose checksums fit crashes the simulation, whatever its bytes") {
  const auto program = random_program({.seed = 5, .ranks = 4, .steps = 40, .to_oneself = true});
  TextSink sink;
  REQUIRE(write_program(program, {}, sink).has_value());
  Random random(1);
  std::size_t simulated = 0;
  for (int i = 0; i < 3000; ++i) {
    auto bytes = std::make_shared<std::string>(sink.text);
    for (auto n = 1 + random.below(3); n > 0; --n) {
      auto& byte = (*bytes)[random.below(static_cast<std::uint32_t>(bytes->size()))];
      byte = static_cast<char>(random.one_in(2) ? random.next()
                                                : static_cast<unsigned char>(byte) ^ 1U << random.below(8));
    }
    program_file::seal(*bytes);
    const auto file = read_program(*bytes, bytes, "x.program");
    if (!file) continue;
    ++simulated;
    CHECK(!first_broken_rule(file->program.tables()).has_value());
    for (const auto* model : {"dimemas", "ideal"})
      CHECK(textbook::simulated(file->program, crowded(file->program.ranks()), model).has_value());
  }
  CHECK(simulated > 100);
}
