#include "cli/platform_of_machine.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

namespace busline::cli {

namespace fs = std::filesystem;

Expected<std::string> platform_of_machine(const std::string& path, const std::string& machine,
                                          const std::string& whom) {
  std::error_code unknown;
  if (!fs::is_directory(path, unknown)) return path;
  auto file = (fs::path(path) / (machine + ".json")).string();
  if (fs::exists(file, unknown)) return file;
  return refuse_file(Error::Kind::bad_input, std::move(file), "does not exist: the platform for " + whom,
                     "a folder of platforms has a NAME.json for each machine");
}

}  // namespace busline::cli
