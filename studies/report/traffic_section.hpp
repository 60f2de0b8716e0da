// Which ranks communicate in a trace: the document that 'busline inspect --stats --json' prints
// (docs/how-to/inspect.md).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "documents/fields/document.hpp"
#include "sim/base/error.hpp"
#include "studies/report/figure.hpp"

namespace busline::report {

struct Traffic {
  struct Pair {
    std::uint32_t source = 0, destination = 0;
    std::uint64_t messages = 0, bytes = 0;
  };
  struct Size {
    std::uint64_t from_bytes = 0, messages = 0, bytes = 0;
  };
  struct Function {
    std::string name;
    std::uint64_t calls = 0, run_ns = 0, bytes = 0;
  };
  std::string trace;
  std::uint64_t ranks = 0, calls = 0, messages = 0, bytes = 0;
  std::vector<Pair> pairs;  ///< none: one rank's statistics alone
  std::vector<Size> sizes;
  std::vector<Function> functions;
};

/// Errors name the member that is missing or wrong.
Expected<Traffic> read_traffic(const Document& document);

/// The communication matrix, the sizes of messages, and the calls. `source` is the document's file.
Section traffic_section(const Traffic& traffic, const std::string& source);

}  // namespace busline::report
