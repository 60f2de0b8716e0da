#include "studies/report/read_run.hpp"

#include <utility>

#include "documents/fields/object.hpp"
#include "studies/runs/result_fields.hpp"

namespace busline::report {

Expected<SimulateReport> read_run(const Document& document) {
  SimulateReport run;
  if (auto read = read_value(Cursor(document), run); !read) return tl::unexpected(std::move(read.error()));
  return run;
}

}  // namespace busline::report
