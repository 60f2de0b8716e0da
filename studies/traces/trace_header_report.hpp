// What stands around the records of a DUMPI rank's file, as 'busline inspect --header' shows it: a page of
// text, or a document "busline/trace-header/1".
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "workloads/dumpi/format/trace_file.hpp"

namespace busline {

nlohmann::ordered_json header_json(const dumpi::TraceFile& file);
/// For long lists only the first elements unless `full`.
std::string header_text(const dumpi::TraceFile& file, bool full);

}  // namespace busline
