#include <fmt/core.h>

#include "cli/exit_codes.hpp"
#include "cli/version.hpp"

int main() {
  fmt::print("busline {}\n", busline::kVersion);
  return busline::cli::kDone;
}
