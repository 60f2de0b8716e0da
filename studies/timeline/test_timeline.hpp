// For tests: a run that is made up, and what is written of it.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "studies/timeline/format.hpp"
#include "studies/timeline/recorder.hpp"
#include "workloads/files/test_folder.hpp"

namespace busline::timeline {

/// What a command prints; empty if there is no such program.
inline std::string output_of(std::string command) {
  std::string text;
  if (auto* const pipe = ::popen(command.append(" 2>&1").c_str(), "r"); pipe != nullptr) {
    std::array<char, 4096> buffer{};
    for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
      text.append(buffer.data(), n);
    ::pclose(pipe);
  }
  return text;
}

/// Four ranks on two nodes, two rounds. In each a rank computes for 10 us and 1 us more for each rank before
/// it, sends 4096 bytes to the next one (0.5 us of latency), receives from the one before, and meets all
/// others in an MPI_Allreduce that takes 4 us. Messages travel for 1 us from 0.25 us after their send on.
inline constexpr std::uint32_t kRanks = 4, kRounds = 2;

inline Timeline ring_timeline() {
  Timeline t;
  t.title = "ring \"on\" machine";
  t.nodes = {{0, 2}, {5, 2}};
  for (std::uint32_t r = 0; r < kRanks; ++r) t.tracks.push_back({r, 0, r / 2});
  t.calls = {"MPI_Send", "MPI_Recv", "MPI_Allreduce", "our\nown"};
  t.events = {{7, 1, "solve"}};
  t.communicators = {{{0, 1, 2, 3}}};
  CollectiveArgs args;
  args.kind = CollectiveKind::allreduce;
  args.send_bytes = args.recv_bytes = 8;
  t.collectives = {args};
  t.levels = {{"messages in transfer", kNone}};
  return t;
}

/// Gives the recorder that run, and returns its end, in ps.
inline std::int64_t record_ring(Recorder& r) {
  constexpr std::int64_t kMicrosecond = 1'000'000;
  std::array<std::int64_t, kRanks> now{};
  std::uint32_t message = 0;
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    std::array<std::int64_t, kRanks> sent{};
    for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
      auto& t = now[rank];
      r.event(rank, 7, 1, t);
      r.state(rank, State::compute, t);
      t += (10 + rank) * kMicrosecond;
      r.enter(rank, 0, t);
      r.state(rank, State::latency, t);
      t += kMicrosecond / 2;
      sent[rank] = t;
      Record s;
      s.track = rank;
      s.peer = (rank + 1) % kRanks;
      s.at = t;
      s.tag = 3;
      s.value = 4096;
      s.message = message + rank;
      r.send(s);
      r.leave(rank, t);
    }
    for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
      auto& t = now[rank];
      const auto from = (rank + kRanks - 1) % kRanks;
      r.enter(rank, 1, t);
      r.state(rank, State::in_receive, t);
      Record m;
      m.track = from;
      m.peer = rank;
      m.at = sent[from];
      m.physical_send = sent[from] + kMicrosecond / 4;
      m.physical_receive = m.physical_send + kMicrosecond;
      t = m.until = std::max(t, m.physical_receive);
      m.tag = 3;
      m.value = 4096;
      m.message = message + from;
      r.message(m);
      r.leave(rank, t);
    }
    message += kRanks;
    const auto all = *std::max_element(now.begin(), now.end());
    r.level(0, round, all);
    for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
      r.enter(rank, 2, now[rank]);
      r.begin_collective(rank, 0, now[rank]);
      r.state(rank, State::for_members, now[rank]);
      r.state(rank, State::collective, all);
      now[rank] = all + 4 * kMicrosecond;
      r.end_collective(rank, now[rank]);
      r.leave(rank, now[rank]);
      r.event(rank, 7, 0, now[rank]);
    }
  }
  return now[0];
}

/// Writes the ring as `path`; all records in memory if `room` is not less than them.
inline void write_ring(const std::string& path, Range range = {}, std::size_t room = RecordSorter::kRoom) {
  const auto format = format_of(path);
  REQUIRE_MESSAGE(format, to_string(format.error()));
  const auto timeline = ring_timeline();
  RecordSorter records((*format)->key, std::filesystem::path(path).parent_path().string(), room);
  Recorder recorder(timeline.tracks.size(), (*format)->wanted, (*format)->unit, range, records);
  recorder.finish(record_ring(recorder));
  const auto done = (*format)->write({timeline, records, recorder.begin(), recorder.end(), path, {}});
  REQUIRE_MESSAGE(done, to_string(done.error()));
  CHECK(*done);
}

}  // namespace busline::timeline
