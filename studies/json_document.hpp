// The JSON documents that commands print: how they are laid out, and where they say what they came from.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/error.hpp"

namespace busline {

/// Enough to run a command again. Facts of the moment (wall time) live only here, so that the rest of a
/// document is the same bytes from run to run.
struct Provenance {
  struct Input {
    std::string path, sha256;
  };
  std::string version, commit;       ///< of this program; no commit: left out
  std::vector<std::string> command;  ///< argv
  std::vector<Input> inputs;
  double wall_seconds = 0, user_seconds = 0;
};

nlohmann::ordered_json to_json(const Provenance& provenance);
nlohmann::ordered_json to_json(const Diagnostics& diagnostics);

/// `document` (an object) as text for people and programs: one member a line, and in lists of objects one
/// element a line. What is not UTF-8 is replaced, since names come out of traces. Ends with a newline.
std::string document_text(const nlohmann::ordered_json& document);

}  // namespace busline
