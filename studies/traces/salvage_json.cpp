#include "studies/traces/salvage_json.hpp"

#include <nlohmann/json.hpp>

namespace busline {

using nlohmann::ordered_json;

ordered_json to_json(const SalvageReport& report) {
  ordered_json files = ordered_json::array(), early_ends = ordered_json::array();
  for (const auto& f : report.files) {
    ordered_json j{{"rank", f.rank}};
    if (!f.path.empty()) j["path"] = f.path;
    j["records"] = f.records;
    if (f.recorded) j["recorded"] = *f.recorded;
    if (f.offset) j["offset"] = *f.offset;
    j["why"] = f.why;
    files.push_back(std::move(j));
  }
  for (const auto& e : report.early_ends)
    early_ends.push_back({{"rank", e.rank},
                          {"operations", e.operations},
                          {"kept", e.kept},
                          {"call_number", e.call},
                          {"call", e.call_name},
                          {"waits_for", e.waits_for}});
  const auto& n = report.unmatched;
  return {
      {"files", std::move(files)},
      {"early_ends", std::move(early_ends)},
      {"left_out",
       {{"sends", n.sends}, {"receives", n.receives}, {"probes", n.probes}, {"collectives", n.collectives}}}};
}

}  // namespace busline
