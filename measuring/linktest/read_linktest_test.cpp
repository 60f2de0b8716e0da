// What real files may differ in, and what the reader says then. Files that are as they should be are in
// golden_files_test.cpp and write_linktest_test.cpp.
#include "measuring/linktest/read_linktest.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>

#include "measuring/linktest/layout.hpp"
#include "measuring/linktest/payload_buffer.hpp"
#include "measuring/linktest/test_result.hpp"
#include "measuring/linktest/write_linktest.hpp"
#include "measuring/sion/container_writer.hpp"
#include "measuring/sion/test_stream.hpp"
#include "workloads/files/test_folder.hpp"

using namespace busline;
using namespace busline::linktest;
using sion::ByteOrder;

namespace {

std::vector<std::string> streams_in(const std::string& path) {
  const auto container = sion::Container::open(path);
  REQUIRE(container);
  std::vector<std::string> all;
  for (std::uint32_t rank = 0; rank < container->ranks(); ++rank)
    all.push_back(sion::content_of(container->stream(rank)));
  return all;
}

std::vector<std::string> written_streams(const LinkTestResult& result) {
  const TestFolder folder;
  REQUIRE(write_version2(folder.file("r.sion"), result));
  return streams_in(folder.file("r.sion"));
}

std::vector<std::string> streams_of_version1(const LinkTestResult& result) {
  const TestFolder folder;
  REQUIRE(write_version1(folder.file("r.sion"), result));
  return streams_in(folder.file("r.sion"));
}

// What is read from these streams, and the codes of the warnings; or the error, without the file's name.
struct Outcome {
  std::optional<LinkTestResult> result;
  std::vector<std::string> codes;
  std::string told;  // what the last warning says
  std::string error;
};

Outcome read(const std::vector<std::string>& streams, ByteOrder declared = ByteOrder::little) {
  const TestFolder folder;
  sion::Streams all;
  for (const auto& s : streams) all.bytes.push_back(s.size());
  all.content = [&](std::uint32_t rank) { return streams[rank]; };
  sion::WriteOptions options;
  options.data_order = declared;
  REQUIRE(sion::write_container(folder.file("r.sion"), all, options));
  Outcome o;
  Diagnostics diagnostics;
  if (auto result = read_linktest(folder.file("r.sion"), diagnostics))
    o.result = std::move(*result);
  else
    o.error = to_string(result.error()).substr(folder.file("r.sion").size());
  for (const auto& d : diagnostics) {
    o.codes.push_back(d.code);
    o.told = d.message;
  }
  return o;
}

template <class Number>
void put(std::string& stream, std::size_t position, Number value) {
  sion::store(stream.data() + position, value, ByteOrder::little);
}

using Codes = std::vector<std::string>;

// Lengths in the streams of test_result(4): header 147 + 4 ("mpi"), host's name 4 + 7 ("node00"), core 4.
constexpr std::size_t kResultHeader = 151, kPlace = 15;

}  // namespace

TEST_CASE("data that is not in the declared byte order is read in its own") {
  const auto result = test_result(4);
  const auto o = read(written_streams(result), ByteOrder::big);
  REQUIRE(o.result);
  CHECK(*o.result == result);
  CHECK(o.codes == Codes{"byte-order"});
  CHECK(o.told == "the data is not in the byte order that the container declares: read as it is");
}

TEST_CASE("a file of LinkTest 1.0, without tag and version, is known by its length") {
  const auto result = test_result(4);
  auto streams = streams_of_version1(result);
  for (auto& s : streams) s.erase(0, 17);
  auto o = read(streams);
  REQUIRE(o.result);
  CHECK(o.result->version == linktest::Version{1, 0, 0});
  CHECK(o.result->iterations[0].seconds == result.iterations[0].seconds);
  CHECK(o.codes.empty());
  streams[0] += ' ';
  CHECK(read(streams).error ==
        ":+4096: rank 0, tag: is not 'LKTST'\n"
        "  the container does not hold a LinkTest result");
}

