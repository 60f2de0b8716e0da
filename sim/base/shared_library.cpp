#include "sim/base/shared_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

namespace busline {
namespace {

tl::unexpected<Error> missing(std::string why) {
  Error e;
  e.kind = Error::Kind::unsupported;
  e.message = std::move(why);
  return tl::unexpected(std::move(e));
}

}  // namespace

std::string how_to_build_with(std::string_view needed) {
  return fmt::format("install {} and build Busline again", needed);
}

#ifdef BUSLINE_STATIC

Expected<void*> function_in(const std::string&, const std::string&) {
  return missing("this program was linked without shared libraries");
}

std::string how_to_link_with(std::string_view needed) {
  return fmt::format("build Busline with shared libraries (the preset release), where {} is installed",
                     needed);
}

std::string how_to_get_library(std::string_view, std::string_view needed) {
  return how_to_link_with(needed);
}

#else

Expected<void*> function_in(const std::string& library, const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const auto folder = fs::read_symlink("/proc/self/exe", failed).parent_path();
  for (const auto* place : {".", "../" BUSLINE_LIBRARY_FOLDER "/busline"}) {
    const auto path = (folder / place / library).lexically_normal();
    if (!fs::exists(path, failed)) continue;
    void* loaded = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* function = loaded == nullptr ? nullptr : dlsym(loaded, name.c_str());
    if (function == nullptr) return missing(dlerror());
    return function;
  }
  return missing(fmt::format("there is no {} beside the program", library));
}

std::string how_to_link_with(std::string_view needed) {
  return how_to_build_with(needed);
}

std::string how_to_get_library(std::string_view package, std::string_view needed) {
  return fmt::format("install the package {}, or {}", package, how_to_build_with(needed));
}

#endif

}  // namespace busline
