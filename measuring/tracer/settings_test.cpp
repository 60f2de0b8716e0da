#include "measuring/tracer/settings.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>

using namespace busline;
using busline::tracer::Level;
using busline::tracer::Settings;

TEST_CASE("a configuration of libdumpi means the same to our tracer") {
  Settings s;
  CHECK(s.set_lines("# what is traced\n"
                    "fileroot = out/run   # a folder and a name\n"
                    "timestamp\twall\r\n"
                    "\n"
                    "statuses=success\n"
                    "MPI_Default disable\n"
                    "MPI_Send enable\n"
                    "MPI_Iprobe success")
            .empty());
  CHECK(s.file_root == "out/run");
  CHECK(s.wall_time);
  CHECK(!s.cpu_time);
  CHECK(s.statuses == Level::success);
  CHECK(s.functions[dumpi::function_id("MPI_Recv")] == Level::disable);
  CHECK(s.functions[dumpi::function_id("MPI_Send")] == Level::enable);
  CHECK(s.functions[dumpi::function_id("MPI_Iprobe")] == Level::success);
}

TEST_CASE("errors in a tracer's configuration are named and change nothing") {
  Settings s;
  const auto complaints =
      s.set_lines("timestamp never\nPAPI_TOT_CYC cycles\nMPI_Sent enable\nMPI_Send on\nstatuses");
  REQUIRE(complaints.size() == 5);
  CHECK(complaints[0] == "timestamp is 'never', expected none, cpu, wall or full");
  CHECK(complaints[1] == "'PAPI_TOT_CYC' is not a setting of this tracer");
  CHECK(complaints[2] == "MPI_Sent is not a function that a trace can hold");
  CHECK(complaints[3] == "MPI_Send is 'on', expected disable, success or enable");
  CHECK(complaints[4] == "statuses is '', expected disable, success or enable");
  CHECK(s.wall_time);
  CHECK(s.cpu_time);
}

TEST_CASE("an unreadable configuration and an unknown variable are reported") {
  ::setenv("DUMPI_CONF", "no/such.conf", 1);
  ::setenv("DUMPI_MEMBUF_SIZE", "4k", 1);
  std::vector<std::string> complaints;
  static_cast<void>(tracer::read_settings(complaints));
  ::unsetenv("DUMPI_CONF");
  ::unsetenv("DUMPI_MEMBUF_SIZE");
  REQUIRE(complaints.size() == 2);
  CHECK(complaints[0] == "no/such.conf: cannot be read (DUMPI_CONF names it)");
  CHECK(complaints[1] == "environment variable DUMPI_...: membuf_size is '4k', expected a number of bytes");
}

TEST_CASE("variables DUMPI_... are settings of the tracer, others are not") {
  Settings s;
  CHECK(!s.set_variable("DUMPI_FILEROOT=x"));
  CHECK(!s.set_variable("DUMPI_MPI_Isend=disable"));
  CHECK(!s.set_variable("DUMPI_MEMBUF_SIZE=4096"));
  CHECK(!s.set_variable("DUMPI_CONF=my.conf"));
  CHECK(!s.set_variable("DUMPIFILEROOT=y"));
  CHECK(!s.set_variable("HOME=/root"));
  CHECK(s.file_root == "x");
  CHECK(s.functions[dumpi::function_id("MPI_Isend")] == Level::disable);
  CHECK(s.buffer_bytes == 4096);
  CHECK(s.set_variable("DUMPI_FILEROOT=") == "fileroot is '', expected the beginning of a file name");
  CHECK(s.set_variable("DUMPI_TRACING=never") ==
        "tracing is 'never', expected enable, disable, enter or exit");
  CHECK(s.set_variable("DUMPI_MEMBUF_SIZE=4k") == "membuf_size is '4k', expected a number of bytes");
}
