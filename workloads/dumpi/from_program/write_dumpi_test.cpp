#include "workloads/dumpi/from_program/write_dumpi.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "sim/base/durations.hpp"
#include "sim/program/program_builder.hpp"
#include "workloads/dumpi/compile/read_dumpi.hpp"
#include "workloads/dumpi/format/test_trace.hpp"
#include "workloads/statistics/statistics.hpp"

namespace {

using namespace busline;

// A Program written as a trace and read again.
struct RoundTrip {
  dumpi::TestTrace folder{0};
  Diagnostics told;
  Expected<bool> written;
  Expected<Program> read;

  explicit RoundTrip(const Program& program)
      : written(write_dumpi(program, (folder.folder() / "t.meta").string(), told)),
        read(tl::unexpected(Error{})) {
    Diagnostics reading;
    if (written) read = read_dumpi((folder.folder() / "t.meta").string(), {}, reading);
  }
  std::string was_told(const std::string& code) const {
    for (const auto& d : told)
      if (d.code == code) return d.message;
    return "";
  }
};

// Each rank does the same.
Program same_on_all(std::uint32_t ranks, const std::function<void(ProgramBuilder&, std::uint32_t)>& fill) {
  ProgramBuilder b(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    b.begin_strand(r);
    fill(b, r);
  }
  return b.build();
}

std::string refusal_of(const std::function<void(ProgramBuilder&, std::uint32_t)>& fill) {
  const RoundTrip trip(same_on_all(2, fill));
  return trip.written ? "written" : trip.written.error().message;
}

}  // namespace

TEST_CASE("a Program that is written as DUMPI is the same when it is read") {
  const auto program = same_on_all(3, [](ProgramBuilder& b, std::uint32_t r) {
    const auto next = (r + 1) % 3, last = (r + 2) % 3;
    b.compute(ps(5'000'000));
    const auto in = b.irecv({.peer = last, .tag = 7}, Bytes{100});
    const auto out = b.isend({.peer = next, .tag = 7}, Bytes{100}, SendMode::synchronous);
    b.wait(in);
    b.wait(out);
    b.compute(ps(2'000'000 * (r + 1)));
    b.collective({.kind = CollectiveKind::bcast, .is_root = r == 1, .send_bytes = 64, .recv_bytes = 64});
    b.collective({.kind = CollectiveKind::alltoall, .send_bytes = 8, .recv_bytes = 16});
    b.collective({.kind = CollectiveKind::gatherv, .is_root = r == 2, .send_bytes = 5, .recv_bytes = 5});
    b.collective({.kind = CollectiveKind::reduce_scatter, .send_bytes = 300, .recv_bytes = 100});
    if (r == 0) b.recv({.peer = kAnySource, .tag = kAnyTag}, Bytes{9});
    if (r == 2) b.send({.peer = 0, .tag = 1}, Bytes{9}, SendMode::buffered);
  });
  const RoundTrip trip(program);
  REQUIRE(trip.written.has_value());
  REQUIRE(trip.read.has_value());
  CHECK(trip.told.empty());
  const auto before = statistics_of(program), after = statistics_of(*trip.read);
  CHECK(after.messages == before.messages);
  CHECK(after.bytes == before.bytes);
  CHECK(after.open_receives == before.open_receives);
  for (std::size_t r = 0; r < 3; ++r) CHECK(after.per_rank[r].compute == before.per_rank[r].compute);
  // All but MPI_Init and MPI_Finalize.
  for (const auto& c : before.collectives) {
    bool found = false;
    for (const auto& d : after.collectives)
      found = found || (d.kind == c.kind && d.count == c.count && d.least_bytes == c.least_bytes &&
                        d.most_bytes == c.most_bytes);
    CHECK_MESSAGE(found, name_of(c.kind));
  }
}

