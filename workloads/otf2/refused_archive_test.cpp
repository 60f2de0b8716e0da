// What the reader of OTF2 archives refuses, and where it says that the error is.
#include "workloads/otf2/test_reading.hpp"

using namespace busline;
using namespace busline::otf2;
using enum EventType;

namespace {

// A file begins with 18 bytes of a chunk's header; a time stamp has 9 bytes, an ENTER of region 0 has 2.

// The error about an archive of two ranks, to which `add` adds what is wrong.
template <class Add>
std::string archive_refusal(Add add) {
  TestArchive a(2);
  add(a);
  return read_archive(a).error();
}

// The same after a change of the files.
template <class Change>
std::string archive_refusal_in_files(Change change) {
  TestArchive a(1);
  a.rank(0).call(0, 1, "MPI_Wait");
  auto files = a.files();
  change(files);
  Diagnostics told;
  const auto program = read_otf2(in_memory(std::move(files)), told);
  return program ? "none" : to_string(program.error());
}

}  // namespace

TEST_CASE("receives of which the trace does not record what they received are refused") {
  CHECK(archive_refusal([](TestArchive& a) {
          a.rank(1)
              .call(0, 1, "MPI_Irecv", mpi_irecv_request, {1})
              .call(1, 2, "MPI_Irecv", mpi_irecv_request, {2});
        }) ==
        "t/1.evt:+38: rank 1: 2 receives were started, and the trace does not record what they received");
}

TEST_CASE("events that do not fit are refused with their place, number and rank") {
  CHECK(archive_refusal([](TestArchive& a) {
          a.rank(1).call(0, 1, "MPI_Send", mpi_send, {2, 0, 7, 4});
        }) == "t/1.evt:+38: event 2, MPI_SEND of rank 1: the receiver is rank 2, expected 0 to 1");
  CHECK(archive_refusal([](TestArchive& a) {
          a.rank(1).call(0, 1, "MPI_Recv", mpi_recv, {0, 5, 7, 4});
        }) == "t/1.evt:+38: event 2, MPI_RECV of rank 1: communicator 5 is not defined");
  CHECK(archive_refusal([](TestArchive& a) {
          a.rank(1).call(0, 1, "MPI_Recv", mpi_recv, {0, a.comm({0}), 7, 4});
        }) == "t/1.evt:+38: event 2, MPI_RECV of rank 1: communicator 1 does not hold this rank");
  CHECK(archive_refusal([](TestArchive& a) {
          a.rank(0).call(0, 1, "MPI_Recv", mpi_recv, {0, a.comm({0, 0}), 7, 4});
        }) ==
        "t/0.evt:+38: event 2, MPI_RECV of rank 0: the members of communicator 1 are not ranks of the job, "
        "each once");
  CHECK(archive_refusal([](TestArchive& a) {
          a.rank(0).call(0, 1, "MPI_Send", mpi_send, {1, 0, 1U << 31U, 4});
        }) == "t/0.evt:+38: event 2, MPI_SEND of rank 0: the tag is 2147483648, expected at most 2147483647");
  CHECK(archive_refusal([](TestArchive& a) {
          a.rank(0).call(0, 1, "MPI_Send", mpi_send, {1, 0, 1});
        }) == "t/0.evt:+38: event 2, MPI_SEND of rank 0: the record ends before its last value");
  CHECK(archive_refusal([](TestArchive& a) { a.rank(0).call(0, 1, "MPI_Wait", mpi_isend_complete, {4}); }) ==
        "t/0.evt:+38: event 2, MPI_ISEND_COMPLETE of rank 0: completes request 4, which no record started");
  CHECK(
      archive_refusal([](TestArchive& a) {
        a.rank(0).call(0, 1, "MPI_Wait", mpi_irecv, {1, 0, 7, 4, 9});
      }) ==
      "t/0.evt:+38: event 2, MPI_IRECV of rank 0: completes request 9, which no record started as a receive");
  CHECK(archive_refusal([](TestArchive& a) { a.rank(0).leave(0, "MPI_Wait"); }) ==
        "t/0.evt:+27: event 1, LEAVE of rank 0: leaves MPI_Wait, which was not entered");
  CHECK(archive_refusal([](TestArchive& a) { a.rank(0).event(0, enter, {77}); }) ==
        "t/0.evt:+27: event 1, ENTER of rank 0: enters a region that is not defined");
}