TEST_CASE("a newer file of version 1 has two more coordinates") {
  const auto result = test_result(4);
  auto streams = streams_of_version1(result);
  for (auto& s : streams) {
    put(s, 9, 4);  // 1.4
    s.insert(17 + 256 + 16, std::string("\x05\0\0\0\x06\0\0\0", 8));
  }
  const auto o = read(streams);
  REQUIRE(o.result);
  CHECK(o.result->places[3].coordinates == std::vector<std::int32_t>{3, 0, 0, 0, 5, 6});
  CHECK(o.result->iterations[0].seconds == result.iterations[0].seconds);
  CHECK(o.codes == Codes{"unknown-version"});
  CHECK(o.told == "written by version 1.4p1, newer than 1.2p1: read as that");
}

TEST_CASE("the length of a text may count its NUL or not, for the mode and for hosts apart") {
  auto result = test_result(4);
  for (const bool mode : {false, true})
    for (const bool host : {false, true}) {
      CAPTURE(mode);
      CAPTURE(host);
      auto streams = written_streams(result);
      if (mode) put(streams[0], 58, 3);
      for (std::uint32_t rank = 0; host && rank < 4; ++rank)
        put(streams[rank], rank == 0 ? kResultHeader : 5, 6);
      const auto o = read(streams);
      REQUIRE_MESSAGE(o.result, o.error);
      CHECK(*o.result == result);
      CHECK(o.codes.empty());
    }
}

TEST_CASE("a bisection run may have as many entries as steps") {
  // 4 ranks, 2 steps: 0-2 1-3, then 0-3 1-2. The time of rank r in step s is (10 r + s) us.
  const std::uint64_t partners[4][2] = {{2, 3}, {3, 2}, {0, 1}, {1, 0}};
  auto streams = written_streams(test_result(4, Scope::bisection));
  streams[0].resize(kResultHeader + kPlace);
  put(streams[0], 107 + 4, std::uint64_t{0});  // no retests
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    PayloadBuffer to(ByteOrder::little, 100);
    if (rank == 0) {
      to.put_text("begin", 32);
      to.put_all(std::vector<double>{1e-6, 16.5e-6, 32e-6});
    } else {
      streams[rank].resize(5 + kPlace);
    }
    for (const auto step : {1U, 2U}) to.put(1e-6 * (10 * rank + step));
    for (const auto partner : partners[rank]) to.put(partner);
    if (rank == 0) to.put_text("end", 32);
    to.put_bytes("END_BLOCK");
    streams[rank] += to.take();
  }
  const auto o = read(streams);
  REQUIRE_MESSAGE(o.result, o.error);
  CHECK(o.codes.empty());
  const auto& i = o.result->iterations[0];
  CHECK(i.seconds(3, 1) == 1e-6 * 31);
  CHECK(i.step(3, 1) == 1);
  CHECK(i.seconds(1, 2) == 1e-6 * 12);
  CHECK(i.step(1, 2) == 2);
  CHECK(i.step(0, 1) == 0);
  CHECK(i.end_time == "end");

  streams[0][62 + 4 + 3] = 0;  // not a bisection
  CHECK(read(streams).error.find("rank 0, records: do not end with END_BLOCK") != std::string::npos);
}

TEST_CASE("the ranks of retests may be doubles, and slots may be unused") {
  auto result = test_result(4);
  result.settings.retests = 4;
  result.iterations[0].retests = {{3, 1, 2e-6, 1e-6}, {2, 0, 1e-6, 5e-7}};
  auto streams = written_streams(result);
  // Behind the place: time, summary, 3 times, 3 partners, 4 second and 4 first times.
  const auto initiators = kResultHeader + kPlace + 32 + 24 + 48 + 64;
  for (const std::size_t slot : {0U, 1U}) {
    const auto& r = result.iterations[0].retests[slot];
    put(streams[0], initiators + 8 * slot, static_cast<double>(r.initiator));
    put(streams[0], initiators + 32 + 8 * slot, static_cast<double>(r.responder));
  }
  auto o = read(streams);
  REQUIRE(o.result);
  CHECK(*o.result == result);
  CHECK(o.codes.empty());

  put(streams[0], initiators, std::uint64_t{4});
  o = read(streams);
  REQUIRE(o.result);
  CHECK(o.result->iterations[0].retests.size() == 1);
  CHECK(o.codes == Codes{"retest"});
  CHECK(o.told == "1 of 4 retests name ranks that do not exist: left out");
}

