// The records of a .cfg before they are combined: one struct per kind of record, units converted.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platforms/description/platform.hpp"
#include "platforms/dimemas/records.hpp"
#include "sim/base/error.hpp"

namespace busline::dimemas {

inline constexpr std::uint32_t kMaxMachines = 1000;

struct WanRecord {
  std::uint32_t machines = 1, connections = 0;
  Bandwidth bandwidth;
  FanModel collectives = FanModel::constant;
};
struct EnvironmentRecord {
  std::string name;
  std::uint32_t id = 0, nodes = 0;
  Bandwidth bandwidth;
  Count buses = kUnlimited;
  FanModel collectives = FanModel::constant;
};
struct NodeRecord {
  std::uint32_t machine = 0;
  NodeGroup nodes;  ///< with latency and wan_latency
};
struct FileNames {
  std::string scheduler, communication;
};
struct ConnectionRecord {
  std::uint32_t id = 0;
  DedicatedConnection connection;
};

template <class T>
struct At {
  std::size_t line = 0;
  T value;
};

struct Configuration {
  std::optional<At<WanRecord>> wan;
  std::vector<At<EnvironmentRecord>> environments;
  std::vector<At<NodeRecord>> nodes;
  std::optional<At<Mapping>> mapping;
  std::optional<At<FileNames>> files;
  std::vector<At<ModuleFactor>> modules;
  std::vector<At<ConnectionRecord>> connections;
};

/// Reads every record; those without effect here go to `diagnostics`.
Expected<Configuration> read_configuration(const std::vector<Record>& records, const std::string& path,
                                           Diagnostics& diagnostics);

}  // namespace busline::dimemas
