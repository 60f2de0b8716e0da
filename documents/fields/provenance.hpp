// The origin of a document.
#pragma once
#include <string>
#include <vector>

namespace busline {

class Fields;

/// Enough to run a command again. Facts that vary between runs (wall time) are only here, so that the rest of
/// a document is byte-identical from run to run.
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

void describe(Fields& f, Provenance& p);
void describe(Fields& f, Provenance::Input& i);

}  // namespace busline
