#include "tests/fuzz/all_targets.hpp"

#include "tests/fuzz/command_line.hpp"
#include "tests/fuzz/documents.hpp"

namespace busline::fuzz {

std::vector<FuzzTarget> all_targets() {
  const auto readers = reader_targets();
  std::vector<FuzzTarget> all(readers.begin(), readers.end());
  all.push_back({"study", fault_in_study, 4096});
  all.push_back({"report", fault_in_reported, 8192});
  all.push_back({"command_line", fault_in_command_line, 500});
  return all;
}

}  // namespace busline::fuzz
