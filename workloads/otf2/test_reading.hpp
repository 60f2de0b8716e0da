// For tests: archives read, and a rank's operations as text.
#pragma once
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/program/program_rules.hpp"
#include "workloads/otf2/read_otf2.hpp"
#include "workloads/otf2/test_archive.hpp"

namespace busline::otf2 {

struct ArchiveReading {
  Expected<Program> program;
  Diagnostics diagnostics;

  /// The warning or note of this kind.
  std::string remark(std::string_view code) const {
    for (const auto& d : diagnostics)
      if (d.code == code) return d.message;
    return "none";
  }
  std::string error() const { return program ? "none" : to_string(program.error()); }
};

inline ArchiveReading read_archive(const TestArchive& archive) {
  Diagnostics diagnostics;
  auto program = read_otf2(in_memory(archive.files()), diagnostics);
  if (program) {
    const auto broken = first_broken_rule(program->tables());
    CHECK_MESSAGE(!broken, broken->message);
  }
  return {std::move(program), std::move(diagnostics)};
}

/// "MPI_Send: send 1:7 40", that is peer 1, tag 7, 40 bytes; "compute 5000" in picoseconds.
inline std::string text_of(const Program& p, const Operation& op) {
  const auto& call = p.call_names()[op.call];
  const auto message = [&](std::string_view word) {
    return fmt::format("{}: {} {}:{} {}", call, word, op.peer, p.channels()[op.detail].tag, op.amount);
  };
  switch (op.kind) {
    case OpKind::compute:
      return fmt::format("compute {}", op.amount);
    case OpKind::event:
      return fmt::format("event {}", op.amount);
    case OpKind::send:
      return message((op.flags & Operation::synchronous) != 0 ? "ssend" : "send");
    case OpKind::isend:
      return message(op.request == kNoRequest ? "isend without wait" : "isend");
    case OpKind::recv:
      return message("recv");
    case OpKind::irecv:
      return message("irecv");
    case OpKind::put:
      return message("put");
    case OpKind::get:
      return message("get");
    case OpKind::wait_send:
      return fmt::format("{}: wait_send", call);
    case OpKind::wait_recv:
      return message("wait_recv");
    case OpKind::noop:
      return fmt::format("{}: noop", call);
    case OpKind::collective:
    case OpKind::collective_start:
    case OpKind::collective_wait: {
      const auto& c = p.collectives()[op.detail];
      return fmt::format("{}: {}/{}{} on {}", call, c.send_bytes, c.recv_bytes, c.is_root ? " root" : "",
                         c.communicator);
    }
    default:
      return "other";
  }
}

using Lines = std::vector<std::string>;

inline Lines lines_of(const Program& p, std::uint32_t rank) {
  Lines all;
  for (const auto& op : p.operations(p.strands()[rank])) all.push_back(text_of(p, op));
  return all;
}
inline Lines lines_of(const ArchiveReading& reading, std::uint32_t rank) {
  REQUIRE_MESSAGE(reading.program.has_value(), reading.error());
  return lines_of(*reading.program, rank);
}

}  // namespace busline::otf2
