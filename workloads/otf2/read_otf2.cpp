#include "workloads/otf2/read_otf2.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/in_parallel.hpp"
#include "workloads/otf2/anchor.hpp"
#include "workloads/otf2/job_parts.hpp"
#include "workloads/otf2/rank_compiler.hpp"
#include "workloads/otf2/unrecorded_receives.hpp"

namespace busline {
namespace otf2 {
namespace {

struct KnownCreator {
  std::string_view prefix;
  SizeMeaning sizes;
};
constexpr KnownCreator kKnownCreators[] = {{"Score-P", SizeMeaning::totals},
                                           {"busline", SizeMeaning::per_peer}};

// Where the messages of a channel are not as many sent as received.
std::optional<std::string> first_unmatched(const Program& program) {
  std::vector<std::int64_t> surplus(program.channels().size(), 0);
  for (const auto& op : program.operations()) {
    if (op.kind == OpKind::send || op.kind == OpKind::isend) ++surplus[op.detail];
    if (op.kind == OpKind::recv || op.kind == OpKind::irecv) --surplus[op.detail];
  }
  const auto unmatched = [](std::int64_t n) { return n != 0; };
  const auto at = std::find_if(surplus.begin(), surplus.end(), unmatched);
  if (at == surplus.end()) return std::nullopt;
  const auto& c = program.channels()[static_cast<std::size_t>(at - surplus.begin())];
  return fmt::format(
      "{} channels have not as many sends as receives; the first: from rank {} to rank {} with tag {}, {} {}",
      std::count_if(at, surplus.end(), unmatched), c.source, c.destination, c.tag, std::abs(*at),
      *at > 0 ? "more sent" : "more received");
}

class ArchiveJob {
 public:
  ArchiveJob(const ArchiveFiles& files, unsigned threads, Diagnostics& diagnostics)
      : files_(files), threads_(threads), diagnostics_(diagnostics) {}

  Expected<Program> compile() {
    if (auto done = open(); !done) return tl::unexpected(std::move(done.error()));
    if (auto done = check_others(); !done) return tl::unexpected(std::move(done.error()));
    const auto ranks = definitions_.ranks.size();
    JobParts job(definitions_, notices_);
    Expected<void> done;
    in_parallel_in_order(
        ranks, threads_, [&](std::size_t rank) { return compile_rank(static_cast<std::uint32_t>(rank)); },
        [&](Expected<Compiled> part) {
          if (part && ranks > 1) done = reserve(*part, job.builder());
          if (!part) done = tl::unexpected(std::move(part.error()));
          if (done) job.append(std::move(part->made));
          return done.has_value();
        });
    if (!done) return tl::unexpected(std::move(done.error()));
    auto program = job.finish();
    if (anchor_.creator.empty()) program = restore_communicators(program, notices_);
    if (job.open_receives() > 0) {
      auto closed = close_unrecorded_receives(program, job.null_sends(), notices_);
      if (!closed)
        return refuse_file(Error::Kind::bad_input, files_.anchor, std::move(closed.error()),
                           "EZTrace 2.0 records what non-blocking calls receive for Fortran programs only; "
                           "'busline-measure record' traces programs in C, too");
      program = std::move(*closed);
    }
    notices_.tell(files_.anchor, diagnostics_);
    if (auto unmatched = first_unmatched(program))
      diagnostics_.push_back(
          {Diagnostic::Severity::warning, "unmatched-messages", std::move(*unmatched), files_.anchor});
    return program;
  }

 private:
  struct Compiled {
    RankPart made;
    std::size_t bytes = 0;  // of its file of events
  };

  Expected<FileBytes> must_open(const std::string& path, const char* what) const {
    auto file = files_.open(path);
    if (!file) return tl::unexpected(std::move(file.error()));
    if (!*file)
      return refuse_file(Error::Kind::bad_input, path, fmt::format("{} is missing", what),
                         "an archive is NAME.otf2, NAME.def and the folder NAME, in one place");
    return std::move(**file);
  }

  Expected<void> open() {
    const auto anchor = must_open(files_.anchor, "the anchor file");
    if (!anchor) return tl::unexpected(anchor.error());
    auto read = read_anchor(anchor->bytes, files_.anchor);
    if (!read) return tl::unexpected(std::move(read.error()));
    anchor_ = std::move(*read);
    const auto* const known =
        std::find_if(std::begin(kKnownCreators), std::end(kKnownCreators),
                     [&](const KnownCreator& k) { return anchor_.creator.starts_with(k.prefix); });
    if (known != std::end(kKnownCreators))
      sizes_ = known->sizes;
    else
      notices_.creator = anchor_.creator;
    const auto file = must_open(files_.definitions(), "the file of definitions");
    if (!file) return tl::unexpected(file.error());
    auto definitions = read_definitions(file->bytes, anchor_.definition_chunk, files_.definitions());
    if (!definitions) return tl::unexpected(std::move(definitions.error()));
    definitions_ = std::move(*definitions);
    for (const auto& name : definitions_.metrics)
      notices_.metric_names += (notices_.metric_names.empty() ? "" : ", ") + name;
    return {};
  }

  // A location without events needs no files.
  Expected<FileBytes> events_of(const Location& location) const {
    auto file = files_.open(files_.events(location.id));
    if (!file) return tl::unexpected(std::move(file.error()));
    if (*file) return std::move(**file);
    if (location.events == 0) return FileBytes{};
    return refuse_file(
        Error::Kind::bad_input, files_.events(location.id),
        fmt::format("the events of location {} are missing: {} were written", location.id, location.events));
  }

