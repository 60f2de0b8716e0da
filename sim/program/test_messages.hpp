// A Program of a few messages, for tests of how they share a network.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/program/program_builder.hpp"

namespace busline {

struct TestMessage {
  std::uint32_t from, to;
  std::uint64_t bytes = 1000;
};

/// Sends all at once; the receivers wait for theirs in this order.
inline Program test_messages(std::uint32_t ranks, const std::vector<TestMessage>& messages) {
  ProgramBuilder b(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    b.begin_strand(r);
    for (const auto& m : messages)
      if (m.from == r) b.isend_and_forget({.peer = m.to}, Bytes{m.bytes});
    for (const auto& m : messages)
      if (m.to == r) b.recv({.peer = m.from}, Bytes{m.bytes});
  }
  return b.build();
}

}  // namespace busline
