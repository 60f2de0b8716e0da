#include "measuring/runs/program_file.hpp"

#include <doctest/doctest.h>
#include <elf.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>

#include "measuring/runs/recording.hpp"
#include "workloads/files/test_folder.hpp"

using namespace busline;
using namespace busline::runs;

namespace {

namespace fs = std::filesystem;

// An ELF file with one segment of this type.
std::string program_with(std::uint32_t segment_type) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 1;
  Elf64_Phdr segment{};
  segment.p_type = segment_type;
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) +
         std::string(reinterpret_cast<const char*>(&segment), sizeof segment);
}

}  // namespace

TEST_CASE("no library can be loaded into a program without a dynamic linker, or that changes the user") {
  const TestFolder folder;
  folder.write("dynamic", program_with(PT_INTERP));
  folder.write("static", program_with(PT_LOAD));
  CHECK(!why_not_loadable(folder.file("dynamic")));
  CHECK(why_not_loadable(folder.file("static")) == "is linked statically");
  fs::permissions(folder.file("dynamic"), fs::perms::set_uid, fs::perm_options::add);
  CHECK(why_not_loadable(folder.file("dynamic")) == "is set-user-id or set-group-id");
}

TEST_CASE("of a script, a cut file and a file that is not there nothing is said") {
  const TestFolder folder;
  folder.write("script", "#!/bin/sh\n");
  folder.write("cut", program_with(PT_LOAD).substr(0, sizeof(Elf64_Ehdr) + 8));
  for (const char* program : {"script", "cut", "nothing"}) CHECK(!why_not_loadable(folder.file(program)));
  CHECK(!why_not_loadable(""));
}

TEST_CASE("a program that is linked statically is named where its runs leave no times") {
  const TestFolder folder;
  folder.write("static", program_with(PT_LOAD));
  RecordingOptions options;
  options.command = {"true", "{}", folder.file("static")};
  options.folder = folder.file("runs");
  const auto set = record_runs(options);
  REQUIRE(!set);
  CHECK(set.error().message == "is linked statically, so that no library can be loaded into it");
}