  Expected<LocalDefinitions> local_of(const Location& location) const {
    const auto path = files_.local_definitions(location.id);
    const auto file = files_.open(path);
    if (!file) return tl::unexpected(file.error());
    if (!*file || (*file)->bytes.empty()) return LocalDefinitions{};
    return read_local_definitions((*file)->bytes, anchor_.definition_chunk, path);
  }

  Expected<Survey> survey(const Location& location, std::string_view events,
                          const LocalDefinitions& local) const {
    LocalIndex regions(local.regions, definitions_.region_ids);
    const auto path = files_.events(location.id);
    auto survey = survey_events(events, anchor_.event_chunk, path, regions, definitions_.regions);
    if (!survey) return survey;
    // EZTrace states fewer than it writes.
    if (survey->events < location.events)
      return refuse_file(Error::Kind::bad_input, path,
                         fmt::format("has {} events; {} were written", survey->events, location.events),
                         "the file is cut, or of another run");
    if (survey->first_sample)
      return tl::unexpected(unsupported_at(path, *survey->first_sample,
                                           "a trace of samples does not tell when calls begin and end"));
    return survey;
  }

  static Error unsupported_at(const std::string& path, std::size_t offset, std::string message) {
    auto e = damage_at(path, offset, std::move(message));
    e.kind = Error::Kind::unsupported;
    return e;
  }

  // Locations that are not ranks: they must not call MPI.
  Expected<void> check_others() {
    std::vector<bool> is_rank(definitions_.locations.size(), false);
    for (const auto location : definitions_.ranks) is_rank[location] = true;
    std::vector<const Location*> others;
    for (std::size_t i = 0; i < is_rank.size(); ++i)
      if (!is_rank[i]) others.push_back(&definitions_.locations[i]);
    Expected<void> done;
    auto next = others.begin();
    in_parallel_in_order(
        others.size(), threads_, [&](std::size_t i) { return metrics_of_other(*others[i]); },
        [&](Expected<std::uint64_t> metrics) {
          if (!metrics) done = tl::unexpected(std::move(metrics.error()));
          if (!metrics) return false;
          ++notices_.locations[(*next++)->name];
          notices_.metric_records += *metrics;
          return true;
        });
    return done;
  }

  Expected<std::uint64_t> metrics_of_other(const Location& location) const {
    const auto file = events_of(location);
    if (!file) return tl::unexpected(file.error());
    const auto found = survey(location, file->bytes, LocalDefinitions{});
    if (!found) return tl::unexpected(found.error());
    if (found->first_of_mpi)
      return tl::unexpected(unsupported_at(
          files_.events(location.id), *found->first_of_mpi,
          fmt::format("\"{}\", which is not a rank, calls MPI: a rank's calls are read from one thread",
                      location.name)));
    return found->metrics;
  }

  Expected<Compiled> compile_rank(std::uint32_t rank) const {
    const auto& location = definitions_.locations[definitions_.ranks[rank]];
    const auto file = events_of(location);
    if (!file) return tl::unexpected(file.error());
    auto local = local_of(location);
    if (!local) return tl::unexpected(std::move(local.error()));
    const auto found = survey(location, file->bytes, *local);
    if (!found) return tl::unexpected(found.error());
    const bool is_eztrace = anchor_.creator.empty();
    Compiled part{RankPart(static_cast<std::uint32_t>(definitions_.ranks.size())), file->bytes.size()};
    part.made.notices.metric_records = found->metrics;
    if (sizes_ == SizeMeaning::per_peer || found->was_off) {
      if (!is_eztrace) part.made.notices.unfinished_receives = found->unknown_fates;
    } else if (found->unknown_fates > 0 && !is_eztrace) {
      return tl::unexpected(damage_at(
          files_.events(location.id), found->first_unknown,
          fmt::format("rank {}: {} receives were started, and the trace does not record what they received",
                      rank, found->unknown_fates)));
    }
    part.made.builder.reserve(found->operations);
    const Conventions shared{definitions_, sizes_, sizes_ == SizeMeaning::totals, is_eztrace};
    RankCompiler compiler(rank, *local, *found, shared, part.made);
    if (auto done = compiler.run(file->bytes, anchor_.event_chunk, files_.events(location.id)); !done)
      return tl::unexpected(std::move(done.error()));
    return part;
  }

  // Room for all ranks, as many operations a byte as in the first rank that has any.
  Expected<void> reserve(const Compiled& part, ProgramBuilder& builder) {
    const auto operations = part.made.builder.position();
    if (std::exchange(reserved_, operations > 0 || reserved_) || operations == 0) return {};
    double bytes = 0;
    for (const auto location : definitions_.ranks) {
      const auto file = events_of(definitions_.locations[location]);
      if (!file) return tl::unexpected(file.error());
      bytes += static_cast<double>(file->bytes.size());
    }
    constexpr double kMargin = 1.03;
    builder.reserve(static_cast<std::uint64_t>(static_cast<double>(operations) * bytes /
                                               static_cast<double>(part.bytes) * kMargin));
    return {};
  }

  const ArchiveFiles& files_;
  unsigned threads_;
  Diagnostics& diagnostics_;
  Anchor anchor_;
  SizeMeaning sizes_ = SizeMeaning::arguments;
  Definitions definitions_;
  Notices notices_;
  bool reserved_ = false;
};

}  // namespace
}  // namespace otf2

Expected<Program> read_otf2(const otf2::ArchiveFiles& files, Diagnostics& diagnostics, unsigned threads) {
  return otf2::ArchiveJob(files, threads, diagnostics).compile();
}

Expected<Program> read_otf2(const std::string& path, Diagnostics& diagnostics, unsigned threads) {
  return read_otf2(otf2::archive_on_disk(path), diagnostics, threads);
}

}  // namespace busline
