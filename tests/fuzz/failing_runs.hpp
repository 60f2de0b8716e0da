// Runs commands of busline repeatedly, each time with another failure: the n-th allocation, the n-th write
// (docs/explanation/hardening.md).
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace busline::fuzz {

/// What can fail. `arm` is called in the process that runs the command: the n-th one from then on is to fail,
/// and all after it if it fails for good. Whoever lets it fail calls tell_failed().
struct Failing {
  std::string_view what;  ///< "allocation"
  std::function<void(std::uint64_t n, bool for_good)> arm;
  std::uint64_t every = 0;  ///< which ones: every that many; 0: the first ones one by one, later ones apart
};

/// In the process that runs the command.
void tell_failed();

/// What is asked of the output of a run that failed.
enum class Output : std::uint8_t {
  complete,   ///< it is not there, or has every byte: what fails after it was written leaves it
  resumable,  ///< the same command, run again, goes on with it
};

/// Runs `command` ("busline" and its arguments; its output is dropped) until nothing fails in it any more.
/// Each run is a process of its own, which must end with 0, or with 5 if something failed, and must leave
/// `path` (empty: no file) as asked. Prints how many runs there were, or what was wrong, and then gives
/// false. `path` is gone after each run.
bool try_command(const std::vector<std::string>& command, const Failing& failing,
                 const std::filesystem::path& path, Output output);

}  // namespace busline::fuzz
