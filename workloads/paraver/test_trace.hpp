// For tests: Paraver traces made by hand.
#pragma once
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "workloads/paraver/read_paraver.hpp"

namespace busline::paraver {

/// Two tasks on one node, times in ns up to 1000.
inline const std::string kTwoTasks =
    "#Paraver (01/02/2024 at 10:00):1000_ns:1(2):1:2(1:1,1:1),1\nc:1:1:2:1:2\n";

/// An event of MPI: the call `value` of type 5000000`type` begins, or with 0 ends.
inline std::string mpi(int task, int at, int type, int value) {
  const auto t = std::to_string(task);
  return "2:" + t + ":1:" + t + ":1:" + std::to_string(at) + ":5000000" + std::to_string(type) + ":" +
         std::to_string(value) + "\n";
}
inline std::string call(int task, int begin, int end, int type, int value) {
  return mpi(task, begin, type, value) + mpi(task, end, type, 0);
}
/// From `from` to the other task; times of the send, then of the receive.
inline std::string message(int from, int at, int posted, int complete, int bytes = 8, int tag = 3) {
  const auto s = std::to_string(from), r = std::to_string(3 - from), t = std::to_string(at);
  return "3:" + s + ":1:" + s + ":1:" + t + ":" + t + ":" + r + ":1:" + r + ":1:" + std::to_string(posted) +
         ":" + std::to_string(complete) + ":" + std::to_string(bytes) + ":" + std::to_string(tag) + "\n";
}

struct Read {
  Program program;
  Origin header;
  Diagnostics told;
  SalvageReport salvaged;

  /// Its operations in a few letters, with the computation in ns: "c10 MPI_Send: send c5"; a wait names the
  /// operation.
  std::string rank(std::uint32_t number) const {
    std::string text;
    for (const auto& s : program.strands()) {
      if (s.rank != number) continue;
      for (const auto& op : program.operations(s)) {
        const auto& name = program.call_names()[op.call];
        if (!text.empty()) text += ' ';
        if (op.kind == OpKind::compute) {
          text += "c" + std::to_string(op.amount / 1000);
          continue;
        }
        if ((op.flags & Operation::first_of_call) != 0) text += name + ":";
        text += letters(op);
      }
    }
    return text;
  }
  std::string codes() const {
    std::string text;
    for (const auto& d : told) text += (text.empty() ? "" : " ") + d.code;
    return text;
  }

 private:
  std::string letters(const Operation& op) const {
    const auto size = std::to_string(op.amount);
    switch (op.kind) {
      case OpKind::send:
        return "send" + size;
      case OpKind::isend:
        return "isend" + size;
      case OpKind::recv:
        return "recv" + size;
      case OpKind::irecv:
        return "irecv" + size;
      case OpKind::wait_send:
        return "ws";
      case OpKind::wait_recv:
        return "wr" + size;
      case OpKind::collective:
      case OpKind::collective_start: {
        const auto& c = program.collectives()[op.detail];
        return "coll" + std::to_string(c.communicator) + "/" + std::to_string(c.send_bytes) + "/" +
               std::to_string(c.recv_bytes) + (c.is_root ? "/root" : "");
      }
      case OpKind::collective_wait:
        return "wc";
      case OpKind::event:
        return "event" + std::to_string(op.detail) + "=" + size;
      default:
        return "noop";
    }
  }
};

inline Read read_all(const ParaverTexts& texts, const ParaverOptions& options = {}) {
  Read read;
  auto trace = read_paraver_texts(texts, "t.prv", options, read.told);
  if (!trace) FAIL(to_string(trace.error()));
  read.program = std::move(trace->program);
  read.header = std::move(trace->header);
  read.salvaged = std::move(trace->salvaged);
  return read;
}
inline Read read_prv(const std::string& text, const ParaverOptions& options = {}) {
  return read_all({text, {}, {}}, options);
}
inline std::string prv_error(const std::string& text, const ParaverOptions& options = {}) {
  Diagnostics told;
  const auto trace = read_paraver_texts({text, {}, {}}, "t.prv", options, told);
  return trace ? "no error" : to_string(trace.error());
}

}  // namespace busline::paraver
