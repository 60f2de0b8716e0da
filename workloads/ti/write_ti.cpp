#include "workloads/ti/write_ti.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "workloads/ti/rank_lines.hpp"

namespace busline {
namespace {

namespace fs = std::filesystem;

using Progress = std::function<bool(double)>;

Expected<void> make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directory(path, error);
  if (!error || fs::is_directory(path)) return {};
  return refuse_file(Error::Kind::unreadable, path, error.message());
}

/// A folder for files that may never appear.
struct RemovedIfEmpty {
  const std::string& folder;
  RemovedIfEmpty(const RemovedIfEmpty&) = delete;
  RemovedIfEmpty& operator=(const RemovedIfEmpty&) = delete;
  explicit RemovedIfEmpty(const std::string& path) : folder(path) {}
  ~RemovedIfEmpty() {
    std::error_code not_empty;
    fs::remove(folder, not_empty);
  }
};

Error several_threads(std::uint32_t rank) {
  return option_error(
      fmt::format("rank {}", rank),
      "has several threads, and a time-independent trace has one sequence of calls for each rank",
      "a Program file can hold it: choose a name that ends in .program");
}

/// Writes the lines of one rank, which may have no strand, to a sink, if there is one.
Expected<bool> write_rank_file(const Program& program, std::uint32_t rank, const Strand* strand,
                               const ti::WorldCollectives& collectives, ti::Replaced& replaced,
                               ByteSink* sink, const Progress& progress) {
  constexpr std::size_t kFull = 1U << 20;
  std::string text = fmt::format("{} init\n", rank);
  const auto flush = [&]() -> Expected<void> {
    auto written = sink != nullptr ? sink->write(text) : Expected<void>();
    text.clear();
    return written;
  };
  const auto goes_on = [&](std::uint64_t at) {
    return !progress || progress(double(at) / double(std::max<std::size_t>(program.operations().size(), 1)));
  };
  if (strand != nullptr) {
    if (!goes_on(strand->begin)) return false;
    ti::RankLines lines(program, *strand, collectives, replaced);
    for (auto at = strand->begin; at < strand->end; ++at) {
      if (!lines.append(at, text)) return tl::unexpected(lines.error());
      if (text.size() < kFull) continue;
      if (auto written = flush(); !written) return tl::unexpected(std::move(written.error()));
      if (!goes_on(at)) return false;
    }
  }
  text += fmt::format("{} finalize\n", rank);
  if (auto written = flush(); !written) return tl::unexpected(std::move(written.error()));
  return true;
}

/// By rank; null for a rank without a strand.
Expected<std::vector<const Strand*>> strands_of(const Program& program) {
  std::vector<const Strand*> strands(program.ranks(), nullptr);
  for (const auto& s : program.strands()) {
    if (strands[s.rank] != nullptr) return tl::unexpected(several_threads(s.rank));
    strands[s.rank] = &s;
  }
  return strands;
}

}  // namespace

Expected<bool> write_ti(const Program& program, const std::string& path, Diagnostics& diagnostics,
                        const Progress& progress) {
  const auto strands = strands_of(program);
  if (!strands) return tl::unexpected(strands.error());
  const ti::WorldCollectives collectives(program);
  const auto half = [&](double from) {
    return progress ? Progress([&, from](double share) { return progress(from + share / 2); }) : Progress();
  };
  const auto first_half = half(0), second_half = half(0.5);

  // A first pass without a sink, so that a trace that cannot be written leaves no files behind.
  ti::Replaced replaced, the_same_again;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    if (auto done =
            write_rank_file(program, rank, (*strands)[rank], collectives, replaced, nullptr, first_half);
        !done || !*done)
      return done;
  replaced.tell(diagnostics);

  const auto folder = path + "_files";
  if (auto made = make_folder(folder); !made) return tl::unexpected(std::move(made.error()));
  // Removes the folder if it is empty; uncommitted files have been removed by then.
  const RemovedIfEmpty removed(folder);
  std::vector<OutputFile> files;
  std::string list;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const auto name = fmt::format("/rank-{}.txt", rank);
    list += fs::path(folder).filename().string() + name + "\n";
    auto file = OutputFile::create(folder + name);
    if (!file) return tl::unexpected(std::move(file.error()));
    auto done =
        write_rank_file(program, rank, (*strands)[rank], collectives, the_same_again, &*file, second_half);
    if (!done || !*done) return done;
    if (auto closed = file->close(); !closed) return tl::unexpected(std::move(closed.error()));
    files.push_back(std::move(*file));
  }
  for (auto& file : files)
    if (auto done = file.commit(); !done) return tl::unexpected(std::move(done.error()));
  if (auto written = write_file(path, list); !written) return tl::unexpected(std::move(written.error()));
  return true;
}

}  // namespace busline
