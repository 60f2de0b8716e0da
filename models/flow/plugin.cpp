#include "models/flow/plugin.hpp"

#include "sim/shared_library.hpp"

namespace busline {
namespace {

Expected<MakeFlows*> load() {
  const auto function = function_in("busline-flow-simgrid.so", kMakeFlows);
  if (function)
    return reinterpret_cast<MakeFlows*>(*function);  // NOLINT(*-reinterpret-cast): dlsym has no other way
  auto e = function.error();
  e.message.insert(0, "the flow model is not available: ");
  e.hint = "it needs SimGrid: install libsimgrid-dev (Debian 12) and build Busline again";
  return tl::unexpected(std::move(e));
}

}  // namespace

Expected<MakeFlows*> load_flows() {
  static const auto loaded = load();
  return loaded;
}

}  // namespace busline
