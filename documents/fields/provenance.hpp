// Where a document came from.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"

namespace busline {

/// Enough to run a command again. Facts of the moment (wall time) live only here, so that the rest of a
/// document is the same bytes from run to run.
struct Provenance {
  struct Input {
    std::string path, sha256;
    bool operator==(const Input&) const = default;
  };
  std::string tool = "busline";
  std::string version, commit;       ///< of the tool; no commit: left out
  std::vector<std::string> command;  ///< argv
  double wall_seconds = 0, user_seconds = 0;
  std::vector<Input> inputs;
  bool operator==(const Provenance&) const = default;
};

template <class Fields>
void describe(Fields& f, Provenance& p) {
  f.required("tool", p.tool);
  f.required("version", p.version);
  f.optional("commit", p.commit);
  f.required("command", p.command);
  f.required("wall_s", NotNegative{p.wall_seconds});
  f.required("user_s", NotNegative{p.user_seconds});
  f.optional("inputs", p.inputs);
}

template <class Fields>
void describe(Fields& f, Provenance::Input& i) {
  f.required("path", i.path);
  f.required("sha256", i.sha256);
}

}  // namespace busline
