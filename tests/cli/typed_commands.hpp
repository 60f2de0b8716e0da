// For the programs that test commands as a user types them: a folder for each test, and a shell in it.
#pragma once
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace busline::typed {

namespace fs = std::filesystem;

/// --busline PROGRAM --source REPOSITORY --scratch FOLDER [--update] FILE...; paths are made absolute, since
/// commands run elsewhere.
struct Arguments {
  fs::path busline, source, scratch;
  bool update = false;
  std::vector<fs::path> files;
};

inline Arguments arguments_of(int argc, char** argv) {
  Arguments given;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const auto value = [&] { return ++i < argc ? fs::path(argv[i]) : fs::path(); };
    if (word == "--busline")
      given.busline = fs::absolute(value());
    else if (word == "--source")
      given.source = fs::absolute(value());
    else if (word == "--scratch")
      given.scratch = fs::absolute(value());
    else if (word == "--update")
      given.update = true;
    else
      given.files.emplace_back(word);
  }
  return given;
}

/// SCRATCH/NAME/work, new, with links to the repository's folders of data.
inline fs::path work_folder(const Arguments& given, const std::string& name) {
  const auto work = given.scratch / name / "work";
  fs::remove_all(work.parent_path());
  fs::create_directories(work);
  for (const auto* shared : {"platforms", "validation", "studies"})
    fs::create_directory_symlink(given.source / shared, work / shared);
  return work;
}

/// Runs lines of a shell in `work`, with 'busline' in the path and without input; what they print goes to the
/// files "stdout" and "stderr" beside it, or both to the first. The status of waitpid.
inline int run_lines(const Arguments& given, const fs::path& work, const std::string& lines, bool together) {
  const auto quoted = [&](const char* file) { return "'" + (work.parent_path() / file).string() + "'"; };
  std::ofstream(work.parent_path() / "command.sh") << "cd '" << work.string() << "' || exit 99\nPATH='"
                                                   << given.busline.parent_path().string() << "':$PATH\n"
                                                   << lines;
  const auto shell = "sh " + quoted("command.sh") + " </dev/null >" + quoted("stdout") + " 2>" +
                     (together ? "&1" : quoted("stderr"));
  return std::system(shell.c_str());
}

}  // namespace busline::typed
