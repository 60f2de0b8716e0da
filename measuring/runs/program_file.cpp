#include "measuring/runs/program_file.hpp"

#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace busline::runs {
namespace {

namespace fs = std::filesystem;

fs::path found_in_path(const std::string& program) {
  const char* const variable = std::getenv("PATH");
  if (program.find('/') != program.npos || variable == nullptr) return program;
  std::error_code unknown;
  for (std::string_view folders = variable; !folders.empty();) {
    const auto folder = folders.substr(0, folders.find(':'));
    folders.remove_prefix(std::min(folder.size() + 1, folders.size()));
    if (const auto path = fs::path(folder) / program; fs::is_regular_file(path, unknown)) return path;
  }
  return program;
}

// Whether the file asks for a dynamic linker, which loads libraries. True of files that are not understood:
// 64-bit ELF files of this machine are.
bool has_dynamic_linker(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return true;
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_phentsize != sizeof(Elf64_Phdr))
    return true;
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    if (!file.read(reinterpret_cast<char*>(&segment), sizeof segment)) return true;
    if (segment.p_type == PT_INTERP) return true;
  }
  return false;
}

}  // namespace

std::optional<std::string> why_not_loadable(const std::string& program) {
  const auto path = found_in_path(program);
  std::error_code unknown;
  const auto mode = fs::status(path, unknown).permissions();
  if (unknown) return std::nullopt;
  if ((mode & (fs::perms::set_uid | fs::perms::set_gid)) != fs::perms::none)
    return "is set-user-id or set-group-id";
  if (!has_dynamic_linker(path)) return "is linked statically";
  return std::nullopt;
}

}  // namespace busline::runs
