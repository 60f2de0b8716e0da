#include "studies/machines/topology_drawing.hpp"

#include <doctest/doctest.h>

#include "platforms/topology/test_networks.hpp"

using namespace busline;

TEST_CASE("no title of a network can begin an element of its picture") {
  const auto svg = drawing_of(made(FatTree{4, 1}), "<a> & \"b\"");
  REQUIRE(svg);
  CHECK(svg->find("&#60;a&#62; &#38; &#34;b&#34;") != svg->npos);
  CHECK(svg->find("<a>") == svg->npos);
}

TEST_CASE("a picture is XML whatever its title holds") {
  const auto svg = drawing_of(made(FatTree{4, 1}), "a\x1b[2Jb\xff \xc3\xa4");
  REQUIRE(svg);
  CHECK(svg->find("a\\x1b[2Jb\\xff \xc3\xa4") != svg->npos);
}
