#include "workloads/dumpi/from_program/write_dumpi.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "workloads/dumpi/format/meta_file.hpp"
#include "workloads/dumpi/format/trace_writer.hpp"
#include "workloads/dumpi/from_program/job_layout.hpp"
#include "workloads/dumpi/from_program/rank_records.hpp"
#include "workloads/files/output_file.hpp"

namespace busline {
namespace {

using namespace dumpi;
namespace fs = std::filesystem;

constexpr std::size_t kTypesOfDumpi = 28, kByteType = 5;

Error refusal(const Program& program, const Strand& strand, std::uint64_t index, std::string why) {
  Error e;
  e.kind = Error::Kind::bad_option;  // of the target
  const auto& op = program.operations()[index];
  e.where = fmt::format("rank {}, call {} ({})", strand.rank, program.call_number(strand, index),
                        program.call_names()[op.call]);
  e.message = std::move(why);
  e.hint = "a Program file can hold it: choose a name that ends in .program";
  return e;
}

Expected<void> write_rank(const Program& program, std::uint32_t rank, const Strand* strand,
                          const JobLayout& layout, ByteSink& sink, Replaced& replaced) {
  TraceWriter writer(sink, 0, 0);
  RankRecords records(program, rank, layout, writer, replaced);
  records.begin();
  if (strand != nullptr)
    for (auto i = strand->begin; i < strand->end; ++i)
      if (auto wrong = records.put(program.operations()[i]))
        return tl::unexpected(refusal(program, *strand, i, std::move(*wrong)));
  records.finalize();
  TraceParts parts;
  parts.header.host = "generated";
  parts.header.user = "<none>";
  parts.counts = records.counts();
  parts.type_sizes.assign(kTypesOfDumpi, 0);
  parts.type_sizes[kByteType] = 1;
  std::vector<std::string> labels;
  labels.reserve(records.annotated().size());  // the parts have views
  for (const auto f : records.annotated()) {
    labels.push_back(fmt::format("{}{}{}", kAnnotationPrefix, kMpi3Prefix, kFunctionTable[f].name));
    parts.labels.push_back({RankRecords::annotation_key(f), labels.back()});
  }
  return writer.finish(parts);
}

// The strand of each rank; none for an idle rank.
Expected<std::vector<const Strand*>> strands_by_rank(const Program& program) {
  std::vector<const Strand*> all(program.ranks(), nullptr);
  for (const auto& strand : program.strands()) {
    if (all[strand.rank] != nullptr)
      return tl::unexpected(
          refusal(program, strand, strand.begin, "belongs to a second thread, and threads are not written"));
    all[strand.rank] = strand.begin == strand.end ? nullptr : &strand;
  }
  return all;
}

}  // namespace

Expected<bool> write_dumpi(const Program& program, const std::string& meta, Diagnostics& diagnostics,
                           const std::function<bool(double)>& progress) {
  const auto strands = strands_by_rank(program);
  if (!strands) return tl::unexpected(strands.error());
  const JobLayout layout(program);
  Replaced replaced;
  const fs::path target(meta);
  const auto prefix = target.stem().string();
  std::vector<OutputFile> files;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    auto file =
        OutputFile::create((target.parent_path() / fmt::format("{}-{:04}.bin", prefix, rank)).string());
    if (!file) return tl::unexpected(std::move(file.error()));
    if (auto done = write_rank(program, rank, (*strands)[rank], layout, *file, replaced); !done)
      return tl::unexpected(std::move(done.error()));
    if (auto closed = file->close(); !closed) return tl::unexpected(std::move(closed.error()));
    files.push_back(std::move(*file));
    if (progress && !progress((rank + 1.0) / program.ranks())) return false;
  }
  auto file = OutputFile::create(meta);
  if (!file) return tl::unexpected(std::move(file.error()));
  MetaFile about;
  about.ranks = program.ranks();
  about.prefix = prefix;
  about.version = kNewestKnown;
  if (auto done = file->write(to_text(about)); !done) return tl::unexpected(std::move(done.error()));
  files.push_back(std::move(*file));
  for (auto& f : files)
    if (auto done = f.commit(); !done) return tl::unexpected(std::move(done.error()));
  replaced.tell(layout, diagnostics);
  return true;
}

}  // namespace busline
