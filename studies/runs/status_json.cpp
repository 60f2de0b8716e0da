#include "studies/runs/status_json.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"

namespace busline {

std::string_view name_of(Result::Status status) {
  return name_in(kStatusNames, status);
}

void describe(Fields& f, BlockedRank& b) {
  f.required("rank", Whole{b.rank, 0, UINT32_MAX}, "The rank that cannot continue.");
  f.required("call_number", Whole{b.call_number, 1, INT64_MAX}, "From 1, within the rank.");
  f.required("call", b.call, "Name of the MPI function it is in.");
  f.required("waits_for", b.waits_for,
             "What it waits for, such as 'a message from rank 3, tag 7, communicator 0'.");
}

nlohmann::ordered_json to_json(const std::vector<BlockedRank>& blocked) {
  return write_value(blocked);
}

}  // namespace busline
