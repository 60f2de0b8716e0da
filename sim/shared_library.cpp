#include "sim/shared_library.hpp"

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

Expected<void*> function_in(const std::string& library, const std::string& name) {
#ifdef BUSLINE_STATIC
  return missing("this program was linked without shared libraries");
#else
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
#endif
}

std::string how_to_build_with(std::string_view needed) {
#ifdef BUSLINE_STATIC
  return fmt::format("build Busline with shared libraries (the preset release), where {} is installed",
                     needed);
#else
  return fmt::format("install {} and build Busline again", needed);
#endif
}

std::string how_to_get_library([[maybe_unused]] std::string_view package, std::string_view needed) {
  auto advice = how_to_build_with(needed);
#ifndef BUSLINE_STATIC
  advice.insert(0, fmt::format("install the package {}, or ", package));
#endif
  return advice;
}

}  // namespace busline
