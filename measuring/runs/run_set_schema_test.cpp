#include <doctest/doctest.h>

#include "documents/fields/test_schema.hpp"
#include "measuring/runs/run_set_fields.hpp"

using namespace busline;

TEST_CASE("the schema of run sets is the one that is generated from their description") {
  check_generated<runs::RunSet>(BUSLINE_SOURCE_DIR "/measuring", "run-set",
                                "Real runs of one program on one machine, and the trace of one more");
}
