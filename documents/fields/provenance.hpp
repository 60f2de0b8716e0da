// Where a document came from.
#pragma once
#include <string>
#include <vector>

namespace busline {

class Fields;

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

void describe(Fields& f, Provenance& p);
void describe(Fields& f, Provenance::Input& i);

}  // namespace busline
