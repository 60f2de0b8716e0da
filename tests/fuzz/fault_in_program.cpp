#include "tests/fuzz/fault_in_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "sim/program/program_rules.hpp"
#include "tests/fuzz/faults.hpp"
#include "tests/result_text.hpp"
#include "validation/simulated/textbook.hpp"
#include "workloads/dim/read_dim.hpp"
#include "workloads/dim/write_dim.hpp"
#include "workloads/files/text_sink.hpp"
#include "workloads/program/program_file.hpp"

namespace busline::fuzz {
namespace {

// More takes too long for an input of a fuzzer.
constexpr std::size_t kMostOperations = 2000;
constexpr std::uint32_t kMostRanks = 64;

std::string fault_in_program_file(const Program& program) {
  TextSink sink;
  if (const auto done = write_program(program, {}, sink); !done)
    return "it cannot be written: " + to_string(done.error());
  const auto bytes = std::make_shared<const std::string>(std::move(sink.text));
  const auto file = read_program(*bytes, bytes, kInput);
  if (!file) return "its file cannot be read: " + to_string(file.error());
  TextSink again;
  if (!write_program(file->program, {}, again) || again.text != *bytes)
    return "its file holds something else";
  return {};
}

Expected<std::string> dim_of(const Program& program) {
  TextSink sink;
  Diagnostics told;
  return write_dim(program, "t", sink, told).map([&](bool) { return std::move(sink.text); });
}

// What a trace cannot hold is left out or refused, so that only the second writing must be as the first.
std::string fault_in_dim(const Program& program) {
  const auto text = dim_of(program);
  if (!text) return fault_in_error(text.error(), {});
  Diagnostics told;
  const auto read = read_dim_text(*text, kInput, told);
  if (!read) return fmt::format("its Dimemas trace cannot be read: {}\n{}", to_string(read.error()), *text);
  const auto again = dim_of(*read);
  if (!again) return "its Dimemas trace cannot be written again: " + to_string(again.error());
  if (*again != *text) return fmt::format("a Dimemas trace\n{}\nand of that\n{}", *text, *again);
  return {};
}

std::string fault_in_result(const Result& result) {
  for (const auto& rank : result.ranks) {
    const auto& t = rank.times;
    if (t.compute + t.latency + t.wait + t.collective_wait + t.collective + t.cpu_wait !=
        rank.end - rank.start)
      return "the states of a rank are not its end: " + all_of(result);
  }
  return {};
}

// Two ranks on each node share a CPU, one link and a bus, so that they wait for everything.
Platform small_machine(std::uint32_t ranks) {
  using namespace textbook;
  auto p = machine((ranks + 1) / 2);
  nodes_of(p).links = full_duplex(1);
  network_of(p).buses = 1;
  p.mapping.kind = Mapping::Kind::round_robin;
  p.mpi.rendezvous_from = Bytes{1000};
  return p;
}

std::string fault_in_runs(const Program& program) {
  const auto p = small_machine(program.ranks());
  for (const char* model : {"dimemas", "ideal"}) {
    const auto result = textbook::simulated(program, p, model);
    if (!result) return "it cannot be simulated: " + to_string(result.error());
    // Sums are of whole runs: times of a rank that stopped are those up to its last event.
    const bool sole = program.strands().size() == program.ranks();
    if (result->status != Result::Status::complete || !sole) continue;
    if (auto fault = fault_in_result(*result); !fault.empty()) return fault;
  }
  return {};
}

}  // namespace

std::string fault_in_program(const Program& program) {
  if (const auto broken = first_broken_rule(program.tables()))
    return fmt::format("{} {}: {}", broken->table, broken->entry, broken->message);
  if (auto fault = fault_in_program_file(program); !fault.empty()) return fault;
  if (auto fault = fault_in_dim(program); !fault.empty()) return fault;
  const auto operations = program.operations();
  // A repetition may go on for as long as its number says.
  const bool repeats = std::any_of(operations.begin(), operations.end(), [](const Operation& op) {
    return op.kind == OpKind::repeat || op.kind == OpKind::again;
  });
  if (repeats || operations.size() > kMostOperations || program.ranks() > kMostRanks) return {};
  return fault_in_runs(program);
}

}  // namespace busline::fuzz
