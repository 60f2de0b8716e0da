#include "models/flow/plugin.hpp"

#include "sim/base/shared_library.hpp"

namespace busline {
namespace {

Expected<MakeFlows*> load() {
  const auto function = function_in("busline-flow-simgrid.so", kMakeFlows);
  if (function)
    return reinterpret_cast<MakeFlows*>(*function);  // NOLINT(*-reinterpret-cast): dlsym has no other way
  auto e = function.error();
  e.message.insert(0, "SimGrid's solver cannot be loaded: ");
  e.hint = how_to_get_simgrid_flows();
  return tl::unexpected(std::move(e));
}

}  // namespace

std::string how_to_get_simgrid_flows() {
  return how_to_get_library("busline-simgrid", "libsimgrid-dev");
}

Expected<MakeFlows*> load_flows() {
  static const auto loaded = load();
  return loaded;
}

}  // namespace busline
