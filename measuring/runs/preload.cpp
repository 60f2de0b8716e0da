#include "measuring/runs/preload.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "workloads/files/output_file.hpp"

namespace busline::runs {
namespace {

namespace fs = std::filesystem;

// For a shell.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

Expected<void> write_script(const Preload& preload, const std::string& path) {
  std::string text =
      "#!/bin/sh\n# Loads a library of busline-measure into a program: SCRIPT PROGRAM ARGUMENT...\n";
  for (const auto& v : preload.variables)
    text.append("export ").append(v.name).append("=").append(quoted(v.value)).append("\n");
  text.append("export LD_PRELOAD=")
      .append(quoted(preload.library))
      .append("\"${LD_PRELOAD:+:$LD_PRELOAD}\"\n");
  text.append("exec \"$@\"\n");
  if (auto written = write_file(path, text); !written) return written;
  std::error_code failed;
  fs::permissions(path, fs::perms::owner_exec | fs::perms::group_exec, fs::perm_options::add, failed);
  if (!failed) return {};
  return refuse_file(Error::Kind::unreadable, path, failed.message());
}

}  // namespace

bool marks_program(const std::vector<std::string>& command) {
  return std::find(command.begin(), command.end(), kProgramMark) != command.end();
}

std::string program_name(const std::vector<std::string>& command) {
  const auto mark = std::find(command.begin(), command.end(), kProgramMark);
  if (mark == command.end() || mark + 1 == command.end()) return {};
  return fs::path(mark[1]).filename().string();
}

Expected<LoadedCommand> load_into(const std::vector<std::string>& command, const Preload& preload,
                                  const std::string& script) {
  LoadedCommand loaded{command, {}};
  if (marks_program(command)) {
    if (auto written = write_script(preload, script); !written)
      return tl::unexpected(std::move(written.error()));
    std::replace(loaded.words.begin(), loaded.words.end(), std::string(kProgramMark), script);
    return loaded;
  }
  loaded.variables = preload.variables;
  const char* const before = std::getenv("LD_PRELOAD");
  loaded.variables.push_back(
      {"LD_PRELOAD", before == nullptr ? preload.library : preload.library + ":" + before});
  return loaded;
}

}  // namespace busline::runs
