#include "workloads/otf2/read_otf2.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/program/program_builder.hpp"
#include "workloads/otf2/anchor.hpp"
#include "workloads/otf2/rank_compiler.hpp"

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
  ArchiveJob(const ArchiveFiles& files, Diagnostics& diagnostics)
      : files_(files), diagnostics_(diagnostics) {}

  Expected<Program> compile() {
    if (auto done = open(); !done) return tl::unexpected(std::move(done.error()));
    if (auto done = check_others(); !done) return tl::unexpected(std::move(done.error()));
    ProgramBuilder builder(static_cast<std::uint32_t>(definitions_.ranks.size()));
    Compilation shared{definitions_, sizes_, sizes_ == SizeMeaning::totals, builder, notices_};
    for (std::uint32_t rank = 0; rank < definitions_.ranks.size(); ++rank)
      if (auto done = compile_rank(rank, shared); !done) return tl::unexpected(std::move(done.error()));
    settle_guesses(shared);
    for (const auto* borders : {&shared.inits, &shared.finalizes})
      if (borders->size() < definitions_.ranks.size())
        for (const auto position : *borders) builder.erase(position);
    builder.set_traced_run_time(shared.run_time);
    auto program = builder.build();
    notices_.tell(files_.anchor, diagnostics_);
    if (auto unmatched = first_unmatched(program))
      diagnostics_.push_back(
          {Diagnostic::Severity::warning, "unmatched-messages", std::move(*unmatched), files_.anchor});
    return program;
  }

 private:
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
      notices_.creator = anchor_.creator;  // EZTrace leaves it empty
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
    for (std::size_t i = 0; i < is_rank.size(); ++i) {
      if (is_rank[i]) continue;
      const auto& location = definitions_.locations[i];
      const auto file = events_of(location);
      if (!file) return tl::unexpected(file.error());
      const auto found = survey(location, file->bytes, LocalDefinitions{});
      if (!found) return tl::unexpected(found.error());
      ++notices_.locations[location.name];
      notices_.metric_records += found->metrics;
      if (found->first_of_mpi)
        return tl::unexpected(unsupported_at(
            files_.events(location.id), *found->first_of_mpi,
            fmt::format("\"{}\", which is not a rank, calls MPI: a rank's calls are read from one thread",
                        location.name)));
    }
    return {};
  }

  Expected<void> compile_rank(std::uint32_t rank, Compilation& shared) {
    const auto& location = definitions_.locations[definitions_.ranks[rank]];
    const auto file = events_of(location);
    if (!file) return tl::unexpected(file.error());
    auto local = local_of(location);
    if (!local) return tl::unexpected(std::move(local.error()));
    const auto found = survey(location, file->bytes, *local);
    if (!found) return tl::unexpected(found.error());
    notices_.metric_records += found->metrics;
    if (sizes_ == SizeMeaning::per_peer) {
      notices_.unfinished_receives += found->unknown_fates;
    } else if (found->unknown_fates > 0) {
      auto e =
          damage_at(files_.events(location.id), found->first_unknown,
                    fmt::format("rank {}: {} receives were started, and the trace does not tell what they "
                                "received",
                                rank, found->unknown_fates));
      e.hint = "EZTrace 2.0 records that for Fortran programs only";
      return tl::unexpected(std::move(e));
    }
    if (auto done = reserve(*found, file->bytes.size(), shared.builder); !done) return done;
    RankCompiler compiler(rank, *local, *found, shared);
    return compiler.run(file->bytes, anchor_.event_chunk, files_.events(location.id));
  }

  // Room for all ranks, as many operations a byte as in the first rank that has any.
  Expected<void> reserve(const Survey& survey, std::size_t size, ProgramBuilder& builder) {
    if (std::exchange(reserved_, survey.operations > 0 || reserved_) || survey.operations == 0) return {};
    double bytes = 0;
    for (const auto location : definitions_.ranks) {
      const auto file = events_of(definitions_.locations[location]);
      if (!file) return tl::unexpected(file.error());
      bytes += static_cast<double>(file->bytes.size());
    }
    constexpr double kMargin = 1.03;
    builder.reserve(static_cast<std::uint64_t>(static_cast<double>(survey.operations) * bytes /
                                               static_cast<double>(size) * kMargin));
    return {};
  }

  // They are kept if all ranks make the same ones between the same collectives of all ranks.
  void settle_guesses(Compilation& shared) {
    const auto& all = shared.guesses;
    const auto alike = [&](const std::vector<Guess>& rank) {
      return std::equal(
          rank.begin(), rank.end(), all.front().begin(), all.front().end(),
          [](const Guess& a, const Guess& b) { return a.region == b.region && a.place == b.place; });
    };
    const bool kept = std::all_of(all.begin(), all.end(), alike);
    for (const auto& rank : all)
      for (const auto& guess : rank) {
        ++(kept ? notices_.guessed : notices_.left_out)[definitions_.regions[guess.region].name];
        if (!kept) shared.builder.erase(guess.position);
      }
  }

  const ArchiveFiles& files_;
  Diagnostics& diagnostics_;
  Anchor anchor_;
  SizeMeaning sizes_ = SizeMeaning::arguments;
  Definitions definitions_;
  Notices notices_;
  bool reserved_ = false;
};

}  // namespace
}  // namespace otf2

Expected<Program> read_otf2(const otf2::ArchiveFiles& files, Diagnostics& diagnostics) {
  return otf2::ArchiveJob(files, diagnostics).compile();
}

Expected<Program> read_otf2(const std::string& path, Diagnostics& diagnostics) {
  return read_otf2(otf2::archive_on_disk(path), diagnostics);
}

}  // namespace busline
