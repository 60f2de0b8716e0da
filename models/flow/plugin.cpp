#include "models/flow/plugin.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

namespace busline {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "busline-flow-simgrid.so";

Error missing(std::string why) {
  Error e;
  e.kind = Error::Kind::unsupported;
  e.message = "the flow model is not available: " + std::move(why);
  e.hint = "it needs SimGrid: install libsimgrid-dev (Debian 12) and build Busline again";
  return e;
}

Expected<MakeFlows*> load() {
#ifdef BUSLINE_STATIC
  return tl::unexpected(missing("this program was linked without shared libraries"));
#else
  std::error_code failed;
  const auto folder = fs::read_symlink("/proc/self/exe", failed).parent_path();
  for (const auto* place : {".", "../" BUSLINE_LIBRARY_FOLDER "/busline"}) {
    const auto path = (folder / place / kLibrary).lexically_normal();
    if (!fs::exists(path, failed)) continue;
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* function = library == nullptr ? nullptr : dlsym(library, kMakeFlows);
    if (function == nullptr) return tl::unexpected(missing(dlerror()));
    return reinterpret_cast<MakeFlows*>(function);  // NOLINT(*-reinterpret-cast): dlsym has no other way
  }
  return tl::unexpected(missing(fmt::format("there is no {} beside the program", kLibrary)));
#endif
}

}  // namespace

Expected<MakeFlows*> load_flows() {
  static const auto loaded = load();
  return loaded;
}

}  // namespace busline
