// Reads small traces for tests, and describes the resulting operations in words.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "workloads/dumpi/compile/read_dumpi.hpp"
#include "workloads/dumpi/format/test_trace.hpp"

namespace busline::dumpi {

constexpr std::int64_t kAny = -1, kUndefined = -32766;

struct Reading {
  Expected<Program> program;
  Diagnostics diagnostics;
};

inline Reading read(const TestTrace& trace, const DumpiOptions& options = {}) {
  Diagnostics diagnostics;
  auto program = read_dumpi(trace.write(), options, diagnostics);
  return {std::move(program), std::move(diagnostics)};
}

inline Program read_well(const TestTrace& trace, const DumpiOptions& options = {}) {
  auto reading = read(trace, options);
  REQUIRE_MESSAGE(reading.program.has_value(), to_string(reading.program.error()));
  return std::move(*reading.program);
}

inline bool told(const Reading& reading, const std::string& code) {
  return std::any_of(reading.diagnostics.begin(), reading.diagnostics.end(),
                     [&](const Diagnostic& d) { return d.code == code; });
}

/// The warning or note of this kind.
inline std::string remark(const Reading& reading, const std::string& code) {
  for (const auto& d : reading.diagnostics)
    if (d.code == code) return d.message;
  return "none";
}

/// A rank's operations, one word each: "compute 5000", "send 1:7 40" (peer:tag bytes), "wait_recv", ...
inline std::vector<std::string> words(const Program& p, std::uint32_t strand) {
  std::vector<std::string> all;
  for (const auto& op : p.operations(p.strands()[strand])) {
    const auto message = [&](std::string word) {
      const bool open = (op.detail & kAnyChannel) != 0;
      const auto tag = open ? p.wildcards()[op.detail & ~kAnyChannel].tag : p.channels()[op.detail].tag;
      word += ' ';
      word += op.peer == kAnySource ? "any" : std::to_string(op.peer);
      word += ':';
      word += tag == kAnyTag ? "any" : std::to_string(tag);
      if (op.kind != OpKind::probe) word += " " + std::to_string(op.amount);
      return word;
    };
    switch (op.kind) {
      case OpKind::compute:
        all.push_back(((op.flags & Operation::elapsed) != 0 ? "elapse " : "compute ") +
                      std::to_string(op.amount));
        break;
      case OpKind::noop:
        all.emplace_back("noop");
        break;
      case OpKind::event:
        all.push_back("event " + std::to_string(op.detail) + "=" + std::to_string(op.amount));
        break;
      case OpKind::send:
        all.push_back(message("send"));
        break;
      case OpKind::isend:
        all.push_back(message("isend"));
        break;
      case OpKind::recv:
        all.push_back(message("recv"));
        break;
      case OpKind::irecv:
        all.push_back(message("irecv"));
        break;
      case OpKind::wait_send:
        all.emplace_back("wait_send");
        break;
      case OpKind::wait_recv:
        all.push_back(message("wait_recv"));
        break;
      case OpKind::probe:
        all.push_back(message("probe"));
        break;
      case OpKind::put:
        all.push_back(message("put"));
        break;
      case OpKind::get:
        all.push_back(message("get"));
        break;
      default: {
        const auto& c = p.collectives()[op.detail];
        all.push_back(std::string(name_of(c.kind)) + " " + std::to_string(c.send_bytes) + "/" +
                      std::to_string(c.recv_bytes) + (c.is_root ? " root" : ""));
        if (c.block_list != 0)
          for (const auto b : p.block_lists().list(c.block_list)) all.back() += " " + std::to_string(b);
      }
    }
  }
  return all;
}

/// The operations between MPI_Init and MPI_Finalize.
inline std::vector<std::string> inside(const Program& p, std::uint32_t strand = 0) {
  auto all = words(p, strand);
  REQUIRE(all.size() >= 2);
  CHECK(all.front() == "MPI_Init 0/0");
  CHECK(all.back() == "MPI_Finalize 0/0");
  return {all.begin() + 1, all.end() - 1};
}

using Words = std::vector<std::string>;

}  // namespace busline::dumpi
