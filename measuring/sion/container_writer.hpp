// Writes a SION container, without SIONlib (docs/reference/sion.md, "Writing").
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "measuring/sion/byte_order.hpp"
#include "sim/base/error.hpp"

namespace busline::sion {

/// How a container is laid out. The default is that of SIONlib's collective mode, as LinkTest uses it.
struct WriteOptions {
  ByteOrder metadata_order = ByteOrder::little;
  /// In which the streams' numbers are: noted in the file, not applied.
  ByteOrder data_order = ByteOrder::little;
  /// Each rank's chunk begins at a multiple of file_system_block; else one follows on the other.
  bool aligned = false;
  std::uint32_t file_system_block = 4096;  ///< bytes; at least 1
  /// Room for a rank in a block: a longer stream takes several. 0: each stream takes one, of its own size.
  std::uint64_t chunk_bytes = 0;
  std::uint32_t files = 1;  ///< 1 to the number of ranks, which are dealt out in runs of equal length
};

/// What is to be written: one stream per rank.
struct Streams {
  std::vector<std::uint64_t> bytes;  ///< length of each; at least one rank
  /// The content of a rank's stream. Called by rising rank of each file, and once more for every further
  /// block.
  std::function<std::string(std::uint32_t rank)> content;
};

/// Writes `path` and, for several files, `path`.000001 and so on. Each is written beside and takes its place
/// when all are complete, the first one last. Holds one stream in memory at a time. An Error is of kind
/// unreadable.
Expected<void> write_container(const std::string& path, const Streams& streams,
                               const WriteOptions& options = {});

}  // namespace busline::sion
