#include "studies/traces/salvage_fields.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"

namespace busline {

void describe(Fields& f, PartOfFile& p) {
  f.required("rank", Whole{p.rank, 0, UINT32_MAX}, "The rank of the file.");
  f.optional("path", p.path, "Missing if the rank has no file.");
  f.required("records", Whole{p.records, 0, INT64_MAX}, "Records that were used.");
  f.optional("recorded", Whole{p.recorded, 0, INT64_MAX}, "Expected number, if the file records it.");
  f.optional("offset", Whole{p.offset, 0, INT64_MAX}, "Offset of the first unused byte.");
  f.required("why", p.why, "What is wrong with it.");
}

void describe(Fields& f, EarlyEnd& e) {
  f.required("rank", Whole{e.rank, 0, UINT32_MAX}, "The rank that ends.");
  f.required("operations", Whole{e.operations, 0, INT64_MAX}, "Of the rank's records.");
  f.required("kept", Whole{e.kept, 0, INT64_MAX}, "Number of these operations that were used.");
  f.required("call_number", Whole{e.call, 1, INT64_MAX}, "Of the first call that is not completed.");
  f.required("call", e.call_name, "Name of the MPI function.");
  f.required("waits_for", e.waits_for,
             "What it waits for, such as 'a message from rank 3, tag 7, communicator 0'.");
}

void describe(Fields& f, Unmatched& u) {
  f.required("sends", Whole{u.sends, 0, INT64_MAX}, "Sends without a matching receive.");
  f.required("receives", Whole{u.receives, 0, INT64_MAX}, "Receives without a matching message.");
  f.required("probes", Whole{u.probes, 0, INT64_MAX}, "Probes without a matching message.");
  f.required("collectives", Whole{u.collectives, 0, INT64_MAX},
             "Non-blocking collectives that not all members started.");
}

void describe(Fields& f, SalvageReport& r) {
  f.required("files", r.files, "Files that were used only in part.");
  f.required("early_ends", r.early_ends, "Ranks that end where they would wait for something missing.");
  f.required("left_out", r.unmatched, "Operations without their counterpart.");
}

}  // namespace busline
