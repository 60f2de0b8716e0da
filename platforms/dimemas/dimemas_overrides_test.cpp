#include <doctest/doctest.h>

#include "platforms/dimemas/dimemas_cfg.hpp"

using namespace busline;

TEST_CASE("Dimemas's own numbers are read for its own options") {
  CHECK(parse_dimemas_size("64K", "-S") == Bytes{65536});
  CHECK(parse_dimemas_size("0", "-S") == Bytes{0});
  CHECK(parse_dimemas_size("3m", "-S") == Bytes{3145728});
  CHECK(parse_dimemas_bandwidth("100.5", "--bandwidth") == Bandwidth::bytes_per_second(100.5 * 1048576));
  CHECK(parse_dimemas_bandwidth("0", "--bandwidth")->is_unlimited());
  CHECK(parse_dimemas_latency("1e-5", "--latency") == Duration::seconds(1e-5));
  CHECK(to_string(parse_dimemas_size("64KiB", "-S").error()) ==
        "-S: expected whole bytes, optionally with K, M or G for 2^10, 2^20 or 2^30, found '64KiB'");
  CHECK(to_string(parse_dimemas_bandwidth("fast", "--bandwidth").error()) ==
        "--bandwidth: expected a bandwidth in MB/s (2^20 bytes/s; 0: unlimited), as in 100.5, found 'fast'");
  CHECK(to_string(parse_dimemas_latency("-1", "--latency").error()) ==
        "--latency: expected a latency in seconds, as in 1e-5, found '-1'");
  CHECK(to_string(parse_dimemas_latency("1e6", "--latency").error()) ==
        "--latency: expected a latency of 10 days at most, found '1e6'");
  CHECK_FALSE(parse_dimemas_size("99999999999G", "-S"));
  CHECK_FALSE(parse_dimemas_size("", "-S"));
}

TEST_CASE("overrides act on every machine and node") {
  Platform p;
  p.machines.resize(2);
  p.machines[1].nodes.resize(2);
  p.machines[1].nodes[1].latency = Duration::seconds(1);
  DimemasOverrides o;
  o.bandwidth = Bandwidth::unlimited();
  o.latency = Duration::seconds(1e-3);
  o.rendezvous_from = Bytes{4096};
  Diagnostics d;
  REQUIRE(apply_overrides(p, o, d));
  CHECK(p.machines[1].network.bandwidth.is_unlimited());
  CHECK(p.machines[1].network.latency == Duration::seconds(1e-3));
  CHECK_FALSE(p.machines[1].nodes[1].latency);
  CHECK(p.mpi.rendezvous_from == Bytes{4096});
  CHECK(p.mpi.ignore_traced_rendezvous);
  o.latency = Duration::seconds(9e6);
  CHECK(to_string(apply_overrides(p, o, d).error()) ==
        "--latency: expected 10 days at most, found '9e+06 s'");
}
