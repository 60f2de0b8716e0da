// Inputs on which Dimemas 5.5.0 crashes, hangs, loses ranks or is wrong (validation/golden/dimemas-defects).
// Network: 10 us and 100 MB/s; inside a node 1 us and 1000 MB/s; a MB is 2^20 bytes; latency is CPU time of
// both sides. So 1000 bytes take 9.536743164 us on the network, 100000 bytes 953.674316406 us.
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/dimemas_case.hpp"

using namespace busline;

namespace {

const std::string kDefects = BUSLINE_SOURCE_DIR "/validation/golden/dimemas-defects/";

Expected<Result> run_defect(const std::string& name, const std::vector<std::string>& options = {}) {
  Diagnostics diagnostics;
  return run_dimemas_case(kDefects + name, options, diagnostics);
}

// Each duration is rounded to a picosecond where it is made; a run here adds up 20 of them at most.
void check_time(const std::string& what, Duration got, double expected_us) {
  INFO(what, ": ", got.count(), " ps, expected ", expected_us, " us");
  CHECK(std::abs(static_cast<double>(got.count()) - expected_us * 1e6) <= 20);
}

void check_run_time(const std::string& name, double expected_us,
                    const std::vector<std::string>& options = {}) {
  const auto result = run_defect(name, options);
  if (!result) {
    FAIL_CHECK(name << ": " << to_string(result.error()));
    return;
  }
  CHECK_MESSAGE(result->status == Result::Status::complete, name);
  check_time(name, result->run_time.since_start(), expected_us);
}

void check_ends(const std::string& name, const std::vector<double>& expected_us) {
  const auto result = run_defect(name);
  if (!result) {
    FAIL_CHECK(name << ": " << to_string(result.error()));
    return;
  }
  CHECK_MESSAGE(result->status == Result::Status::complete, name);
  REQUIRE(result->ranks.size() == expected_us.size());
  for (std::size_t r = 0; r < expected_us.size(); ++r)
    check_time(name + ", rank " + std::to_string(r), result->ranks[r].end.since_start(), expected_us[r]);
}

std::string defect_error(const std::string& name, const std::vector<std::string>& options = {}) {
  const auto result = run_defect(name, options);
  if (result) return "no error";
  auto text = to_string(result.error());
  if (text.starts_with(kDefects)) text.erase(0, kDefects.size());
  return text;
}

}  // namespace

TEST_CASE("one message between two bursts takes latency and transfer time") {
  // 1000 + 10 + 953.674316 + 1000; the receiver's 10 us pass while it waits.
  check_ends("ok_reference", {2010, 2963.674316406});
}

TEST_CASE("a trace without an offset table is read") {
  check_run_time("no_offsets", 2963.674316406);
}

TEST_CASE("an explicit mapping is read") {
  check_run_time("explicit_mapping", 2963.674316406);
}

TEST_CASE("a trace without messages is simulated") {
  check_run_time("prv_without_comms", 1000);
}

TEST_CASE("a trace truncated within a record is refused at that place") {
  CHECK(defect_error("truncated_trace") ==
        "truncated_trace/trace.dim:7:7: receive record: source is '', expected a whole number\n"
        "  the file is probably truncated: copy it or translate the trace again");
}

TEST_CASE("a line of the communication file may set an operation for all machines") {
  // Allreduce LOG MAX in and out on 4 nodes: 2 steps each of 10 + 9.536743164; one rank per node adds
  // nothing.
  check_run_time("coll_general_line", 2000 + 4 * 19.536743164);
}

TEST_CASE("the collective models of a .cfg are those of the file that it names") {
  // LIN is P - 1 = 3, in and out.
  check_run_time("coll_comms_cfg", 2000 + 6 * 19.536743164);
  // No file: CTE in and out on the network, and again inside the node: 1 us + 0.953674316.
  check_run_time("coll_comms_option", 2000 + 2 * 19.536743164 + 2 * 1.953674316);
  CHECK(defect_error("coll_comms_option", {"-c", "c.cfg"}) ==
        "-c: not a Dimemas option that changes a prediction");
}

TEST_CASE("a run in which nothing takes time takes no time") {
  check_ends("zero_time", {0, 0});
}

TEST_CASE("a rank can send to itself and block") {
  // Memory: 1 us to send; the transfer of 0.953674 us passes during the receiver's 1 us.
  check_ends("self_send_blocking", {2002, 1000, 1000});
}