TEST_CASE("oddities in readable data are reported") {
  auto result = test_result(4);
  result.iterations[0].seconds(1, 2) = std::nan("");
  CHECK(read(written_streams(result)).told ==
        "1 time is not greater than 0; the first is from rank 1 to rank 2");
  result.iterations[0].seconds(1, 2) = 0;
  CHECK(read(written_streams(result)).codes == Codes{"strange-time"});

  result = test_result(4);
  result.iterations[0].summary.max *= 2;
  CHECK(read(written_streams(result)).told ==
        "declares times of 1.088626e-06 to 3.872192e-06 s, but they are 1.088626e-06 to 1.936096e-06 s");

  result = test_result(4);
  result.settings.shuffled_orders = 2;
  CHECK(read(written_streams(result)).told == "has 1 iteration, but its header declares 2");

  auto streams = written_streams(test_result(4));
  streams[0][62 + 4 + 1] = streams[0][62 + 4 + 2] = 1;
  const auto o = read(streams);
  CHECK(o.codes == Codes{"both-kernels"});
  CHECK(o.told == "claims to be both bidirectional and unidirectional: taken as bidirectional");
  CHECK(o.result->settings.kernel == KernelKind::bidirectional);

  streams = written_streams(test_result(4));
  put(streams[0], 13, 3);  // 2.1.3
  CHECK(read(streams).told == "written by version 2.1.3: read as 2.1.16");

  streams = streams_of_version1(test_result(4));
  streams[2] += "more";
  CHECK(read(streams).told == "1 of 4 ranks wrote more than the result; the excess is ignored");

  // Behind END_BLOCK anything may follow.
  streams = written_streams(test_result(4));
  for (auto& s : streams) s += std::string("\0END_BLOCK", 10);
  CHECK(read(streams).codes.empty());
}

TEST_CASE("errors in a payload name the rank, the place and what was expected") {
  const auto good = streams_of_version1(test_result(4));
  auto bad = good;
  bad[2].resize(200);
  CHECK(read(bad).error == ":+5186: rank 2, end: the rank wrote 200 bytes, expected 337 for 4 ranks");
  bad = good;
  put(bad[0], 17 + 272 + 12, 3);
  CHECK(read(bad).error ==
        ":+4397: rank 0, collect number: is 3, expected 1\n"
        "  files in which one rank wrote for several are not supported");
  bad = good;
  put(bad[0], 17 + 272, -1);
  CHECK(read(bad).error == ":+4385: rank 0, number of messages: is -1, expected 0 or more");
  bad = good;
  put(bad[1], 17 + 272 + 32, -7);
  CHECK(read(bad).error == ":+4970: rank 1, access pattern: the step with rank 0 is -7, expected 0 to 4");
  bad = good;
  put(bad[3], 13, 2);
  CHECK(read(bad).error == ":+5328: rank 3, version: is 1.2p2, but that of rank 0 is 1.2p1");

  auto new_one = written_streams(test_result(4));
  bad = new_one;
  bad[0][62 + 4] = 2;
  CHECK(read(bad).error == ":+4162: rank 0, flags: flag 0 is 2, expected 0 or 1");
  bad = new_one;
  put(bad[0], kResultHeader, 1'000'000);
  CHECK(read(bad).error.find("rank 0, host name: has a length of 1000000, expected ") != std::string::npos);
  bad = new_one;
  put(bad[0], 5, 3);
  CHECK(read(bad).error.find("rank 0, version: is 3, expected 1 or 2") != std::string::npos);
  bad = new_one;
  bad[0].resize(100);
  CHECK(read(bad).error ==
        ":+4191: rank 0, header: extends beyond the 100 bytes that the rank wrote\n"
        "  the file is truncated, or its lengths are wrong");
  bad = new_one;
  bad[1].resize(30);
  CHECK(read(bad).error.find("rank 1, records: do not end with END_BLOCK after 0 to 0 records of 48 bytes") !=
        std::string::npos);
  bad = new_one;
  bad[1] = bad[1].substr(0, 5 + kPlace) + "END_BLOCK";
  CHECK(read(bad).error.find("rank 1, records: are 0, but rank 0 has 1") != std::string::npos);
}
