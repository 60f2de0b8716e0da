#include "workloads/dim/write_dim.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "sim/base/durations.hpp"
#include "sim/program/program_builder.hpp"
#include "workloads/dim/read_dim.hpp"
#include "workloads/files/text_sink.hpp"

using namespace busline;

namespace {

struct Written {
  std::string text;
  Diagnostics diagnostics;
};

Written written_dim(const Program& p, const std::string& name = "t") {
  TextSink sink;
  Diagnostics diagnostics;
  const auto done = write_dim(p, name, sink, diagnostics);
  REQUIRE_MESSAGE(done.has_value(), to_string(done.error()));
  CHECK(*done);
  return {sink.text, diagnostics};
}

// The records between the definitions and the offset table.
std::string records(const Program& p) {
  const auto text = written_dim(p).text;
  const auto definitions = text.rfind("\nd:");
  const auto begin = text.find('\n', definitions + 1) + 1;
  return text.substr(begin, text.find("s:0:") - begin);
}

std::string dim_refusal(const Program& p) {
  TextSink sink;
  Diagnostics diagnostics;
  const auto done = write_dim(p, "t", sink, diagnostics);
  CHECK(!done.has_value());
  CHECK(sink.text.empty());
  if (done) return "";
  CHECK(done.error().kind == Error::Kind::bad_option);
  CHECK(done.error().hint == "a Program file can hold it: choose a name that ends in .program");
  return done.error().where + ": " + done.error().message;
}

std::vector<std::string> codes(const Diagnostics& diagnostics) {
  std::vector<std::string> all;
  for (const auto& d : diagnostics) all.push_back(d.code);
  return all;
}

Program of_one_rank(const std::function<void(ProgramBuilder&)>& operations) {
  ProgramBuilder b(2);
  b.begin_strand(0);
  operations(b);
  b.begin_strand(1);
  return b.build();
}

}  // namespace

