// The list of 'busline-measure record --list': programs to record, each with a name (docs/how-to/record.md).
#pragma once
#include <string>
#include <vector>

#include "sim/base/error.hpp"

namespace busline::runs {

struct ListedProgram {
  std::string name;  ///< also that of its folder
  std::vector<std::string> command;
  bool operator==(const ListedProgram&) const = default;
};

/// A program on each line: "jacobi: mpirun -n 8 {} ./jacobi 'two words'". Words stand between blanks, or
/// between quotes of either kind; nothing else that shells know has a meaning. Empty lines, and lines that
/// begin with #, are skipped. Errors name the line: no name or command, a name that cannot be a folder's or
/// stands there twice, a quote that is not closed; a list without programs.
Expected<std::vector<ListedProgram>> parse_program_list(const std::string& text, const std::string& path);
Expected<std::vector<ListedProgram>> read_program_list(const std::string& path);

}  // namespace busline::runs
