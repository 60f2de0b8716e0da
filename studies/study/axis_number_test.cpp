// Values of axes as numbers, and columns of them.
#include "studies/study/axis_number.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace busline;
using Strings = std::vector<std::string>;

TEST_CASE("values of axes are numbers where they are quantities") {
  CHECK(axis_number("4") == AxisNumber{4, QuantityKind::number});
  CHECK(axis_number("\"2us\"") == AxisNumber{2e6, QuantityKind::time});
  CHECK(axis_number("\"10 Gbps\"") == AxisNumber{1.25e9, QuantityKind::bandwidth});
  CHECK(axis_number("\"64KiB\"") == AxisNumber{65536, QuantityKind::bytes});
  for (const auto* other : {"\"unlimited\"", "\"ideal\"", "[1]"}) CHECK_FALSE(axis_number(other));
}

TEST_CASE("numbers for other programs are in SI units") {
  CHECK(si_of(*axis_number("\"2us\"")) == 2e-6);
  CHECK(si_of(*axis_number("\"1 Gbps\"")) == 1.25e8);
  CHECK(si_of(*axis_number("\"1KiB\"")) == 1024);
  CHECK(si_of(*axis_number("3")) == 3);
}

TEST_CASE("a column of an axis has one unit, whatever units its values were given in") {
  const Strings latencies{"\"500ns\"", "\"1.5us\"", "\"0.1ms\"", "\"unlimited\""};
  const AxisColumn column("latency", latencies);
  CHECK(column.heading() == "latency [us]");
  CHECK(column.text({latencies[0], "500ns"}) == "0.5");
  CHECK(column.text({latencies[1], "1.5us"}) == "1.5");
  CHECK(column.text({latencies[2], "0.1ms"}) == "100");
  CHECK(column.text({latencies[3], "unlimited"}) == "unlimited");
  const AxisColumn rates("bandwidth", {"\"1 Gbps\"", "\"2.5Gbps\"", "\"unlimited\""});
  CHECK(rates.heading() == "bandwidth [Gbps]");
  CHECK(rates.text({"\"2.5Gbps\"", "2.5Gbps"}) == "2.5");
  const AxisColumn sizes("size", {"\"64KiB\"", "\"1MiB\""});
  CHECK(sizes.heading() == "size [KiB]");
  CHECK(sizes.text({"\"1MiB\"", "1MiB"}) == "1024");
}

TEST_CASE("numbers of several kinds, and plain ones, stay as they are given") {
  const AxisColumn mixed("x", {"\"1us\"", "\"1KiB\""});
  CHECK(mixed.heading() == "x");
  CHECK(mixed.text({"\"1us\"", "1us"}) == "1us");
  const AxisColumn plain("buses", {"1", "\"unlimited\""});
  CHECK(plain.heading() == "buses");
  CHECK(plain.text({"1", "1"}) == "1");
}