TEST_CASE("non-blocking collectives are written in annotations and read again") {
  using enum CollectiveKind;
  const auto program = same_on_all(3, [](ProgramBuilder& b, std::uint32_t r) {
    const auto start = [&](CollectiveArgs args) {
      args.sync = CollectiveArgs::Sync::nonblocking;
      return b.collective_start(args);
    };
    const std::vector<std::uint64_t> own{r, 7, 30 - r};
    const auto first = start({.kind = bcast, .is_root = r == 1, .send_bytes = 64, .recv_bytes = 64});
    const auto second =
        start({.kind = alltoallv, .block_list = b.block_list(own), .send_bytes = 12, .recv_bytes = 12});
    const auto third = start({.kind = gather, .is_root = r == 1, .send_bytes = 5, .recv_bytes = 5});
    b.compute(ps(5'000'000));
    for (const auto slot : {second, first, third}) b.wait(slot);
    b.collective({.kind = barrier});
  });
  const RoundTrip trip(program);
  REQUIRE(trip.written.has_value());
  REQUIRE(trip.read.has_value());
  CHECK(trip.told.empty());
  for (std::size_t r = 0; r < 3; ++r) {
    const auto before = program.operations(program.strands()[r]);
    auto after = trip.read->operations(trip.read->strands()[r]);
    after = after.subspan(1, after.size() - 2);  // without MPI_Init and MPI_Finalize
    REQUIRE(after.size() == before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      CHECK(after[i].kind == before[i].kind);
      CHECK(after[i].request == before[i].request);
      if (before[i].kind == OpKind::compute) continue;
      const auto& a = trip.read->collectives()[after[i].detail];
      const auto& b = program.collectives()[before[i].detail];
      CHECK(std::tie(a.kind, a.is_root, a.send_bytes, a.recv_bytes) ==
            std::tie(b.kind, b.is_root, b.send_bytes, b.recv_bytes));
      CHECK((a.block_list != 0) == (b.block_list != 0));
    }
  }
}

TEST_CASE("each peer's size in a Program that is written as DUMPI is the same when it is read") {
  const std::vector<std::uint64_t> of_all{10, 0, 50};
  const auto program = same_on_all(3, [&](ProgramBuilder& b, std::uint32_t r) {
    const std::vector<std::uint64_t> own{r, 7, 30 - r};  // means of (37 + 1) / 3 = 12
    const auto list = b.block_list(of_all);
    const bool root = r == 1;
    for (const auto kind : {CollectiveKind::alltoallv, CollectiveKind::alltoallw})
      b.collective({.kind = kind, .block_list = b.block_list(own), .send_bytes = 12, .recv_bytes = 12});
    b.collective(
        {.kind = CollectiveKind::allgatherv, .block_list = list, .send_bytes = 20, .recv_bytes = 20});
    b.collective(
        {.kind = CollectiveKind::reduce_scatter, .block_list = list, .send_bytes = 60, .recv_bytes = 20});
    for (const auto kind : {CollectiveKind::gatherv, CollectiveKind::scatterv})
      b.collective({.kind = kind,
                    .is_root = root,
                    .block_list = root ? list : 0,
                    .send_bytes = root ? 20 : of_all[r],
                    .recv_bytes = root ? 20 : of_all[r]});
  });
  const RoundTrip trip(program);
  REQUIRE(trip.written.has_value());
  REQUIRE(trip.read.has_value());
  CHECK(trip.told.empty());
  const auto calls = [](const Program& p) {
    std::vector<std::tuple<CollectiveKind, bool, std::uint64_t, std::uint64_t, std::vector<std::uint64_t>>>
        all;
    for (const auto& op : p.operations()) {
      if (op.kind != OpKind::collective) continue;
      const auto& a = p.collectives()[op.detail];
      if (a.kind == CollectiveKind::init || a.kind == CollectiveKind::finalize) continue;
      std::vector<std::uint64_t> blocks;
      if (a.block_list != 0) {
        const auto list = p.block_lists().list(a.block_list);
        blocks.assign(list.begin(), list.end());
      }
      all.emplace_back(a.kind, a.is_root, a.send_bytes, a.recv_bytes, blocks);
    }
    return all;
  };
  CHECK(calls(program).size() == 18);
  CHECK(calls(*trip.read) == calls(program));
}

TEST_CASE("computations of parts of a nanosecond do not add up to an error") {
  const RoundTrip trip(same_on_all(1, [](ProgramBuilder& b, std::uint32_t) {
    for (int i = 0; i < 1000; ++i) {
      b.compute(ps(1400));
      b.collective({.kind = CollectiveKind::barrier});
    }
  }));
  REQUIRE(trip.read.has_value());
  CHECK(statistics_of(*trip.read).per_rank[0].compute == ps(1'400'000));
}

