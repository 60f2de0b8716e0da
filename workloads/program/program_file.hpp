// Program files (docs/reference/program-file.md): a Program as it is in memory, to be mapped. A trace is
// decoded once and then opens at once.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"
#include "workloads/files/origin.hpp"
#include "workloads/files/output_file.hpp"

namespace busline {

/// Writes `program` to `sink`. The same arguments give the same bytes. `progress`, if any, is called with the
/// written share and stops the writing by returning false; the result is then false. Errors are the sink's,
/// or say that this machine is not little-endian. Texts and lists may have 2^32 - 1 entries or bytes each.
Expected<bool> write_program(const Program& program, const Origin& origin, ByteSink& sink,
                             const std::function<bool(double)>& progress = {});

struct ProgramFile {
  Program program;
  Origin origin;
};

/// Maps the file at `path`. The Program's tables stay in the file, except names, labels and communicators'
/// members; its copies keep the mapping alive. The file must not change meanwhile (write_program to an
/// OutputFile replaces it and leaves the old one intact). Nothing is trusted: sizes, checksums and every rule
/// of sim/program/program_rules.hpp are checked, and the first violation is an Error with its offset. Reads
/// every byte once or twice; takes memory in proportion to the tables other than operations.
Expected<ProgramFile> read_program(const std::string& path);

/// The same from `bytes`, which `owner` keeps alive and which begin at a multiple of 8. `path` is for
/// messages.
Expected<ProgramFile> read_program(std::string_view bytes, std::shared_ptr<const void> owner,
                                   const std::string& path);

/// Whether a file that begins with `bytes` is a Program file.
bool looks_like_program(std::string_view bytes);

}  // namespace busline
