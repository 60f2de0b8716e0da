#include "platforms/dimemas/dimemas_cfg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <utility>

#include "documents/fields/printable.hpp"
#include "documents/fields/text_file.hpp"
#include "platforms/dimemas/communication_file.hpp"
#include "platforms/dimemas/configuration.hpp"

namespace busline {
namespace {

using dimemas::At;
using dimemas::Configuration;
using dimemas::EnvironmentRecord;
using dimemas::error_in_line;

constexpr std::string_view kHeader = "#DIMEMAS_CONFIGURATION";

// Dimemas 5.5: the model of a machine for both phases of every operation, with the sizes that each phase
// moves; MPI_Reduce is always constant.
CollectiveTable collective_table(FanModel model) {
  const auto cost = [](FanModel m) {
    const Fan fan{m, SizeRule::current};
    return std::vector<CollectiveCost>{{Bytes{0}, {fan, fan}}};
  };
  CollectiveTable table;
  table.fallback = cost(model);
  table.by_kind[static_cast<std::size_t>(CollectiveKind::reduce)] = cost(FanModel::constant);
  return table;
}

// A platform's name, from the name of its file.
std::string name_of(const std::string& path) {
  constexpr std::size_t kLongest = 128;
  auto name = std::filesystem::path(path).stem().string().substr(0, kLongest);
  for (auto& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '_' && c != '-') c = '-';
  if (name.empty() || std::isalnum(static_cast<unsigned char>(name[0])) == 0) name = "dimemas";
  return name;
}

// Combines the records. Every member function returns an Error or a part of the platform.
class Assembly {
 public:
  Assembly(const Configuration& c, const std::string& path, Diagnostics& diagnostics)
      : c_(c), path_(path), diagnostics_(diagnostics) {}

  Expected<Platform> platform() {
    platform_.name = name_of(path_);
    platform_.source =
        "Dimemas configuration " + printable(std::filesystem::path(path_).filename().string(), 128);
    platform_.preset = Preset::dimemas_5_5;
    if (c_.mapping) platform_.mapping = c_.mapping->value;
    for (auto step : {&Assembly::machines, &Assembly::nodes, &Assembly::mapping, &Assembly::connections,
                      &Assembly::modules, &Assembly::files})
      if (auto done = (this->*step)(); !done) return tl::unexpected(std::move(done.error()));
    return std::move(platform_);
  }

 private:
  tl::unexpected<Error> refuse(std::size_t line, std::string where, std::string message) const {
    return tl::unexpected(error_in_line(path_, line, std::move(where), std::move(message)));
  }
  tl::unexpected<Error> refuse(std::string message) const {
    return refuse_file(Error::Kind::bad_input, path_, std::move(message));
  }

  Expected<void> machines() {
    if (!c_.wan) return refuse("there is no 'wide area network information' record");
    const auto count = c_.wan->value.machines;
    if (c_.environments.size() != count)
      return refuse(c_.wan->line, "wide area network information",
                    fmt::format("number of machines: {}, but there are {} 'environment information' records",
                                count, c_.environments.size()));
    environments_.resize(count);
    for (const auto& e : c_.environments) {
      if (e.value.id >= count)
        return refuse(e.line, "environment information",
                      fmt::format("machine id: expected 0 to {}, found {}", count - 1, e.value.id));
      auto& place = environments_[e.value.id];
      if (place != nullptr)
        return refuse(
            e.line, "environment information",
            fmt::format("machine id: {} is given twice, first in line {}", e.value.id, place->line));
      place = &e;
    }
    for (const auto* e : environments_) {
      MachineGroup m;
      if (count > 1) m.name = e->value.name;
      m.network.bandwidth = e->value.bandwidth;
      m.network.buses = e->value.buses;
      (count > 1 ? m.collectives : platform_.mpi.collectives) = collective_table(e->value.collectives);
      platform_.machines.push_back(std::move(m));
    }
    if (count > 1) {
      platform_.wan.bandwidth = c_.wan->value.bandwidth;
      platform_.wan.collectives = collective_table(c_.wan->value.collectives);
    }
    return {};
  }

  // Nodes get their ids in the order of their records; a machine has the range of ids that follows from the
  // machines before it (simulator.c). The machine named in a record only serves for counting.
  Expected<void> nodes() {
    std::vector<std::uint64_t> counted(environments_.size());
    for (const auto& n : c_.nodes) {
      if (n.value.machine >= counted.size())
        return refuse(
            n.line, "node information",
            fmt::format("machine id: expected 0 to {}, found {}", counted.size() - 1, n.value.machine));
      counted[n.value.machine] += n.value.nodes.count;
    }
    for (std::size_t m = 0; m < environments_.size(); ++m) {
      const auto& e = *environments_[m];
      if (counted[m] != e.value.nodes)
        return refuse(e.line, "environment information",
                      fmt::format("number of nodes: {}, but {} are described for machine {}", e.value.nodes,
                                  counted[m], m));
      total_nodes_ += counted[m];
    }
    if (total_nodes_ > kMaxNodes)
      return refuse(fmt::format("{} nodes, expected {} at most", total_nodes_, kMaxNodes));

    platform_.wan.latency = environments_.size() > 1 ? *c_.nodes[0].value.nodes.wan_latency : Duration{};
    std::size_t m = 0;
    auto room = environments_[0]->value.nodes;
    for (const auto& n : c_.nodes)
      for (auto left = n.value.nodes.count; left > 0;) {
        while (room == 0) room = environments_[++m]->value.nodes;
        if (m != n.value.machine) warn_of_other_machine(n, m);
        const auto here = std::min(left, room);
        add_nodes(platform_.machines[m], n.value.nodes, here);
        left -= here;
        room -= here;
      }
    return {};
  }