TEST_CASE("a trace holds header, communicators, records by rank and where they begin") {
  ProgramBuilder b(2);
  b.add_communicator({1});
  b.begin_strand(0);
  b.compute(ps(1'000'000'000));
  b.begin_call(b.call_name("MPI_Send"));
  b.send({.peer = 1, .tag = 7}, Bytes{100'000});
  b.begin_strand(1);
  b.compute(ps(1));
  b.begin_call(b.call_name("MPI_Recv"));
  b.recv({.peer = 0, .tag = 7}, Bytes{100'000});
  const auto all = written_dim(b.build(), "ring");
  CHECK(all.text ==
        "#DIMEMAS:\"ring\":1,00000000000000000157:2(1,1),2\n"
        "d:1:1:2:0:1\n"
        "d:1:2:1:1\n"
        "1:0:0:0.001000000\n"
        "2:0:0:1:-1:100000:7:1:0\n"
        "1:1:0:0.000000000001\n"
        "3:1:0:0:-1:100000:7:1:0\n"
        "s:0:70\n"
        "s:1:112\n");
  CHECK(all.diagnostics.empty());
}

TEST_CASE("messages, events and separators have records, and waits for sends become separators") {
  CHECK(records(of_one_rank([](ProgramBuilder& b) {
          b.compute(ps(0));
          b.isend_and_forget({.peer = 1, .tag = 3}, Bytes{5});
          b.isend_and_forget({.peer = 1, .tag = 3}, Bytes{5}, SendMode::synchronous);
          b.send({.peer = 1, .tag = 3}, Bytes{5}, SendMode::synchronous);
          b.wait(b.isend({.peer = 1, .tag = 3}, Bytes{6}));
          b.wait(b.irecv({.peer = 1, .tag = 2}, Bytes{7}));
          b.wait(b.irecv({.peer = kAnySource, .tag = kAnyTag}, Bytes{8}));
          b.noop();
          b.event(40, -9);
        })) ==
        "1:0:0:0.000000000\n"
        "2:0:0:1:-1:5:3:1:2\n"
        "2:0:0:1:-1:5:3:1:3\n"
        "2:0:0:1:-1:5:3:1:1\n"
        "2:0:0:1:-1:6:3:1:2\n"
        "0:0:0\n"
        "3:0:0:1:-1:7:2:1:1\n"
        "3:0:0:1:-1:7:2:1:2\n"
        "3:0:0:-1:-1:8:-1:1:1\n"
        "3:0:0:-1:-1:8:-1:1:2\n"
        "0:0:0\n"
        "20:0:0:40:-9\n");
}

TEST_CASE("a Reduce names its root on all ranks, other operations mark it") {
  ProgramBuilder b(3);
  for (const std::uint32_t rank : {0U, 1U, 2U}) {
    b.begin_strand(rank);
    b.compute(ps(0));
    b.collective({.kind = CollectiveKind::bcast, .is_root = rank == 1, .send_bytes = 4, .recv_bytes = 5});
    b.collective({.kind = CollectiveKind::reduce, .is_root = rank == 2, .send_bytes = 8});
    b.wait(b.collective_start({.kind = CollectiveKind::reduce,
                               .sync = CollectiveArgs::Sync::nonblocking,
                               .is_root = rank == 1,
                               .send_bytes = 8}));
    b.collective({.kind = CollectiveKind::reduce,
                  .sync = CollectiveArgs::Sync::root_synchronised,
                  .is_root = rank == 0});
  }
  const auto text = records(b.build());
  for (const std::string task : {"0", "1", "2"}) {
    const auto begin = text.find("1:" + task + ":0:0.0");
    const auto r =
        text.substr(begin, text.find("1:" + std::to_string(std::stoi(task) + 1) + ":0:0.0") - begin);
    CAPTURE(task);
    CHECK(r.find("\n10:" + task + ":0:1:1:" + (task == "1" ? "1" : "0") + ":0:4:5:1\n") != r.npos);
    CHECK(r.find("\n10:" + task + ":0:10:1:2:0:8:0:1\n") != r.npos);
    CHECK(r.find("\n10:" + task + ":0:10:1:1:0:8:0:0\n") != r.npos);
    CHECK(r.find("\n10:" + task + ":0:10:1:1:0:8:0:2\n") != r.npos);
    CHECK(r.find("\n10:" + task + ":0:10:1:0:0:0:0:3\n") != r.npos);
  }
}

TEST_CASE("operations without a record are written as others of equal cost, with a warning") {
  ProgramBuilder b(1);
  b.set_traced_run_time(ps(5));
  b.label_event(7, 1, "solve");
  b.begin_strand(0);
  b.begin_call(b.call_name("MPI_Init"));
  b.collective({.kind = CollectiveKind::init});
  b.compute(ps(5));
  b.begin_call(b.call_name("MPI_Comm_dup"));
  b.collective({.kind = CollectiveKind::comm_dup});
  b.collective({.kind = CollectiveKind::exscan, .send_bytes = 8, .recv_bytes = 8});
  b.wait(b.isend({.peer = 0}, Bytes{1}));
  b.wait(b.irecv({.peer = kAnySource}, Bytes{1}));
  b.begin_call(b.call_name("MPI_Finalize"));
  b.collective({.kind = CollectiveKind::finalize});
  b.event(7, 1);
  const auto program = b.build();
  CHECK(records(program) ==
        "1:0:0:0.000000000\n"
        "1:0:0:0.000000000005\n"
        "10:0:0:0:1:0:0:0:0:1\n"
        "10:0:0:14:1:0:0:8:8:1\n"
        "2:0:0:0:-1:1:0:1:2\n"
        "0:0:0\n"
        "3:0:0:-1:-1:1:0:1:1\n"
        "3:0:0:-1:-1:1:0:1:2\n"
        "0:0:0\n"
        "20:0:0:7:1\n");
  const auto told = written_dim(program).diagnostics;
  CHECK(codes(told) == std::vector<std::string>{"send-waits", "open-receives", "replaced", "ends",
                                                "call-names", "event-labels", "traced-run-time"});
  CHECK(told[2].message ==
        "written: 1 MPI_Exscan as MPI_Scan, 1 MPI_Comm_dup as MPI_Barrier; they cost the same unless the "
        "platform says otherwise");
  CHECK(told[4].message == "calls are named after their records, not MPI_Init, MPI_Comm_dup, MPI_Finalize");
  CHECK(told[5].message == "the meanings of 1 events are left out");
}

TEST_CASE("operations that Dimemas would not simulate give a warning") {
  ProgramBuilder b(2);
  b.begin_strand(0, false);
  b.compute(ps(0));
  b.begin_strand(0, false);
  b.compute(ps(0));
  b.begin_strand(1);
  b.noop();
  const auto told = written_dim(b.build()).diagnostics;
  CHECK(codes(told) == std::vector<std::string>{"threads", "late-start"});
  CHECK(told[0].message == "1 ranks have several threads, which Dimemas may simulate differently");
  CHECK(told[1].message == "1 threads do not begin with a computation: Dimemas leaves them out");
}

TEST_CASE("time that elapses in a call is written as a computation, with a warning") {
  const auto program = of_one_rank([](ProgramBuilder& b) {
    b.begin_call(b.call_name("MPI_File_read"));
    b.elapse(ps(2000));
  });
  CHECK(records(program) == "1:0:0:0.000000002\n");
  const auto told = written_dim(program).diagnostics;
  CHECK(codes(told) == std::vector<std::string>{"elapsed", "call-names"});
  CHECK(told[0].message ==
        "the times of 1 file calls are written as computations, which faster CPUs shorten");
}

TEST_CASE("characters of a name that would end the header early are left out") {
  ProgramBuilder b(1);
  b.begin_strand(0);
  const auto text = written_dim(b.build(), "a\":1,\n").text;
  CHECK(text.starts_with("#DIMEMAS:\"a_:1,_\":1,"));
  Diagnostics diagnostics;
  CHECK(read_dim_text(text, "t.dim", diagnostics).has_value());
}

TEST_CASE("operations that no record can hold are refused by rank and call, before anything is written") {
  struct Case {
    const char* expected;
    std::function<void(ProgramBuilder&)> operations;
  };
  const auto call = [](ProgramBuilder& b, const char* name) { b.begin_call(b.call_name(name)); };
  const std::vector<Case> cases{
      {"rank 0, call 1 (MPI_Bsend): a Dimemas trace has no record for a buffered send",
       [&](ProgramBuilder& b) {
         call(b, "MPI_Bsend");
         b.send({.peer = 1}, Bytes{8}, SendMode::buffered);
       }},
      {"rank 0, call 2 (MPI_Probe): a Dimemas trace has no record for a probe",
       [&](ProgramBuilder& b) {
         call(b, "MPI_Send");
         b.send({.peer = 1}, Bytes{8});
         call(b, "MPI_Probe");
         b.probe({.peer = 1});
       }},
      {"rank 0, call 1 (MPI_Put): a Dimemas trace has no record for a one-sided transfer",
       [&](ProgramBuilder& b) {
         call(b, "MPI_Put");
         b.put({.peer = 1}, Bytes{8});
       }},
      {"rank 0, call 2 (MPI_Wait): it waits for an MPI_Issend, and a Dimemas trace has no record for that",
       [&](ProgramBuilder& b) {
         call(b, "MPI_Issend");
         const auto slot = b.isend({.peer = 1}, Bytes{8}, SendMode::synchronous);
         call(b, "MPI_Wait");
         b.wait(slot);
       }},
      {"rank 0, call 1 (MPI_Waitall): it waits for a receive other than the thread's oldest with this "
       "source, tag and communicator, and a Dimemas trace has no record for that",
       [&](ProgramBuilder& b) {
         const auto first = b.irecv({.peer = 1}, Bytes{8});
         const auto second = b.irecv({.peer = 1}, Bytes{8});
         call(b, "MPI_Waitall");
         b.wait(second);
         b.wait(first);
       }},
      {"rank 0, call 1 (MPI_Waitall): it waits for a collective other than the thread's oldest on this "
       "communicator, and a Dimemas trace has no record for that",
       [&](ProgramBuilder& b) {
         const CollectiveArgs args{.sync = CollectiveArgs::Sync::nonblocking};
         const auto first = b.collective_start(args), second = b.collective_start(args);
         call(b, "MPI_Waitall");
         b.wait(second);
         b.wait(first);
       }},
      {"rank 0, call 1 (MPI_Init): a Dimemas trace has no record for it, except where a rank's work begins "
       "or ends",
       [&](ProgramBuilder& b) {
         b.compute(ps(1));
         call(b, "MPI_Init");
         b.collective({.kind = CollectiveKind::init});
       }},
      {"rank 0, call 1 (MPI_Finalize): a Dimemas trace has no record for it, except where a rank's work "
       "begins or ends",
       [&](ProgramBuilder& b) {
         call(b, "MPI_Finalize");
         b.collective({.kind = CollectiveKind::finalize});
         b.compute(ps(1));
       }},
      {"rank 0, call 1 (MPI_Send): the tag is -7, which a Dimemas trace cannot hold",
       [&](ProgramBuilder& b) {
         call(b, "MPI_Send");
         b.send({.peer = 1, .tag = -7}, Bytes{8});
       }},
      {"rank 0, call 1 (MPI_Recv): a Dimemas trace has no record for work that depends on which message "
       "arrives first",
       [&](ProgramBuilder& b) {
         call(b, "MPI_Recv");
         const auto begin = b.position();
         b.recv({.peer = kAnySource, .tag = kAnyTag}, Bytes{8});
         b.repeat_until(begin, 1, 0, 10);
       }},
      {"rank 0: a computation of 9223372 s is too long for a Dimemas trace",
       [&](ProgramBuilder& b) { b.compute(Duration::max()); }},
      {"rank 0: the value of an event is too small for a Dimemas trace",
       [&](ProgramBuilder& b) { b.event(1, std::numeric_limits<std::int64_t>::min()); }},
      {"rank 0, call 1 (MPI_Send): 1152921504606846977 bytes are too many for a Dimemas trace",
       [&](ProgramBuilder& b) {
         call(b, "MPI_Send");
         b.send({.peer = 1}, Bytes{(1ULL << 60) + 1});
       }},
  };
  for (const auto& c : cases) CHECK(dim_refusal(of_one_rank(c.operations)) == c.expected);

  ProgramBuilder b(1);
  b.begin_strand(0, false);
  b.begin_call(b.call_name("MPI_Wait"));
  const auto place = b.wait_later();
  b.begin_strand(0, false);
  b.fill_wait(place, b.isend({.peer = 0}, Bytes{8}));
  CHECK(dim_refusal(b.build()) ==
        "rank 0, call 1 (MPI_Wait): it waits for a send of another thread, and a Dimemas trace has no record "
        "for that");
}

TEST_CASE("writing a Dimemas trace can be stopped, and a full disk is an error") {
  TextSink sink;
  Diagnostics diagnostics;
  const auto program = of_one_rank([](ProgramBuilder& b) { b.compute(ps(1)); });
  const auto stopped = write_dim(program, "t", sink, diagnostics, [](double) { return false; });
  REQUIRE(stopped.has_value());
  CHECK(!*stopped);
  CHECK(sink.text.empty());
  struct FullDisk final : ByteSink {
    Expected<void> write(std::string_view) override {
      Error e;
      e.message = "no room";
      return tl::unexpected(std::move(e));
    }
  } full;
  const auto failed = write_dim(program, "t", full, diagnostics);
  REQUIRE(!failed.has_value());
  CHECK(failed.error().message == "no room");
}
