#include "studies/runs/status_json.hpp"

#include <nlohmann/json.hpp>

namespace busline {

using nlohmann::ordered_json;

std::string_view name_of(Result::Status status) {
  switch (status) {
    case Result::Status::complete:
      return "complete";
    case Result::Status::deadlock:
      return "deadlock";
    case Result::Status::clock_overflow:
      return "clock-overflow";
    case Result::Status::interrupted:
      return "interrupted";
  }
  return "";
}

ordered_json to_json(const std::vector<BlockedRank>& blocked) {
  ordered_json list = ordered_json::array();
  for (const auto& b : blocked)
    list.push_back(
        {{"rank", b.rank}, {"call_number", b.call_number}, {"call", b.call}, {"waits_for", b.waits_for}});
  return list;
}

}  // namespace busline
