#include "models/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/run/run_models.hpp"
#include "platforms/noise_draws.hpp"

namespace busline {
namespace {

Error misfit(std::string message) {
  Error e;
  e.kind = Error::Kind::bad_option;
  e.message = std::move(message);
  return e;
}

/// Whether links and buses carry one message after another, or all messages at once.
Expected<Result> run_dimemas(const Program& program, const Platform& platform, const Machine& machine,
                             const SimulateOptions& options) {
  const bool exclusive = platform.machines.front().network.sharing == Network::Sharing::exclusive;
  return (exclusive ? run_with_links_and_buses : run_with_sharing)(program, platform, machine, options);
}

struct Model {
  ModelName name;
  Expected<Result> (*run)(const Program&, const Platform&, const Machine&, const SimulateOptions&);
};

/// The registry: add a line here for a new model.
const std::vector<Model>& models() {
  static const std::vector<Model> all{
      {{"dimemas", "nodes with L links, B buses, fan-in/fan-out collectives"}, run_dimemas},
      {{"ideal", "the same costs without contention: a lower bound, and faster"}, run_ideal},
      {{"flow", "max-min fair flows over the platform's topology", true}, run_flow},
  };
  return all;
}

const Model* find_model(const std::string& name) {
  const auto found =
      std::find_if(models().begin(), models().end(), [&](const Model& m) { return m.name.name == name; });
  return found == models().end() ? nullptr : &*found;
}

}  // namespace

const std::vector<ModelName>& model_names() {
  static const std::vector<ModelName> names = [] {
    std::vector<ModelName> n;
    for (const auto& m : models()) n.push_back(m.name);
    return n;
  }();
  return names;
}

Expected<void> check_model(const std::string& name) {
  if (find_model(name) != nullptr) return {};
  auto error = misfit(fmt::format("there is no model '{}'", name));
  for (const auto& m : models()) error.hint += (error.hint.empty() ? "expected one of " : ", ") + m.name.name;
  return tl::unexpected(std::move(error));
}

Expected<Result> simulate(const Program& program, const Platform& platform, const Machine& machine,
                          const SimulateOptions& options) {
  if (auto known = check_model(options.model); !known) return tl::unexpected(std::move(known.error()));
  if (machine.rank_node.size() != program.ranks())
    return tl::unexpected(misfit(fmt::format("the mapping places {} ranks, the workload has {}",
                                             machine.rank_node.size(), program.ranks())));
  if (platform.dedicated_connections.size() > 256)
    return tl::unexpected(misfit("more than 256 dedicated connections"));
  const auto* const model = find_model(options.model);
  if (options.noise_seed == 0) return model->run(program, platform, machine, options);
  return model->run(with_noise(program, machine, platform.noise, options.noise_seed), platform, machine,
                    options);
}

}  // namespace busline
