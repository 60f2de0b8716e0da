// The header and footer of a DUMPI rank's file, as 'busline inspect --header' shows them: a page of text, or
// a document "busline/trace-header/1".
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "workloads/dumpi/format/trace_file.hpp"

namespace busline {

nlohmann::ordered_json header_json(const dumpi::TraceFile& file);
/// Shows only the first elements of long lists unless `full`.
std::string header_text(const dumpi::TraceFile& file, bool full);

}  // namespace busline