TEST_CASE("communicators are made after MPI_Init, with a note") {
  ProgramBuilder b(4);
  const auto c = b.add_communicator({3, 1});
  for (std::uint32_t r = 0; r < 4; ++r) {
    b.begin_strand(r);
    if (r % 2 == 0) continue;
    b.collective({.kind = CollectiveKind::allreduce, .communicator = c, .send_bytes = 8, .recv_bytes = 8});
    if (r == 1) b.send({.peer = 3, .tag = 5, .communicator = c}, Bytes{77});
    if (r == 3) b.recv({.peer = 1, .tag = 5, .communicator = c}, Bytes{77});
  }
  const RoundTrip trip(b.build());
  REQUIRE(trip.read.has_value());
  CHECK(trip.was_told("made-communicators") ==
        "1 communicators are made after MPI_Init, at the cost of an MPI_Comm_split each");
  const auto s = statistics_of(*trip.read);
  REQUIRE(s.pairs.size() == 1);
  CHECK(s.pairs[0].source == 1);
  CHECK(s.pairs[0].destination == 3);
}

TEST_CASE("a request without a wait stays without one") {
  const RoundTrip trip(same_on_all(2, [](ProgramBuilder& b, std::uint32_t r) {
    b.isend_and_forget({.peer = 1 - r, .tag = 1}, Bytes{10});
    b.recv({.peer = 1 - r, .tag = 1}, Bytes{10});
  }));
  REQUIRE(trip.read.has_value());
  for (const auto& op : trip.read->operations())
    if (op.kind == OpKind::isend) CHECK(op.request == kNoRequest);
}

TEST_CASE("operations that a DUMPI trace cannot hold are refused by rank and call") {
  CHECK(refusal_of([](ProgramBuilder& b, std::uint32_t r) { b.wait(b.put({.peer = 1 - r}, Bytes{8})); }) ==
        "one-sided transfers are not written as DUMPI");
  CHECK(refusal_of([](ProgramBuilder& b, std::uint32_t r) {
          b.isend_and_forget({.peer = 1 - r, .tag = 0}, Bytes{1ULL << 31});
        }) == "a message of 2 GiB or more has no count in DUMPI");
  CHECK(refusal_of([](ProgramBuilder& b, std::uint32_t r) {
          b.recv({.peer = 1 - r, .tag = 0}, Bytes{1ULL << 31});
        }) == "a message of 2 GiB or more has no count in DUMPI");
  CHECK(refusal_of([](ProgramBuilder& b, std::uint32_t) { b.compute(Duration::seconds(40'000)); }) ==
        "computes longer than the clock of a DUMPI trace can count (9 hours)");
  CHECK(refusal_of([](ProgramBuilder& b, std::uint32_t) { b.mark(1); }) ==
        "DUMPI has no record for a benchmark's measuring operations");
  CHECK(refusal_of([](ProgramBuilder& b, std::uint32_t) {
          b.recv({.peer = kAnySource, .tag = 1}, Bytes{0});
          b.send_to_last_source({.tag = 2}, Bytes{8});
        }) == "an answer to the rank that asked has no destination in DUMPI");
  ProgramBuilder threads(1);
  for (int strand = 0; strand < 2; ++strand) {
    threads.begin_strand(0, false);
    threads.compute(ps(1));
  }
  CHECK(RoundTrip(threads.build()).written.error().message ==
        "belongs to a second thread, and threads are not written");
}

TEST_CASE("differences between a DUMPI trace and its Program give warnings") {
  const RoundTrip trip(same_on_all(2, [](ProgramBuilder& b, std::uint32_t) {
    b.collective({.kind = CollectiveKind::comm_dup});
    b.collective({.kind = CollectiveKind::bcast, .is_root = true, .send_bytes = 8, .recv_bytes = 9});
    b.event(7, 1);
  }));
  CHECK(trip.was_told("replaced-collectives") == "2 collectives without data are written as MPI_Barrier");
  CHECK(trip.was_told("one-size") ==
        "2 collectives sent and received different sizes; the trace holds the larger");
  CHECK(trip.was_told("left-out-events") == "2 user events are left out");
}

TEST_CASE("a refused Program leaves no file") {
  const dumpi::TestTrace folder(0);
  ProgramBuilder b(1);
  b.begin_strand(0);
  b.compute(Duration::seconds(40'000));
  Diagnostics told;
  CHECK(!write_dumpi(b.build(), (folder.folder() / "t.meta").string(), told));
  CHECK(std::filesystem::is_empty(folder.folder()));
}