  void warn_of_other_machine(const At<dimemas::NodeRecord>& n, std::size_t machine) {
    diagnostics_.push_back(dimemas::remark(
        Diagnostic::Severity::warning, "node-of-other-machine",
        fmt::format("nodes of machine {} are assigned to machine {}: ids follow the order of records",
                    n.value.machine, machine),
        path_, n.line));
  }

  // Latencies common to all nodes go into the network, where --set finds them.
  void add_nodes(MachineGroup& machine, NodeGroup group, std::uint32_t count) {
    if (machine.nodes.empty()) machine.network.latency = *group.latency;
    if (group.latency == machine.network.latency) group.latency.reset();
    if (environments_.size() == 1 || group.wan_latency == platform_.wan.latency) group.wan_latency.reset();
    if (!machine.nodes.empty()) {
      auto& last = machine.nodes.back();
      group.count = last.count;
      if (group == last) {
        last.count += count;
        return;
      }
    }
    group.count = count;
    machine.nodes.push_back(group);
  }

  Expected<void> mapping() {
    if (!c_.mapping) return {};
    for (const auto node : platform_.mapping.nodes)
      if (node >= total_nodes_)
        return refuse(
            c_.mapping->line, "mapping information",
            fmt::format("node of each task: there is no node {}, expected 0 to {}", node, total_nodes_ - 1));
    return {};
  }

  Expected<void> connections() {
    const auto count = c_.wan->value.connections;
    if (c_.connections.size() != count)
      return refuse(c_.wan->line, "wide area network information",
                    fmt::format("number of dedicated connections: {}, but there are {} records of them",
                                count, c_.connections.size()));
    const std::string where = "dedicated connection information";
    std::map<std::uint32_t, const At<dimemas::ConnectionRecord>*> by_id;
    for (const auto& r : c_.connections) {
      for (const auto machine : {r.value.connection.machine_a, r.value.connection.machine_b})
        if (machine >= environments_.size())
          return refuse(
              r.line, where,
              fmt::format("there is no machine {}, expected 0 to {}", machine, environments_.size() - 1));
      if (r.value.connection.machine_a == r.value.connection.machine_b)
        return refuse(r.line, where,
                      fmt::format("expected two machines, found {} twice", r.value.connection.machine_a));
      const auto [place, is_new] = by_id.emplace(r.value.id, &r);
      if (!is_new)
        return refuse(r.line, where,
                      fmt::format("connection id: {} is given twice, first in line {}", r.value.id,
                                  place->second->line));
    }
    for (const auto& [id, r] : by_id) platform_.dedicated_connections.push_back(r->value.connection);
    return {};
  }

  Expected<void> modules() {
    std::map<std::pair<std::uint32_t, std::int64_t>, std::size_t> lines;
    for (const auto& m : c_.modules) {
      const auto [place, is_new] = lines.emplace(std::pair{m.value.type, m.value.value}, m.line);
      if (!is_new)
        return refuse(m.line, "modules information",
                      fmt::format("this event already has a module, in line {}", place->second));
      platform_.modules.push_back(m.value);
    }
    return {};
  }

  Expected<void> files() {
    if (!c_.files) return {};
    const auto folder = std::filesystem::path(path_).parent_path();
    const auto named_here = [&](Error e) {
      if (e.kind == Error::Kind::unreadable)
        e.hint = fmt::format("{}, line {}, names this file", path_, c_.files->line);
      return tl::unexpected(std::move(e));
    };
    if (const auto& name = c_.files->value.scheduler; !name.empty()) {
      const auto cost = read_scheduler((folder / name).string(), diagnostics_);
      if (!cost) return named_here(cost.error());
      platform_.context_switch = *cost;
    }
    if (const auto& name = c_.files->value.communication; !name.empty()) {
      const auto file = (folder / name).string();
      const auto text = read_text_file(file);
      if (!text) return named_here(text.error());
      if (auto read = dimemas::read_communication_file(*text, file, platform_, diagnostics_); !read)
        return read;
      if (environments_.size() == 1) platform_.wan = {};  // nothing is outside
    }
    return {};
  }

  const Configuration& c_;
  const std::string& path_;
  Diagnostics& diagnostics_;
  Platform platform_;
  std::vector<const At<EnvironmentRecord>*> environments_;  // by machine id
  std::uint64_t total_nodes_ = 0;
};

}  // namespace

bool is_dimemas_cfg(std::string_view text) {
  constexpr std::size_t kWithin = 31;
  return text.substr(0, std::min(text.find('\n'), kWithin)).find(kHeader) != std::string_view::npos;
}

Expected<Platform> read_dimemas_cfg(const std::string& path, Diagnostics& diagnostics) {
  return read_text_file(path).and_then(
      [&](const std::string& text) { return parse_dimemas_cfg(text, path, diagnostics); });
}

Expected<Platform> parse_dimemas_cfg(std::string_view text, const std::string& path,
                                     Diagnostics& diagnostics) {
  if (!is_dimemas_cfg(text)) {
    auto e = error_in_line(path, 1, {}, fmt::format("expected '{}' at the start of the first line", kHeader));
    if (text.substr(0, 5) == "SDDFA")
      e.hint = "this is the format of Dimemas before version 5, which Dimemas 5 does not read either";
    return tl::unexpected(std::move(e));
  }
  const auto records = dimemas::split_records(text, path, diagnostics);
  if (!records) return tl::unexpected(records.error());
  const auto configuration = dimemas::read_configuration(*records, path, diagnostics);
  if (!configuration) return tl::unexpected(configuration.error());
  return Assembly(*configuration, path, diagnostics).platform();
}

}  // namespace busline
