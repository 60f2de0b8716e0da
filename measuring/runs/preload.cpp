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

// Launchers number the ranks of a node: Open MPI, MPICH and Intel MPI, Slurm, PALS. A process that may use
// one CPU only, because its launcher bound it, stays there.
constexpr const char* kPin =
    R"(rank=${OMPI_COMM_WORLD_LOCAL_RANK:-${MPI_LOCALRANKID:-${SLURM_LOCALID:-$PALS_LOCAL_RANKID}}}
if [ -z "$rank" ]; then
  echo "--pin: the launcher does not number the ranks of a node; bind them with its own options" >&2
  exit 1
fi
cpus=
for part in $(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status | tr , ' '); do
  cpu=${part%-*}
  while [ "$cpu" -le "${part#*-}" ]; do
    cpus="$cpus $cpu"
    cpu=$((cpu + 1))
  done
done
cpu=$(echo $cpus | cut -d ' ' -f $((rank % $(echo $cpus | wc -w) + 1)))
taskset -cp "$cpu" $$ >/dev/null || exit 1
)";

Expected<void> write_script(const Preload& preload, const std::string& path) {
  std::string text =
      "#!/bin/sh\n# Loads a library of busline-measure into a program: SCRIPT PROGRAM ARGUMENT...\n";
  if (preload.pin) text += kPin;
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

std::string program_word(const std::vector<std::string>& command) {
  const auto mark = std::find(command.begin(), command.end(), kProgramMark);
  if (mark == command.end() || mark + 1 == command.end()) return {};
  return mark[1];
}

std::string program_name(const std::vector<std::string>& command) {
  return fs::path(program_word(command)).filename().string();
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
