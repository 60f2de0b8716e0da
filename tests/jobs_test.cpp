// Several jobs on one machine: against each job alone, against Programs of both that are made by hand, and
// against a slow reference for jobs that meet on a bus.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/jobs/simulate_jobs.hpp"
#include "models/test_run.hpp"
#include "sim/base/random.hpp"
#include "sim/jobs/merge_jobs.hpp"
#include "sim/program/program_rules.hpp"
#include "tests/random_program.hpp"
#include "tests/result_text.hpp"
#include "validation/simulated/textbook.hpp"

using namespace busline;
using namespace busline::textbook;

namespace {

MergedJobs merged(const std::vector<Job>& jobs) {
  auto made = merge_jobs(jobs);
  if (!made) FAIL(to_string(made.error()));
  const auto broken = first_broken_rule(made->program.tables());
  if (broken) FAIL(broken->table << " " << broken->entry << ": " << broken->message);
  return *std::move(made);
}

Program job_program(std::uint64_t seed, std::uint32_t ranks) {
  RandomProgram recipe;
  recipe.seed = seed;
  recipe.ranks = ranks;
  recipe.steps = 60;
  return random_program(recipe);
}

/// A part of a result: the ranks from `first` on, as if they had begun at `start`.
std::string ranks_text(const Result& all, std::uint32_t first, std::uint32_t ranks, Duration start = {}) {
  Result part;
  for (std::uint32_t r = 0; r < ranks; ++r) {
    part.ranks.push_back(all.ranks[first + r]);
    part.ranks.back().node = 0;
    part.ranks.back().end = Time::at(part.ranks.back().end.since_start() - start);
  }
  return all_of(part, false);
}

// Both jobs again, operation by operation.
class ByHand {
 public:
  ByHand(const Program& a, const Program& b) : builder_(a.ranks() + b.ranks()) {
    add(a, 0);
    add(b, a.ranks());
  }
  Program finish() { return builder_.build(); }

 private:
  void add(const Program& p, std::uint32_t base) {
    std::vector<std::uint32_t> communicators;
    for (const auto& c : p.communicators()) {
      auto members = c.members;
      for (auto& m : members) m += base;
      communicators.push_back(builder_.add_communicator(members));
    }
    for (const auto& s : p.strands()) {
      builder_.begin_strand(s.rank + base);
      slots_.clear();
      for (const auto& op : p.operations(s)) put(p, op, base, communicators);
    }
  }
  void put(const Program& p, const Operation& op, std::uint32_t base,
           const std::vector<std::uint32_t>& communicators) {
    const Bytes size{static_cast<std::uint64_t>(op.amount)};
    const auto mode = (op.flags & Operation::synchronous) != 0 ? SendMode::synchronous
                      : (op.flags & Operation::buffered) != 0  ? SendMode::buffered
                                                               : SendMode::standard;
    const auto envelope = [&] {
      const auto& c = p.channels()[op.detail];
      return Envelope{op.peer + base, c.tag, communicators[c.communicator]};
    };
    const auto args = [&] {
      auto a = p.collectives()[op.detail];
      a.communicator = communicators[a.communicator];
      if (a.sync == CollectiveArgs::Sync::root_synchronised) a.root += base;
      if (a.block_list != 0) a.block_list = builder_.block_list(p.block_lists().list(a.block_list));
      return a;
    };
    switch (op.kind) {
      case OpKind::compute:
        return builder_.compute(Duration::picoseconds(op.amount));
      case OpKind::noop:
        return builder_.noop();
      case OpKind::send:
        return builder_.send(envelope(), size, mode);
      case OpKind::isend:
        if (op.request == kNoRequest) return builder_.isend_and_forget(envelope(), size, mode);
        slots_[op.request] = builder_.isend(envelope(), size, mode);
        return;
      case OpKind::recv:
        return builder_.recv(envelope(), size);
      case OpKind::irecv:
        slots_[op.request] = builder_.irecv(envelope(), size);
        return;
      case OpKind::wait_send:
      case OpKind::wait_recv:
      case OpKind::collective_wait:
        return builder_.wait(slots_.at(op.request));
      case OpKind::collective:
        return builder_.collective(args());
      case OpKind::collective_start:
        slots_[op.request] = builder_.collective_start(args());
        return;
      default:
        FAIL("a random program has no " << static_cast<int>(op.kind));
    }
  }

