#include "workloads/dim/write_dim.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "workloads/dim/dim_header.hpp"
#include "workloads/dim/dim_text.hpp"
#include "workloads/dim/left_out.hpp"
#include "workloads/dim/record_writer.hpp"
#include "workloads/dim/reduce_roots.hpp"

namespace busline {
namespace dim {
namespace {

using Progress = std::function<bool(double)>;

// Time marks are not written.
class NoSink final : public ByteSink {
 public:
  Expected<void> write(std::string_view) override { return {}; }
};

// The name ends at its quote.
std::string in_quotes(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '"' || static_cast<unsigned char>(c) < 0x20; }, '_');
  return fmt::format("\"{}\"", name);
}

// Has the same length wherever the offset table is.
std::string header(const Program& program, const std::string& name, std::uint64_t offset_table) {
  std::vector<std::uint32_t> threads(program.ranks(), 0);
  for (const auto& s : program.strands()) ++threads[s.rank];
  for (auto& n : threads) n = std::max(n, 1U);
  const auto communicators = std::count_if(program.communicators().begin(), program.communicators().end(),
                                           [](const Communicator& c) { return !c.members.empty(); });
  return fmt::format("{}:{}:1,{:020}:{}({}),{}", kMagic, in_quotes(name), offset_table, program.ranks(),
                     fmt::join(threads, ","), communicators);
}

// Communicators without members are only named by messages and need no definition.
void definitions(const Program& program, DimText& text) {
  std::size_t number = 0;
  for (const auto& c : program.communicators()) {
    ++number;
    if (!c.members.empty())
      text.line(fmt::format("d:1:{}:{}:{}", number, c.members.size(), fmt::join(c.members, ":")));
  }
}

// One pass over the Program, into a sink.
class Pass {
 public:
  Pass(const Program& program, const ReduceRoots& roots, ByteSink& sink, LeftOut& left_out,
       const Progress& progress)
      : program_(program), text_(sink), records_(program, roots, text_, left_out), progress_(progress) {}

  /// False if it was stopped.
  Expected<bool> run(const std::string& first_line) {
    text_.line(first_line);
    definitions(program_, text_);
    std::vector<std::string> offsets(program_.ranks());
    std::size_t strand = 0;
    for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank) {
      auto& line = offsets[rank];
      line = fmt::format("s:{}", rank);
      std::uint32_t thread = 0;
      for (; strand < program_.strands().size() && program_.strands()[strand].rank == rank; ++strand) {
        line += fmt::format(":{}", text_.offset());
        if (auto written = records(program_.strands()[strand], thread++); !written || !*written)
          return written;
      }
      if (thread == 0) line += fmt::format(":{}", text_.offset());
    }
    offset_table_ = text_.offset();
    for (const auto& line : offsets) text_.line(line);
    if (auto done = text_.finish(); !done) return tl::unexpected(std::move(done.error()));
    return true;
  }
  std::uint64_t offset_table() const { return offset_table_; }

 private:
  Expected<bool> records(const Strand& strand, std::uint32_t thread) {
    constexpr std::uint64_t kReportEvery = 1U << 16;
    records_.enter(strand, thread);
    for (auto at = strand.begin; at < strand.end; ++at) {
      if (!records_.write(at)) return tl::unexpected(records_.error());
      if (at % kReportEvery == 0 && progress_ &&
          !progress_(static_cast<double>(at) / static_cast<double>(program_.operations().size())))
        return false;
      if (text_.failed()) break;
    }
    return true;
  }

  const Program& program_;
  DimText text_;
  RecordWriter records_;
  const Progress& progress_;
  std::uint64_t offset_table_ = 0;
};

std::uint64_t ranks_with_threads(const Program& program) {
  std::uint64_t n = 0;
  const auto strands = program.strands();
  for (std::size_t i = 1; i < strands.size(); ++i)
    if (strands[i].rank == strands[i - 1].rank && (i == 1 || strands[i - 2].rank != strands[i].rank)) ++n;
  return n;
}

}  // namespace
}  // namespace dim

Expected<bool> write_dim(const Program& program, const std::string& name, ByteSink& sink,
                         Diagnostics& diagnostics, const std::function<bool(double)>& progress) {
  using namespace dim;
  const auto half = [&](double from) {
    return progress ? Progress([&, from](double share) { return progress(from + share / 2); }) : Progress();
  };
  const ReduceRoots roots(program);
  LeftOut left_out;
  // The first line says where the offset table begins, so a first pass writes to a null sink, which also
  // finds operations that cannot be written.
  NoSink nowhere;
  const auto first_half = half(0), second_half = half(0.5);
  Pass measure(program, roots, nowhere, left_out, first_half);
  if (auto measured = measure.run(header(program, name, 0)); !measured || !*measured) return measured;
  left_out.threads = ranks_with_threads(program);
  left_out.tell(program, diagnostics);
  LeftOut the_same_again;
  return Pass(program, roots, sink, the_same_again, second_half)
      .run(header(program, name, measure.offset_table()));
}

}  // namespace busline
