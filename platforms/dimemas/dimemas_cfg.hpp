// Reads Dimemas's platform files (.cfg of Dimemas 5.5), and the small files that they name, into a Platform
// with preset dimemas_5_5 (docs/reference/dimemas-cfg.md).
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "platforms/description/platform.hpp"
#include "sim/base/error.hpp"

namespace busline {

/// True if the first line names a Dimemas configuration, in its first 31 characters, as Dimemas requires.
bool is_dimemas_cfg(std::string_view text);

/// Reads a .cfg and the scheduler and communication files that it names (relative to its own folder).
/// Latencies are seconds everywhere, bandwidths 2^20 bytes/s with 0 for unlimited. Errors name file, line,
/// record and field. Records without effect on MPI traces, and places where Dimemas itself reads the file
/// differently, go to `diagnostics`; what cannot be simulated (random files, GPUs, policies other than FIFO)
/// is an Error of kind unsupported.
Expected<Platform> read_dimemas_cfg(const std::string& path, Diagnostics& diagnostics);
/// The same from the text of a .cfg; `path` names it in messages and locates its other files.
Expected<Platform> parse_dimemas_cfg(std::string_view text, const std::string& path,
                                     Diagnostics& diagnostics);

/// Reads a Dimemas scheduler file (-s) and returns its context-switch cost. Policies other than FIFO and a
/// busy wait with an effect are Errors of kind unsupported.
Expected<Duration> read_scheduler(const std::string& path, Diagnostics& diagnostics);

/// The changes to a platform that Dimemas's own command line allows.
struct DimemasOverrides {
  std::optional<Bandwidth> bandwidth;  ///< --bandwidth: of the network of every machine
  std::optional<Duration> latency;     ///< --latency: network latency of every node
  std::optional<Bytes>
      rendezvous_from;     ///< -S: rendezvous from this size on; the trace's own bits are ignored
  bool all_eager = false;  ///< -F: the trace's rendezvous bits are ignored
  std::optional<std::string> scheduler;  ///< -s: path of a scheduler file; replaces the .cfg's
};

/// Numbers as in Dimemas, for a .cfg: "64K" (K, M, G: powers of 1024), "100.5" (2^20 bytes/s; 0: unlimited),
/// "1e-5" (seconds). Errors are of kind bad_option and name `option`.
Expected<Bytes> parse_dimemas_size(std::string_view text, std::string_view option);
Expected<Bandwidth> parse_dimemas_bandwidth(std::string_view text, std::string_view option);
Expected<Duration> parse_dimemas_latency(std::string_view text, std::string_view option);

/// Changes `platform` in place. An Error for a latency of more than 10 days, or from reading the scheduler
/// file; the platform is then invalid.
Expected<void> apply_overrides(Platform& platform, const DimemasOverrides& overrides,
                               Diagnostics& diagnostics);

}  // namespace busline