  ProgramBuilder builder_;
  std::map<std::uint32_t, std::uint32_t> slots_;
};

Platform one_bus(std::uint32_t nodes) {
  auto p = machine(nodes);
  nodes_of(p).links = full_duplex(1);
  network_of(p).buses = 1;
  return p;
}

/// Rank 0 computes, sends and waits for the answer of rank 1, again and again.
Program ping_pong(std::uint32_t times, Duration burst, std::uint64_t bytes) {
  ProgramBuilder b(2);
  b.begin_strand(0);
  for (std::uint32_t i = 0; i < times; ++i) {
    b.compute(burst);
    b.send({.peer = 1}, Bytes{bytes});
    b.recv({.peer = 1}, Bytes{bytes});
  }
  b.begin_strand(1);
  for (std::uint32_t i = 0; i < times; ++i) {
    b.recv({.peer = 0}, Bytes{bytes});
    b.send({.peer = 0}, Bytes{bytes});
  }
  return b.build();
}

/// A rank that only computes, and one that only exists.
Program bursts_of_one(std::uint32_t bursts, Duration burst) {
  ProgramBuilder b(2);
  b.begin_strand(0);
  for (std::uint32_t i = 0; i < bursts; ++i) {
    b.compute(burst);
    b.wait(b.put({.peer = 1}, Bytes{1000}));
  }
  return b.build();
}

std::vector<std::uint32_t> nodes_from(std::uint32_t first, std::uint32_t count) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < count; ++i) all.push_back(first + i);
  return all;
}

JobsRun run_jobs(const std::vector<PlacedJob>& jobs, const Platform& p,
                 const std::string& model = "dimemas") {
  std::vector<Job> plain;
  for (const auto& j : jobs) plain.push_back(j.job);
  const auto all = merged(plain);
  const auto placed = place_jobs(p, jobs);
  if (!placed) FAIL(to_string(placed.error()));
  SimulateOptions options;
  options.model = model;
  auto run = simulate_jobs(all, jobs, p, *placed, options);
  if (!run) FAIL(to_string(run.error()));
  return *std::move(run);
}

Duration waited(const JobResult& job, MeetingPlace place, std::size_t by) {
  for (const auto& w : job.waits)
    if (w.place == place) return w.by_job[by];
  return {};
}

}  // namespace

TEST_CASE("two copies of a job on disjoint nodes of a crossbar are each as alone, to the picosecond") {
  for (const char* model : {"dimemas", "flow", "ideal"})
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      CAPTURE(model);
      CAPTURE(seed);
      const auto program = job_program(seed, 4);
      auto p = machine(8);
      nodes_of(p).links = full_duplex(1);
      if (std::string(model) == "flow") network_of(p).topology.emplace().family = StarNetwork{8};
      const auto alone = complete_run(program, p, model);
      const auto both = complete_run(merged({{"a", program}, {"b", program}}).program, p, model);
      CHECK(ranks_text(both, 0, 4) == ranks_text(alone, 0, 4));
      CHECK(ranks_text(both, 4, 4) == ranks_text(alone, 0, 4));
    }
}

TEST_CASE("two jobs on one bus are the program of both that is made by hand") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    const auto a = job_program(seed, 2 + seed % 4), b = job_program(1000 + seed, 3);
    auto p = one_bus(4);
    nodes_of(p).cpus = 2;
    p.mapping.kind = Mapping::Kind::round_robin;
    CHECK(all_of(complete_run(merged({{"a", a}, {"b", b}}).program, p)) ==
          all_of(complete_run(ByHand(a, b).finish(), p)));
  }
}

