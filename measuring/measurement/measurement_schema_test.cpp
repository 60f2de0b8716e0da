#include <doctest/doctest.h>

#include "documents/fields/test_schema.hpp"
#include "measuring/measurement/measurement_fields.hpp"

using namespace busline;

TEST_CASE("the schema of measurements is the one that is generated from their description") {
  check_generated<measure::Measurement>(
      BUSLINE_SOURCE_DIR "/measuring", "measurement",
      "What was measured, how often and between whom, on a real or a simulated machine");
}
