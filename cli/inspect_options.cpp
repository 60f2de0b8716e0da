#include "cli/inspect_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "documents/command_line/option_values.hpp"
#include "workloads/dumpi/format/function_table.hpp"

namespace busline::cli {
namespace {

std::optional<std::uint64_t> record_number(std::string_view text) {
  const auto n = whole_number<std::uint64_t>(text);
  return n && *n == 0 ? std::nullopt : n;
}

}  // namespace

Expected<RecordRange> parse_record_range(std::string_view text) {
  RecordRange range;
  const auto dots = text.find("..");
  const bool single = dots == text.npos;
  const auto first = text.substr(0, dots), last = single ? first : text.substr(dots + 2);
  const auto read = [single](std::string_view number, std::uint64_t& to) {
    if (number.empty()) return !single;
    const auto n = record_number(number);
    to = n.value_or(to);
    return n.has_value();
  };
  if (!read(first, range.first) || !read(last, range.last))
    return refuse_option("--records", fmt::format("'{}': expected record numbers, from 1", text),
                         "such as 10..20, 10.., ..20 or 10; '..' selects all");
  if (range.last < range.first)
    return refuse_option("--records", fmt::format("'{}' ends before it begins", text));
  return range;
}

Expected<std::vector<std::uint16_t>> parse_functions(const std::vector<std::string>& names) {
  const auto& table = dumpi::kFunctionTable;
  std::vector<std::uint16_t> functions;
  for (const auto& name : names) {
    const auto* const row = std::find_if(table.begin(), table.end(), [&](const dumpi::FunctionRow& f) {
      return f.name == name && f.arguments != dumpi::kNeverRecorded;
    });
    if (row != table.end()) {
      functions.push_back(static_cast<std::uint16_t>(row - table.begin()));
      continue;
    }
    std::vector<std::string> all;
    for (const auto& f : table) all.emplace_back(f.name);
    const auto nearest = nearest_name(all, name);
    return refuse_option("--call", fmt::format("'{}' is not a function that DUMPI records", name),
                         nearest.empty()
                             ? "such as MPI_Isend; 'busline inspect TRACE --stats' lists those in a trace"
                             : fmt::format("did you mean '{}'?", nearest));
  }
  return functions;
}

Expected<dumpi::TraceFiles> files_of_trace(const std::string& trace, bool salvage, Diagnostics& diagnostics) {
  auto files = dumpi::find_trace_files(trace, diagnostics, salvage);
  if (!files && files.error().hint.empty())
    files.error().hint = "--stats, --records, --call and --header work on DUMPI traces";
  return files;
}

Expected<std::string> rank_file(const std::string& trace, std::optional<std::uint32_t> rank,
                                Diagnostics& diagnostics) {
  if (dumpi::is_rank_file(trace)) {
    if (!rank) return trace;
    return refuse_option("--rank", fmt::format("{} is one rank's file", trace), "leave --rank out");
  }
  auto files = files_of_trace(trace, true, diagnostics);
  if (!files) return tl::unexpected(std::move(files.error()));
  const auto ranks = files->ranks.size();
  if (!rank && ranks > 1)
    return refuse_option("--rank", fmt::format("is missing: the trace has {} ranks", ranks),
                         "such as --rank 0");
  if (rank.value_or(0) >= ranks)
    return refuse_option("--rank", fmt::format("is {}, expected 0 to {}", *rank, ranks - 1));
  auto& file = files->ranks[rank.value_or(0)];
  if (file.empty()) {
    return refuse_file(Error::Kind::bad_input, files->meta, fmt::format("rank {} has no file", *rank));
  }
  return std::move(file);
}

}  // namespace busline::cli
