#include "cli/harness/mpi_source.hpp"

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "validation/mpi/mpi_testbed.hpp"

namespace busline::cli {
namespace {

bool made = false;

class MpiSource final : public TestbedSource {
 public:
  void add_options(CLI::App&, bool) override {}  // mpirun has said it all

  Expected<std::unique_ptr<measure::Testbed>> make(const DefaultJob&, std::uint64_t,
                                                   const Invocation&) override {
    made = true;
    return std::make_unique<mpi::MpiTestbed>();
  }

  std::string example(const std::string& kind, const std::string& arguments) const override {
    return fmt::format("mpirun -n 64 busline-measure {} {}", kind, arguments);
  }

  std::vector<std::string> inputs() const override { return {}; }
};

}  // namespace

std::shared_ptr<TestbedSource> mpi_source() {
  return std::make_shared<MpiSource>();
}

bool testbed_was_made() {
  return made;
}

}  // namespace busline::cli
