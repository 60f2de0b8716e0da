#include "measuring/run_times/kernel_counts.hpp"

#include <doctest/doctest.h>

using namespace busline::record;
using Strings = std::vector<std::string>;

TEST_CASE("the time that a thread waited is the second number, if its kernel counts at all") {
  CHECK(waited_in("812345 6789 42\n") == 6789);
  CHECK_FALSE(waited_in("0 0 0\n"));
  CHECK_FALSE(waited_in(""));
}

TEST_CASE("a process is throttled by its group or one of those around it") {
  CHECK(throttling_files("0::/user.slice/job\n") == Strings{"/sys/fs/cgroup/user.slice/job/cpu.stat",
                                                            "/sys/fs/cgroup/user.slice/cpu.stat",
                                                            "/sys/fs/cgroup/cpu.stat"});
  CHECK(throttling_files("9:name=systemd:/a\n8:cpuset:/b\n4:cpu,cpuacct:/c\n") ==
        Strings{"/sys/fs/cgroup/cpu,cpuacct/c/cpu.stat", "/sys/fs/cgroup/cpu,cpuacct/cpu.stat"});
  CHECK(throttling_files("0::/\n") == Strings{"/sys/fs/cgroup/cpu.stat"});
  CHECK(throttling_files("").empty());
}

TEST_CASE("throttled time is read in the units of both versions, and is missing where nothing is limited") {
  CHECK(throttled_in("usage_usec 7\nnr_throttled 2\nthrottled_usec 15\n") == 15'000);
  CHECK(throttled_in("nr_periods 9\nnr_throttled 2\nthrottled_time 15\n") == 15);
  CHECK_FALSE(throttled_in("usage_usec 7\n"));
  CHECK_FALSE(throttled_in(""));
}

TEST_CASE("counts only grow") {
  const auto counts = counts_since(kernel_counts());
  CHECK(counts.preempted >= 0);
  CHECK(counts_since({}).waited == -1);  // not known before
}