TEST_CASE("what the simulation lacks is refused as such") {
  CHECK(
      archive_refusal([](TestArchive& a) { a.rank(0).call(0, 1, "MPI_Mrecv"); }) ==
      "t/0.evt:+38: event 2, LEAVE of rank 0: MPI_Mrecv leaves no record of the message that it receives, so "
      "nothing receives it here");
  CHECK(archive_refusal([](TestArchive& a) {
          a.rank(0).event(0, calling_context_sample, {1, 1, 1});
        }) == "t/0.evt:+27: a trace of samples does not tell when calls begin and end");
  CHECK(archive_refusal([](TestArchive& a) {
          auto& thread = a.location();
          thread.name = "OMP thread 1";
          thread.call(0, 1, "MPI_Send", mpi_send, {1, 0, 7, 4});
        }) ==
        "t/1003.evt:+38: \"OMP thread 1\", which is not a rank, calls MPI: a rank's calls are read from one "
        "thread");
  CHECK(archive_refusal([](TestArchive& a) {
          a.rank(0).call(0, 1, "MPI_Isend", mpi_isend, {1, 0, 7, 4, 3}).event(2, mpi_request_cancelled, {3});
        }) ==
        "t/0.evt:+69: event 4, MPI_REQUEST_CANCELLED of rank 0: cancels request 3, a send\n"
        "  only cancelled receives can be left out");
}

TEST_CASE("missing, cut and foreign files are refused by name") {
  CHECK(archive_refusal_in_files([](auto& files) { files.erase("t.def"); }) ==
        "t.def: the file of definitions is missing\n"
        "  an archive is NAME.otf2, NAME.def and the folder NAME, in one place");
  CHECK(archive_refusal_in_files([](auto& files) { files.erase("t/0.evt"); }) ==
        "t/0.evt: the events of location 0 are missing: 2 were written");
  CHECK(archive_refusal_in_files([](auto& files) { files["t/0.evt"].resize(39); }) ==
        "t/0.evt:+39: a record is longer than the file, or not one of OTF2");
  CHECK(archive_refusal_in_files([](auto& files) {
          auto& f = files["t/0.evt"];
          f.resize(f.size() - 3);
        }) == "t/0.evt:+40: the file is cut: it has no end mark");
  CHECK(archive_refusal_in_files([](auto& files) { files["t/0.evt"] = "PAPI"; }) ==
        "t/0.evt:+2: the file is cut: it has no end mark");
  CHECK(archive_refusal_in_files([](auto& files) { files["t.otf2"] = "{}"; }) ==
        "t.otf2: not the anchor file of an OTF2 archive");
  CHECK(archive_refusal_in_files([](auto& files) { files["t.otf2"][28] = 2; }) ==
        "t.otf2: an archive in a SION container, which is not read");
  CHECK(archive_refusal_in_files([](auto& files) { files["t.otf2"][8] = 3; }) ==
        "t.otf2: trace format 3; format 2 is read");
}

TEST_CASE("a file with fewer events than were written is refused, one with more is not") {
  CHECK(archive_refusal([](TestArchive& a) { a.rank(0).call(0, 1, "MPI_Wait").stated_events = 3; }) ==
        "t/0.evt: has 2 events; 3 were written\n  the file is cut, or of another run");
  CHECK(archive_refusal([](TestArchive& a) { a.rank(0).call(0, 1, "MPI_Wait").stated_events = 1; }) ==
        "none");
}
