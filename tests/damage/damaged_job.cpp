#include "tests/damage/damaged_job.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "tests/damage/damaged_file.hpp"
#include "workloads/dumpi/compile/job.hpp"

namespace busline {
namespace {

using namespace dumpi;

// FNV-1a (Fowler, Noll, Vo), by words: to tell Programs apart, not against anybody.
class Identity {
 public:
  void add(std::uint64_t word) { hash_ = (hash_ ^ word) * 0x100000001b3ULL; }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

std::uint64_t identity(const Program& p) {
  Identity id;
  for (const auto& s : p.strands()) {
    id.add(s.rank);
    id.add(s.end - s.begin);
  }
  for (const auto& op : p.operations()) {
    std::uint64_t words[sizeof op / sizeof(std::uint64_t)];
    std::memcpy(words, &op, sizeof op);
    for (const auto w : words) id.add(w);
  }
  for (const auto& c : p.channels()) {
    id.add(std::uint64_t{c.source} << 32 | c.destination);
    id.add(std::uint64_t{c.communicator} << 32 | static_cast<std::uint32_t>(c.tag));
  }
  for (const auto& c : p.collectives()) {
    id.add(static_cast<std::uint64_t>(c.kind) << 32 | c.communicator);
    id.add(c.is_root ? 1 : 0);
    id.add(c.send_bytes);
    id.add(c.recv_bytes);
    id.add(c.block_list);
  }
  for (const auto end : p.block_lists().ends) id.add(end);
  for (const auto bytes : p.block_lists().bytes) id.add(bytes);
  for (const auto& c : p.communicators())
    for (const auto m : c.members) id.add(m);
  return id.value();
}

std::string name_of_file(std::uint32_t rank) {
  return fmt::format("{:04}.bin", rank);
}

}  // namespace

DamagedJob::DamagedJob(std::vector<std::optional<std::string>> files) : files_(std::move(files)) {}

std::optional<Error> DamagedJob::learn_whole() {
  Diagnostics told;
  SalvageReport report;
  const auto program = compile_job(files_with(ranks(), {}), {}, told, report);
  if (!program) return program.error();
  whole_ = identity(*program);
  return std::nullopt;
}

JobFiles DamagedJob::files_with(std::uint32_t rank, std::string_view bytes) const {
  JobFiles files{"a.meta", {}, {}};
  for (std::uint32_t r = 0; r < ranks(); ++r)
    files.ranks.push_back(files_[r] || r == rank ? name_of_file(r) : std::string());
  files.open = [this, rank, bytes](const std::string& path, Diagnostics& told, Opening how) {
    std::uint32_t r = 0;
    while (name_of_file(r) != path) ++r;
    return TraceFile::in_memory(path, r == rank ? bytes : std::string_view(*files_[r]), told, how);
  };
  return files;
}

Expected<Program> DamagedJob::salvage(std::uint32_t rank, std::string_view bytes) const {
  DumpiOptions options;
  options.salvage = true;
  Diagnostics told;
  SalvageReport report;
  return compile_job(files_with(rank, bytes), options, told, report);
}

DamagedJob::Reading DamagedJob::read(std::uint32_t rank, std::string_view bytes) const {
  Reading reading;
  reading.fault = fault_in_file(bytes);
  if (!reading.fault.empty()) return reading;

  const auto files = files_with(rank, bytes);
  const auto compiled = [&](bool salvage, Diagnostics& told) {
    DumpiOptions options;
    options.salvage = salvage;
    SalvageReport report;
    auto program = compile_job(files, options, told, report);
    if (!program) reading.fault = fault_in(program.error(), bytes.size(), name_of_file(rank));
    return program;
  };
  Diagnostics told, told_of_salvage;
  const auto program = compiled(false, told);
  if (!reading.fault.empty()) return reading;
  if (program) {
    const bool same = whole_ && identity(*program) == *whole_;
    reading.outcome = !told.empty() ? Outcome::warned : same ? Outcome::same : Outcome::other;
  }
  const auto part = compiled(true, told_of_salvage);
  // Nothing is left of a Program that blocks at once.
  if (!part && reading.fault.empty() && program && !program->operations().empty() &&
      consistent_part(*program).whole())
    reading.fault = "what fits together cannot be salvaged";
  if (part && !consistent_part(*part).whole()) reading.fault = "what is salvaged does not fit together";
  return reading;
}

}  // namespace busline
