#include "sim/results/resource_name.hpp"

#include <doctest/doctest.h>

using namespace busline;

TEST_CASE("the name of a resource contains its owner, and reads back") {
  using enum ResourceKind;
  struct Case {
    ResourceId id;
    const char* label;
    const char* name;
    const char* of_class;
  };
  for (const auto& c : {Case{{bus, ResourceId::kOnly}, "", "network/buses", "network/buses"},
                        Case{{bus, 1}, "", "machine 1/buses", "machine 1/buses"},
                        Case{{link_out, 3}, "", "node 3/links out", "links out"},
                        Case{{links, 3}, "", "node 3/links", "links"},
                        Case{{memory_bus, 0}, "", "node 0/memory buses", "memory buses"},
                        Case{{port_in, 7}, "", "rank 7/memory/links in", "rank 7/memory/links in"},
                        Case{{wan_out, 1}, "", "machine 1/wan/links out", "machine 1/wan/links out"},
                        Case{{connection, 2}, "", "dedicated connection 2", "dedicated connection 2"},
                        Case{{host_link_in, 4}, "", "node 4/host link in", "host link in"},
                        Case{{host_link_out, 4, 1}, "", "node 4/host link 1 out", "host link 1 out"},
                        Case{{switch_link, 5},
                             "from switch leaf 0 to spine 1",
                             "link 5 from switch leaf 0 to spine 1/switch links",
                             "switch links"},
                        Case{{other}, "node 007/links out", "node 007/links out", "node 007/links out"},
                        Case{{other}, "what is new", "what is new", "what is new"}}) {
    CAPTURE(c.name);
    ResourceResult r;
    r.id = c.id;
    r.label = c.label;
    CHECK(name_of(r) == c.name);
    CHECK(class_name_of(r) == c.of_class);
    ResourceResult read;
    set_name(read, c.name);
    CHECK(read.id == c.id);
    CHECK(read.label == c.label);
  }
}
