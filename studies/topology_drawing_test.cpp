#include "studies/topology_drawing.hpp"

#include <doctest/doctest.h>

#include "platforms/topology/test_networks.hpp"

using namespace busline;

TEST_CASE("no title of a network can begin an element of its picture") {
  const auto svg = drawing_of(made(FatTree{4, 1}), "<a> & \"b\"");
  REQUIRE(svg);
  CHECK(svg->find("&#60;a&#62; &#38; &#34;b&#34;") != svg->npos);
  CHECK(svg->find("<a>") == svg->npos);
}