TEST_CASE("a Reduce synchronised at its root waits for buses") {
  // All pay 10 us; then four messages of 200000 bytes (1907.348632813 us) share one bus. Root: rank 0.
  const double message = 1907.348632813;
  check_ends("reduce_rootsync_buses", {2010 + 4 * message, 2010 + message, 2010 + 2 * message,
                                       2010 + 3 * message, 2010 + 4 * message});
}

TEST_CASE("a Reduce leaves nothing behind for the collective after it") {
  // Allreduce LIN in and out on 5 nodes: 8 times 10 + 9.536743164. The Reduce of 0 bytes before it: 10 us.
  check_run_time("allreduce_only", 3000 + 8 * 19.536743164);
  check_run_time("reduce_then_allreduce", 3010 + 8 * 19.536743164);
}

TEST_CASE("operations 16 to 31 are the non-blocking collectives") {
  // Start: 10 us; the operation ends while the second burst runs; wait: 10 us.
  check_run_time("immediate_coll_ids", 3020);
}

TEST_CASE("many non-blocking collectives in a row are distinguished") {
  // By a second implementation of the model; 300 of them, so that 600 roundings add up.
  const auto result = run_defect("nbcoll_300");
  REQUIRE(result);
  CHECK(static_cast<double>(result->run_time.count()) == doctest::Approx(19244409179.688).epsilon(1e-7));
}

TEST_CASE("limited links on some nodes only hold back these") {
  // One output link: six messages of 500000 bytes (4768.371582031 us), sent every 10 us, follow one another;
  // ranks 1 and 2 take turns.
  check_ends("hetero_links_inf", {160, 110 + 5 * 4768.371582031, 110 + 6 * 4768.371582031});
}

TEST_CASE("a rank that does not start with a burst is simulated") {
  // Rank 1 comes after the message: its 10 us are what the receive costs.
  check_ends("no_initial_burst", {1010, 2010});
}

TEST_CASE("a receive from any source takes the message that comes") {
  check_ends("any_source", {1010, 1010 + 9.536743164 + 1000});
}

TEST_CASE("a collective over two machines waits until messages have left the line between them") {
  // Three messages of 400000 bytes (76293.945313 us at 5 MB/s) leave one after another from 200 us on; then
  // the Barrier: CTE twice of 10 us (network), 1 us (node) and 100 us (WAN). Each receive then costs 100 us.
  const auto barrier = 200 + 3 * 76293.945313 + 222;
  check_ends("wan_coll_while_p2p",
             {barrier + 10, barrier + 10, barrier + 10, barrier + 110, barrier + 110, barrier + 110});
}

TEST_CASE("collectives of more than 2 GiB are exact") {
  // Alltoall, CTE in and out: 10 us + 28.6102294921875 s on the network, 1 us + 2.86102294921875 s in the
  // node.
  check_run_time("bytes_over_2G_coll", 2000 + 2 * (10 + 28610229.4921875) + 2 * (1 + 2861022.94921875));
}

TEST_CASE("latencies of seconds are exact in a Reduce") {
  check_run_time("lat_over_2s_reduce", 2000 + 3e6 + 9.536743164);
}

TEST_CASE("a scheduler file that the .cfg names is read") {
  // 1 ms before each of: burst, send, burst; the receiver's burst after the message likewise.
  check_ends("sched_in_cfg", {5010, 5963.674316406});
}

TEST_CASE("a busy wait changes nothing if a context switch costs nothing") {
  check_run_time("busywait", 2963.674316406, {"-s", "sched.cfg"});
}

TEST_CASE("WAN latency is in seconds in every node record") {
  // 1000 + 1000 + 100000 bytes at 50 MB/s + 1000.
  check_run_time("wan_node_record_units", 4907.348632813);
  check_run_time("wan_multinode_record_units", 4907.348632813);
}

TEST_CASE("the end of a nested module ends that module") {
  // 1 + 1/2 + 1/10 + 1/2 + 1 ms.
  check_run_time("mod_nested", 3100);
}

TEST_CASE("ranks that are left over share the last node's CPU") {
  // Ranks 1, 2 and 3 have two bursts each on one CPU, which a rank gives up after each, in turn.
  check_ends("dotless_mapping_too_small", {2010, 4010, 5010, 6010});
}