TEST_CASE("a job that starts later runs as one that starts at once") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    for (const char* model : {"dimemas", "ideal"}) {
      CAPTURE(seed);
      const auto program = job_program(seed, 3);
      const auto p = one_bus(3);
      const auto alone = complete_run(program, p, model);
      const auto later = complete_run(merged({{"a", program, ms(7)}}).program, p, model);
      CHECK(ranks_text(later, 0, 3, ms(7)) == ranks_text(alone, 0, 3));
      CHECK(later.ranks[0].start.since_start() == ms(7));
      CHECK(later.run_time - alone.run_time == ms(7));
    }
}

TEST_CASE("a background without load changes nothing") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const auto program = job_program(seed, 4);
    const auto p = one_bus(6);
    const auto both =
        complete_run(merged({{"a", program}, {"none", ProgramBuilder(2).build(), {}, true}}).program, p);
    CHECK(ranks_text(both, 0, 4) == ranks_text(complete_run(program, p), 0, 4));
  }
}

TEST_CASE("a background job goes on until the others have ended, as a long one does") {
  for (const char* model : {"dimemas", "flow"}) {
    CAPTURE(model);
    const auto front = ping_pong(50, us(100), 20'000);
    const auto p = one_bus(4);
    const auto repeated =
        complete_run(merged({{"a", front}, {"b", bursts_of_one(3, us(70)), us(10), true}}).program, p, model);
    const auto once =
        complete_run(merged({{"a", front}, {"b", bursts_of_one(3000, us(70)), us(10)}}).program, p, model);
    CHECK(ranks_text(repeated, 0, 2) == ranks_text(once, 0, 2));
    CHECK(repeated.run_time == repeated.ranks[0].end);
    CHECK(repeated.ranks[2].repetitions > 30);
    CHECK(repeated.ranks[2].messages_sent >= 3 * repeated.ranks[2].repetitions);
    CHECK(repeated.ranks[2].repeated_until <= repeated.run_time);
  }
}

TEST_CASE("a repeated job with algorithms and requests completes each time") {
  auto p = one_bus(8);
  p.mpi.collectives.by_kind[static_cast<std::size_t>(CollectiveKind::allreduce)] = {
      {Bytes{}, {}, Algorithm::recursive_doubling}};
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const auto front = ping_pong(400, us(50), 1000), back = job_program(seed, 4);
    const auto alone = complete_run(back, p);
    const auto run =
        run_jobs({{{"a", front}, nodes_from(0, 2)}, {{"b", back, {}, true}, nodes_from(4, 4)}}, p);
    CHECK(run.result.status == Result::Status::complete);
    CHECK(run.jobs[1].repetitions > 0);
    CHECK(run.jobs[1].alone == alone.run_time.since_start());
    CHECK(run.jobs[1].repetitions * back.operations().size() <= run.result.operations);
  }
}

TEST_CASE("a background that takes no time does not repeat for ever") {
  ProgramBuilder b(1);
  b.begin_strand(0);
  b.noop();
  const auto run = complete_run(
      merged({{"a", ping_pong(3, us(1), 10)}, {"b", b.build(), us(1), true}}).program, machine(3));
  CHECK(run.ranks[2].repetitions == 2);
}

TEST_CASE("a job that cannot continue is reported although a background goes on") {
  ProgramBuilder stuck(2);
  stuck.begin_strand(0);
  stuck.compute(ms(1));
  stuck.recv({.peer = 1}, Bytes{8});
  const auto p = one_bus(4);
  const auto program = merged({{"a", stuck.build()}, {"b", ping_pong(2, us(10), 1000), {}, true}}).program;
  const auto placed = place_ranks(p, 4);
  for (const char* model : {"dimemas", "flow", "ideal"}) {
    SimulateOptions options;
    options.model = model;
    const auto run = simulate(program, p, *placed, options);
    REQUIRE(run);
    CHECK(run->status == Result::Status::deadlock);
    REQUIRE(run->blocked.size() == 1);
    CHECK(run->blocked[0].rank == 0);
  }
}

