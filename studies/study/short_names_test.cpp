// Names of workloads and platforms in tables.
#include "studies/study/short_names.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "sim/base/random.hpp"

using namespace busline;
using Strings = std::vector<std::string>;

TEST_CASE("paths are called after the part in which they all differ") {
  CHECK(short_names({"\"apps/hpcg/trace.meta\"", "\"apps/milc/trace.meta\""}) == Strings{"hpcg", "milc"});
  CHECK(short_names({"\"a/hpcg.dim\"", "\"b/milc.dim.xz\""}) == Strings{"hpcg", "milc"});
  CHECK(short_names({"\"traces/lulesh-64/\""}) == Strings{"lulesh-64"});
  CHECK(short_names({"\"a/x.dim\"", "\"a/x.meta\""}) == Strings{"x.dim", "x.meta"});
}

TEST_CASE("where no part differs everywhere, as many of the last ones stay as it takes") {
  CHECK(short_names({"\"t/A/jacobi\"", "\"t/A/cg\"", "\"t/B/cg\""}) == Strings{"A/jacobi", "A/cg", "B/cg"});
  CHECK(short_names({"\"a/x\"", "\"/a/x\"", "\"b/x\""}) == Strings{"a", "/a", "b"});
}

TEST_CASE("generated workloads say which of their parameters differ") {
  CHECK(short_names({R"({"generate":"halo","ranks":8})", R"({"generate":"pingpong"})"}) ==
        Strings{"halo", "pingpong"});
  CHECK(short_names({R"({"generate":"halo","ranks":8,"size":"1KiB"})",
                     R"({"generate":"halo","ranks":64,"size":"1KiB"})"}) ==
        Strings{"halo ranks=8", "halo ranks=64"});
  CHECK(short_names({R"({"path":"a/t.dim","compute_scale":2})", "\"a/t.dim\""}) ==
        Strings{"t compute_scale=2", "t"});
}

TEST_CASE("different paths have different names") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    std::set<std::string> paths;
    for (auto n = 2 + random.next() % 5; paths.size() < n;) {
      std::string path = "r";
      for (auto depth = random.next() % 4; depth > 0; --depth)
        path.append("/").append(1, "abc"[random.next() % 3]);
      paths.insert("\"" + path + (random.next() % 2 == 0 ? ".dim\"" : "\""));
    }
    const auto names = short_names({paths.begin(), paths.end()});
    CHECK_MESSAGE(std::set<std::string>(names.begin(), names.end()).size() == paths.size(), seed);
  }
}
