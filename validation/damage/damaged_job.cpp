#include "validation/damage/damaged_job.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>
#include <variant>

#include "workloads/dumpi/compile/job.hpp"
#include "workloads/dumpi/format/record.hpp"
#include "workloads/dumpi/format/trace_file.hpp"
#include "workloads/dumpi/format/values.hpp"

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
  }
  for (const auto& c : p.communicators())
    for (const auto m : c.members) id.add(m);
  return id.value();
}

std::string name_of_file(std::uint32_t rank) {
  return fmt::format("{:04}.bin", rank);
}

// Looks at each element, so that a view beyond the bytes is noticed.
struct SumOfValue {
  std::uint64_t operator()(Absent) const { return 0; }
  std::uint64_t operator()(std::int64_t n) const { return static_cast<std::uint64_t>(n); }
  std::uint64_t operator()(std::string_view text) const {
    std::uint64_t sum = 0;
    for (const char c : text) sum += static_cast<unsigned char>(c);
    return sum;
  }
  std::uint64_t operator()(std::int32_t n) const { return static_cast<std::uint32_t>(n); }
  std::uint64_t operator()(const Status& s) const {
    return static_cast<std::uint32_t>(s.bytes) + static_cast<std::uint32_t>(s.source) + s.cancelled;
  }
  template <class List>
  std::uint64_t operator()(const List& list) const {
    std::uint64_t sum = list.size();
    if constexpr (requires { list.begin(); })
      for (const auto& element : list) sum += (*this)(element);
    else
      for (std::size_t i = 0; i < list.size(); ++i) sum += (*this)(list[i]);
    return sum;
  }
};

std::string fault_in(const Error& e, std::size_t size, const std::string& name) {
  if (e.message.empty()) return "an error without a message";
  if (e.path.empty()) return "an error without a path: " + e.message;
  if (e.path == name && e.offset && *e.offset > size)
    return fmt::format("an error at {}, behind the end of the file: {}", *e.offset, e.message);
  return {};
}

// Reads all that is in a file, in both ways.
std::string fault_in_records(std::string_view bytes) {
  for (const auto how : {Opening::whole, Opening::salvage}) {
    Diagnostics told;
    const auto file = TraceFile::in_memory("a.bin", bytes, told, how);
    if (!file) {
      if (auto fault = fault_in(file.error(), bytes.size(), "a.bin"); !fault.empty()) return fault;
      continue;
    }
    std::uint64_t sum = 0;
    for (const auto& label : file->labels()) sum += label.key + SumOfValue()(label.text);
    sum += SumOfValue()(file->type_sizes());
    RecordReader reader(*file);
    while (const Record* const r = reader.next()) {
      for (std::size_t i = 0; i < kLayouts[r->function].arguments; ++i)
        sum += std::visit(SumOfValue(), value_of(*r, i));
      for (std::size_t i = 0; i < r->counters.size(); ++i) sum += r->counters[i];
      if (r->offset >= bytes.size()) return "a record behind the end of the file";
    }
    if (reader.error())
      if (auto fault = fault_in(*reader.error(), bytes.size(), "a.bin"); !fault.empty()) return fault;
    // The sum is of no use, but must be made.
    volatile auto looked_at = sum;
    (void)looked_at;
  }
  return {};
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

DamagedJob::Reading DamagedJob::read(std::uint32_t rank, std::string_view bytes) const {
  Reading reading;
  reading.fault = fault_in_records(bytes);
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
  if (!part && reading.fault.empty() && program && !program->operations().empty())
    reading.fault = "what can be compiled cannot be salvaged";
  if (part && !consistent_part(*part).whole()) reading.fault = "what is salvaged does not fit together";
  return reading;
}

}  // namespace busline
