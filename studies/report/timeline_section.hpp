// The timeline of the ranks of a run: the file that 'busline simulate --timeline FILE.json' writes
// (docs/how-to/timelines.md).
#pragma once
#include <string>

#include "documents/fields/document.hpp"
#include "sim/base/error.hpp"
#include "studies/report/figure.hpp"

namespace busline::report {

/// For a file of trace events that Busline has written.
struct ReadTimeline {
  std::string title;
  Lanes lanes;  ///< kinds are timeline::kStateNames
};

/// Whether `document` is such a file; others of its format are not.
bool is_timeline(const Document& document);

/// Errors name the event that is wrong. Calls, user events and queues are passed over.
Expected<ReadTimeline> read_timeline(const Document& document);

/// The lanes, coarser if they are many, and a table of states. `source` is the document's file.
Section timeline_section(ReadTimeline timeline, const std::string& source);

}  // namespace busline::report
