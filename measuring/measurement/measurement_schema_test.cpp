#include <doctest/doctest.h>

#include "documents/fields/test_schema.hpp"
#include "measuring/measurement/measurement_fields.hpp"

using namespace busline;

TEST_CASE("the schema of measurements is the one that is generated from their description") {
  check_generated<measure::Measurement>(
      BUSLINE_SOURCE_DIR "/measuring", "measurement",
      "Measurements on a real or a simulated machine: what, how often and between which ranks");
}
