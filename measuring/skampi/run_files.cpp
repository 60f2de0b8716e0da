#include "measuring/skampi/run_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "documents/fields/text_file.hpp"
#include "measuring/skampi/result_lines.hpp"
#include "workloads/files/output_file.hpp"

namespace busline::skampi {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMerged = "skampi finished.-postprocessed";

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool is_stream(const std::string& path) {
  std::error_code ignored;
  return exists(path) && !fs::is_regular_file(path, ignored);
}

Expected<void> rename(const std::string& from, const std::string& to) {
  std::error_code failed;
  fs::rename(from, to, failed);
  if (!failed) return {};
  return refuse_file(Error::Kind::unreadable, from,
                     fmt::format("cannot be renamed to {}: {}", to, failed.message()));
}

std::string_view last_line(std::string_view text) {
  Lines lines(text);
  std::string_view last;
  for (Line line; lines.next(line);)
    if (!line.text.empty()) last = line.text;
  return last;
}

// Where the last suite with an end ends; 0: there is none.
std::size_t whole_suites(std::string_view text) {
  Lines lines(text);
  std::size_t end = 0;
  for (Line line; lines.next(line);)
    if (line.text == "#eol" && line.whole)
      end = static_cast<std::size_t>(line.text.data() + line.text.size() - text.data());
  return end == 0 ? 0 : text.find('\n', end) + 1;
}

// What an out file that exists is.
struct RunPart {
  bool continues = false;             // the run that wrote it, with what its log says
  std::size_t keep = 0;               // bytes that stay
  std::optional<ResultFile> results;  // in them
};

tl::unexpected<Error> not_ours(Error e) {
  e.hint = "it is left unchanged; choose another output file for the run";
  return tl::unexpected(std::move(e));
}

Expected<RunPart> look_at(const std::string& out, Diagnostics& diagnostics) {
  if (!exists(out) || is_stream(out)) return RunPart{};
  const auto text = read_text_file(out, kLargestResultFile);
  if (!text) return tl::unexpected(text.error());
  if (text->empty()) return RunPart{true, 0, {}};
  Diagnostics of_reading;  // that it has no end is what this is about
  auto results = parse_results(*text, out, of_reading);
  if (!results) return not_ours(std::move(results.error()));
  if (results->format != ResultFile::Format::skampi4) {
    Error e;
    e.path = out;
    e.message = "is a SKaMPI 5 or 6 result, which cannot be continued";
    return not_ours(std::move(e));
  }
  const auto last = last_line(*text);
  if (last == kMerged) return RunPart{};
  if (last.starts_with(kFinished)) {
    if (auto renamed = rename(out, next_free_name(out)); !renamed) return tl::unexpected(renamed.error());
    return RunPart{};
  }
  RunPart found{true, whole_suites(*text), {}};
  if (found.keep < text->size())
    diagnostics.push_back(
        {Diagnostic::Severity::warning, "cut",
         fmt::format(
             "{} bytes after the last complete suite are cut off: the run that wrote them was stopped",
             text->size() - found.keep),
         out});
  if (found.keep > 0) {
    std::erase_if(results->suites, [](const ResultSuite& s) { return !s.complete; });
    found.results = std::move(*results);
  }
  return found;
}

// The states that the old log tells, and the log out of the way.
Expected<SuiteStates> take_log(const std::string& log, Diagnostics& diagnostics) {
  if (!exists(log) || is_stream(log)) return {};
  const auto text = read_text_file(log, kLargestResultFile);
  if (!text) return tl::unexpected(text.error());
  auto states = read_log(*text, log, diagnostics);
  const auto old = log + ".old";
  auto renamed = exists(old) ? rename(old, next_free_name(log)) : Expected<void>{};
  if (renamed) renamed = rename(log, old);
  if (!renamed) return tl::unexpected(std::move(renamed.error()));
  return states;
}

}  // namespace

std::string merged_end_text() {
  return fmt::format("/*@no*/\n{}\n", kMerged);
}

std::vector<std::string> older_runs(const std::string& out) {
  std::vector<std::string> names;
  for (std::size_t n = 1;; ++n) {
    auto name = fmt::format("{}.{}", out, n);
    if (!exists(name)) return names;
    names.push_back(std::move(name));
  }
}

std::string next_free_name(const std::string& name) {
  return fmt::format("{}.{}", name, older_runs(name).size() + 1);
}

Expected<RunFiles> RunFiles::open(const RunFileNames& names, const std::string& head,
                                  Diagnostics& diagnostics) {
  auto found = look_at(names.out, diagnostics);
  if (!found) return tl::unexpected(std::move(found.error()));
  const auto log_name =
      names.log == "stdout" || names.log == "stderr" ? fmt::format("/dev/{}", names.log) : names.log;
  auto states = take_log(log_name, diagnostics);
  if (!states) return tl::unexpected(std::move(states.error()));
  auto log = AppendedFile::open(log_name);
  if (!log) return tl::unexpected(std::move(log.error()));
  if (found->keep == 0)
    if (auto written = write_file(names.out, head); !written)
      return tl::unexpected(std::move(written.error()));
  auto out = AppendedFile::open(names.out, found->keep == 0 ? head.size() : found->keep);
  if (!out) return tl::unexpected(std::move(out.error()));
  RunFiles files(std::move(*out), std::move(*log));
  files.continued_ = std::move(found->results);
  if (auto written = files.take_over(found->continues ? std::move(*states) : SuiteStates{}); !written)
    return tl::unexpected(std::move(written.error()));
  return files;
}

Expected<void> RunFiles::take_over(SuiteStates&& states) {
  // What is done is what is in the file, whatever the log says.
  for (const auto& [suite, state] : states)
    if (state == SuiteState::failed) states_[suite] = state;
  if (continued_)
    for (const auto& suite : continued_->suites) states_[suite.name] = SuiteState::done;
  // The log begins with them, so that they stay known if this run is killed, too.
  std::string text;
  for (const auto& [suite, state] : states_)
    text += log_line(suite, state == SuiteState::done ? LogEvent::skipped : LogEvent::failed);
  return text.empty() ? Expected<void>{} : log_.append(text);
}

SuiteState RunFiles::state(const std::string& suite) const {
  const auto found = states_.find(suite);
  return found == states_.end() ? SuiteState::todo : found->second;
}

Expected<void> RunFiles::ended(const std::string& suite, const std::string& text) {
  return out_.append(text).and_then([&] { return log_.append(log_line(suite, LogEvent::ended)); });
}

Expected<void> RunFiles::finish(std::span<const std::string> others) {
  const auto missing = [&](const std::string& suite) { return state(suite) != SuiteState::done; };
  if (continued_ && std::any_of(others.begin(), others.end(), missing)) return {};
  return out_.append(fmt::format("{}\n", kFinished));
}

}  // namespace busline::skampi
