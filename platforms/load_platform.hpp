// Loads a platform as named on the command line: a .json document, a Dimemas .cfg or LogGOPS parameters, then
// the overrides in Dimemas's style, then --set in the order given.
#pragma once
#include <string>
#include <vector>

#include "platforms/description/platform.hpp"
#include "platforms/dimemas/dimemas_cfg.hpp"
#include "sim/base/error.hpp"

namespace busline {

struct LoadOptions {
  DimemasOverrides overrides;
  std::vector<std::string> sets;  ///< "/network/buses=4"
};

/// The kind of a file, by its content (a Dimemas header line, options of LogGOPSim), whatever its name.
enum class PlatformFormat { json, dimemas_cfg, loggops };
Expected<PlatformFormat> platform_format(const std::string& path);

/// Reads `path` and applies the options. For a .cfg and LogGOPS parameters, --set points into the document
/// that `busline convert` would write. Errors as in platform_json.hpp and dimemas_cfg.hpp.
Expected<Platform> load_platform(const std::string& path, const LoadOptions& options,
                                 Diagnostics& diagnostics);
Expected<Platform> load_platform(const std::string& path, Diagnostics& diagnostics);

}  // namespace busline