TEST_CASE("equal jobs that start at any time slow each other as a slow reference says") {
  // The reference: a bus that takes messages in the order in which they ask for it. A job asks again when its
  // message has arrived and, each second time, its burst is over.
  constexpr std::uint32_t kJobs = 6, kTimes = 20;
  // Equal but for a nanosecond, so that no two ask at the same time.
  const auto burst_of = [](std::uint32_t job) { return Duration::picoseconds(317'003'019 + job * 1'009); };
  const std::uint64_t bytes = 10'000;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<Job> jobs;
    std::vector<PlacedJob> placed;
    struct Asking {
      std::int64_t at = 0, end = 0;
      std::uint32_t sent = 0;
    };
    std::vector<Asking> asking;
    auto p = one_bus(2 * kJobs);
    network_of(p).latency = {};
    for (std::uint32_t j = 0; j < kJobs; ++j) {
      const auto start = Duration::picoseconds(random.below(2'000'000'000));
      placed.push_back(
          {{fmt::format("job{}", j), ping_pong(kTimes, burst_of(j), bytes), start}, nodes_from(2 * j, 2)});
      asking.push_back({(start + burst_of(j)).count()});
    }
    const auto length = network(bytes).count();
    std::int64_t free = 0;
    for (;;) {
      auto next = asking.end();
      for (auto a = asking.begin(); a != asking.end(); ++a)
        if (a->sent < 2 * kTimes && (next == asking.end() || a->at < next->at)) next = a;
      if (next == asking.end()) break;
      free = std::max(free, next->at) + length;
      next->end = free;
      const auto job = static_cast<std::uint32_t>(next - asking.begin());
      next->at = free + (++next->sent % 2 == 0 ? burst_of(job).count() : 0);
    }
    const auto run = run_jobs(placed, p);
    double mean = 0, expected = 0;
    for (std::uint32_t j = 0; j < kJobs; ++j) {
      const auto start = placed[j].job.start;
      CHECK(run.jobs[j].run_time == Duration::picoseconds(asking[j].end) - start);
      const auto alone = kTimes * (burst_of(j).count() + 2 * length);
      CHECK(run.jobs[j].alone == Duration::picoseconds(alone));
      mean += *run.jobs[j].slowdown();
      expected += static_cast<double>(asking[j].end - start.count()) / static_cast<double>(alone) - 1;
    }
    CHECK(mean == doctest::Approx(expected));
    CHECK(mean > 0);
  }
}

TEST_CASE("a wait is charged to the job that held what was waited for") {
  // Both ask for the bus at 0: a, the first, has it for 10 ms, and b waits for it.
  const auto once = [](std::uint64_t bytes) {
    ProgramBuilder b(2);
    b.begin_strand(0);
    b.send({.peer = 1}, Bytes{bytes});
    b.begin_strand(1);
    b.recv({.peer = 0}, Bytes{bytes});
    return b.build();
  };
  auto p = one_bus(4);
  network_of(p).latency = {};
  const std::vector<PlacedJob> jobs{{{"a", once(kMegabyte)}, {0, 1}}, {{"b", once(kMegabyte)}, {2, 3}}};
  auto run = run_jobs(jobs, p);
  CHECK(run.jobs[0].slowdown() == 0.0);
  CHECK(run.jobs[1].slowdown() == 1.0);
  CHECK(run.jobs[0].waits.empty());
  CHECK(waited(run.jobs[1], MeetingPlace::buses, 0) == network(kMegabyte));
  CHECK(waited(run.jobs[1], MeetingPlace::buses, 1) == Duration());
  // Where they share it, each is slowed by the other.
  network_of(p).sharing = Network::Sharing::fair;
  run = run_jobs(jobs, p);
  CHECK(waited(run.jobs[0], MeetingPlace::sharing, 1) == network(kMegabyte));
  CHECK(waited(run.jobs[1], MeetingPlace::sharing, 0) == network(kMegabyte));
}

TEST_CASE("all waits of messages are charged to somebody") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    auto p = one_bus(4);
    nodes_of(p).cpus = 2;
    nodes_of(p).links = seed % 2 == 0 ? Links{Links::Kind::half_duplex, 1, 1} : full_duplex(1);
    const auto run = run_jobs({{{"a", job_program(seed, 4)}, nodes_from(0, 4)},
                               {{"b", job_program(seed + 50, 4)}, nodes_from(0, 4)}},
                              p);
    std::vector<Duration> charged(2), waits(2);
    for (std::uint32_t j = 0; j < 2; ++j) {
      for (const auto& w : run.jobs[j].waits)
        if (w.place != MeetingPlace::cpus)
          for (const auto d : w.by_job) charged[j] += d;
      for (std::uint32_t r = 0; r < 4; ++r) {
        const auto& rank = run.result.ranks[run.jobs[j].first_rank + r];
        waits[j] += rank.link_wait + rank.bus_wait;
      }
      CHECK(charged[j] >= waits[j]);  // collectives wait for buses, too, and are no rank's messages
    }
  }
}

TEST_CASE("ranks of two jobs that share a CPU wait for each other") {
  auto p = machine(1, 2);
  const auto bursts = [](std::uint32_t ranks) {
    ProgramBuilder b(ranks);
    for (std::uint32_t r = 0; r < ranks; ++r) {
      b.begin_strand(r);
      b.compute(ms(3));
    }
    return b.build();
  };
  auto placed = place_jobs(p, std::vector<PlacedJob>{{{"a", bursts(2)}, {0}}, {{"b", bursts(1)}, {0}}});
  CHECK(
      to_string(placed.error()) ==
      "b: shares node 0 with a: 3 ranks for 2 CPUs\n  give the jobs different nodes, or the nodes more CPUs: "
      "--set /nodes/0/cpus=...");
  CHECK(place_jobs(p, std::vector<PlacedJob>{{{"a", bursts(1)}, {0}}, {{"b", bursts(1)}, {0}}}));
}

TEST_CASE("who slows whom is asked of each pair of jobs") {
  auto p = one_bus(6);
  network_of(p).latency = {};
  const std::vector<PlacedJob> jobs{{{"busy", ping_pong(20, us(1), 100'000)}, {0, 1}},
                                    {{"idle", ping_pong(20, us(1000), 1)}, {2, 3}},
                                    {{"other", ping_pong(20, us(1), 100'000)}, {4, 5}}};
  SimulateOptions options;
  const auto matrix = job_matrix(jobs, p, options, 2);
  REQUIRE(matrix);
  REQUIRE(*matrix);
  const auto& slower = (*matrix)->slowdown;
  CHECK_FALSE(slower[0][0]);
  CHECK(*slower[0][1] < 0.01);
  CHECK(*slower[0][2] > 0.9);
  CHECK(*slower[0][2] == doctest::Approx(*slower[2][0]).epsilon(0.05));
}

TEST_CASE("jobs that cannot be merged are refused by name") {
  const auto refused = [](const std::vector<Job>& jobs) {
    const auto made = merge_jobs(jobs);
    REQUIRE_FALSE(made);
    return to_string(made.error());
  };
  const auto some = ping_pong(1, us(1), 1);
  CHECK(refused({}) ==
        "every job is repeated, so the run has no end\n  leave out 'repeat' for the job whose time "
        "you want to know");
  CHECK(refused({{"a", some, {}, true}}).starts_with("a: every job is repeated"));
  CHECK(refused({{"a", some, Duration::picoseconds(-1)}}) ==
        "a: starts before 0\n  give a start of 0 s or later");
  ProgramBuilder open(2);
  open.begin_strand(0);
  open.irecv({.peer = 1}, Bytes{1});
  CHECK(refused({{"a", some}, {"b", open.build(), {}, true}}) ==
        "b: cannot be repeated: its rank 0 ends without the wait for one of its requests\n  leave out "
        "'repeat'");
  ProgramBuilder threads(1);
  threads.begin_strand(0, false);
  threads.begin_strand(0, false);
  CHECK(refused({{"a", some}, {"b", threads.build(), {}, true}})
            .starts_with("b: has ranks of several threads"));
  const auto both = merged({{"a", some, us(1)}, {"b", some}}).program;
  CHECK(refused({{"c", both, us(1)}}).starts_with("c: holds several jobs"));
  CHECK(complete_run(merged({{"c", both}, {"d", some}}).program, machine(6)).ranks[0].start ==
        Time::at(us(1)));
}
