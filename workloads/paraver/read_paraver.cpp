#include "workloads/paraver/read_paraver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "sim/base/text_parts.hpp"
#include "workloads/files/mapped_file.hpp"
#include "workloads/files/unpack.hpp"
#include "workloads/paraver/ends_of_calls.hpp"
#include "workloads/paraver/notices.hpp"
#include "workloads/paraver/prv_header.hpp"
#include "workloads/paraver/strand_compiler.hpp"
#include "workloads/paraver/survey.hpp"
#include "workloads/paraver/trace.hpp"
#include "workloads/salvage/consistent_part.hpp"

namespace busline {
namespace {

using namespace paraver;

std::string list_of(const std::vector<std::uint32_t>& applications) {
  std::string text;
  for (const auto a : applications) text += fmt::format("{}{}", text.empty() ? "" : ", ", a + 1);
  return text;
}

// Its index.
Expected<std::uint32_t> choose_application(const std::string& path, const Header& header,
                                           const Survey& survey, std::optional<std::uint32_t> wanted) {
  const auto all = static_cast<std::uint32_t>(header.applications.size());
  if (wanted) {
    if (*wanted >= 1 && *wanted <= all) return *wanted - 1;
    return refuse_option("--application", fmt::format("is {}, but {} has {}", *wanted, path,
                                                      all == 1 ? "one application"
                                                               : fmt::format("applications 1 to {}", all)));
  }
  std::vector<std::uint32_t> with_calls;
  for (std::uint32_t a = 0; a < all; ++a)
    if (survey.uses_mpi[a]) with_calls.push_back(a);
  if (with_calls.size() == 1) return with_calls.front();
  if (all == 1) return 0U;
  if (with_calls.empty())
    return refuse_file(Error::Kind::bad_input, path,
                       fmt::format("has {} applications, none with MPI calls", all),
                       "choose one with --application N");
  return refuse_file(
      Error::Kind::bad_input, path,
      fmt::format("has {} applications with MPI calls: {}", with_calls.size(), list_of(with_calls)),
      "choose one with --application N");
}

// The application's communicators get numbers of the Program.
KnownCommunicators make_communicators(const CommunicatorTable& table, ProgramBuilder& builder) {
  KnownCommunicators known;
  bool world_taken = false;
  const auto add = [&](std::int64_t number, std::vector<std::uint32_t> members) {
    const bool world =
        !world_taken && members.size() == builder.ranks() && std::is_sorted(members.begin(), members.end());
    auto& c = known[number];
    c.members = members;
    std::sort(c.members.begin(), c.members.end());
    c.id = world ? 0 : builder.add_communicator(std::move(members));
    world_taken = world_taken || world;
  };
  for (const auto& [number, members] : table.members) add(number, members);
  for (const auto& [number, users] : table.undefined)
    add(number, std::vector<std::uint32_t>(users.begin(), users.end()));
  return known;
}

std::vector<std::uint16_t> name_calls(const CallTable& calls, ProgramBuilder& builder) {
  std::vector<std::uint16_t> names;
  for (std::uint32_t i = 0; i < calls.size(); ++i) names.push_back(builder.call_name(calls[i].name));
  for (const auto* name : {"MPI_Isend", "MPI_Irecv"}) names.push_back(builder.call_name(name));
  return names;
}

// Operations that a thread is expected to give: exact unless calls of several kinds lack their messages.
std::uint64_t expected_operations(const ThreadTrace& t, const CallTable& calls) {
  std::uint64_t n = 0, waits = 0, both = 0;  // calls: waits, Sendrecv
  std::uint64_t sends = t.sends.size(), receives = t.receives.size(), requests = 0;
  std::int64_t end = 0;
  bool computes = false;
  for (const auto& step : t.steps) {
    const auto role = step.is_call() ? calls[step.what].role : Role::noop;
    computes = computes || step.begin > end;
    if (step.is_call()) end = step.end;
    if (role == Role::local || role == Role::unknown) continue;
    n += computes ? 1 : 0;
    computes = false;
    waits += role == Role::wait ? 1 : 0;
    both += role == Role::sendrecv ? 1 : 0;
    if (role == Role::send && sends > 0) --sends;
    if (role == Role::receive && receives > 0) {
      --receives;
      if (calls[step.what].nonblocking) ++requests;
    }
    n += role == Role::wait || role == Role::sendrecv ? 0 : 1;
  }
  // What is left belongs to Sendrecv: each half is an operation and a wait.
  return n + std::max(waits, requests) + 2 * (sends + receives) +
         (both - std::min(both, std::max(sends, receives))) + 1;
}

Expected<Program> compile_application(Trace& trace, const std::string& path, const Header& header,
                                      const Survey& survey, std::uint32_t application, const Names& names,
                                      Findings& findings) {
  const auto tasks = static_cast<std::uint32_t>(header.applications[application].tasks.size());
  ProgramBuilder builder(tasks);
  const auto communicators = make_communicators(trace.communicators, builder);
  std::vector<std::uint32_t> orders{0};
  for (std::uint32_t i = 0; i < trace.channels.orders(); ++i) orders.push_back(builder.add_communicator({}));
  const auto call_names = name_calls(trace.calls, builder);
  const Compiling job{builder, trace, communicators, orders, call_names, header.unit, findings};
  // The builder copies its operations if it has far more room than they need, or less.
  std::uint64_t expected = 0;
  for (const auto& t : trace.threads) expected += expected_operations(t, trace.calls);
  builder.reserve(expected + expected / 16);
  auto& threads = trace.threads;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    auto& t = threads[i];
    const bool sole = (i == 0 || threads[i - 1].task != t.task) &&
                      (i + 1 == threads.size() || threads[i + 1].task != t.task);
    if (survey.ends_only) move_to_calls(t, trace.calls);
    builder.begin_strand(t.task, sole);
    if (auto problem = StrandCompiler(job, t).compile()) {
      problem->path = path;
      return tl::unexpected(*std::move(problem));
    }
    // The operations take the place of what they were made of.
    t.steps = {};
    t.sends = {};
    t.receives = {};
  }
  for (const auto& [type, value] : trace.user_events)
    if (const auto name = names.values.find({type, value}); name != names.values.end())
      builder.label_event(type, value, name->second);
  if (!survey.stopped_before) builder.set_traced_run_time(Duration::picoseconds(header.end * header.unit));
  return builder.build();
}

// As modelfactors computes it from such traces: what the first thread of each task spends in the state
// Running.
std::string traced_efficiency(const Header& header, const Survey& survey, std::uint32_t application) {
  double sum = 0, longest = 0;
  const auto& tasks = header.applications[application].tasks;
  for (const auto& task : tasks) {
    const auto running = static_cast<double>(survey.threads[task.first_thread].running);
    sum += running;
    longest = std::max(longest, running);
  }
  if (longest <= 0 || header.end <= 0) return {};
  const auto mean = sum / static_cast<double>(tasks.size());
  const auto end = static_cast<double>(header.end);
  return fmt::format("{:.3f} % = load balance {:.3f} % x communication {:.3f} %", 100 * mean / end,
                     100 * mean / longest, 100 * longest / end);
}

Origin describe(const Header& header, const Survey& survey, std::uint32_t application) {
  Origin lines{
      {"traced", header.date},
      {"traced time", fmt::format("{:.9f} s", Duration::picoseconds(header.end * header.unit).in_seconds())},
      {"nodes (CPUs)", header.nodes}};
  if (header.applications.size() > 1)
    lines.push_back({"application", fmt::format("{} of {}", application + 1, header.applications.size())});
  if (auto efficiency = traced_efficiency(header, survey, application); !efficiency.empty())
    lines.push_back({"traced efficiency", std::move(efficiency)});
  lines.push_back({"records", fmt::format("{} states, {} event lines, {} messages", survey.states,
                                          survey.events, survey.messages)});
  return lines;
}

void keep_consistent_part(ParaverTrace& trace, const Survey& survey, const std::string& path,
                          Diagnostics& diagnostics) {
  if (survey.stopped_before)
    diagnostics.push_back(
        {Diagnostic::Severity::warning, "salvaged",
         fmt::format("the trace is used up to line {}: {}", survey.stopped_before->line.value_or(1),
                     survey.stopped_before->message),
         path});
  auto part = consistent_part(trace.program);
  if (part.whole()) return;
  trace.program = std::move(part.program);
  trace.salvaged.early_ends = std::move(part.early_ends);
  trace.salvaged.unmatched = part.unmatched;
  tell(trace.salvaged, path, diagnostics);
}

std::string beside(const std::string& path, const char* extension) {
  std::string name(without_compression(path));
  if (name.ends_with(".prv")) name.resize(name.size() - 4);
  return name + extension;
}

// A name file that cannot be read is as good as none.
std::string text_beside(const std::string& path, const char* extension) {
  const auto name = beside(path, extension);
  std::error_code error;
  if (!std::filesystem::is_regular_file(name, error)) return {};
  const auto file = MappedFile::open(name);
  return file ? std::string(file->text()) : std::string();
}

}  // namespace

bool looks_like_paraver(std::string_view text) {
  return text.starts_with(kMagic);
}

std::vector<std::string> paraver_files(const std::string& path) {
  std::vector<std::string> files{path};
  for (const auto* extension : {".pcf", ".row"}) {
    std::error_code error;
    auto name = beside(path, extension);
    if (std::filesystem::is_regular_file(name, error)) files.push_back(std::move(name));
  }
  return files;
}

Expected<ParaverTrace> read_paraver_texts(const ParaverTexts& texts, const std::string& path,
                                          const ParaverOptions& options, Diagnostics& diagnostics) {
  const auto text = texts.prv;
  // What tables of threads may take is in proportion to the file, but small files of large jobs are read too.
  constexpr std::uint64_t kThreadsOfSmallFiles = 200'000, kBytesForThread = 16;
  auto header = read_header(text.substr(0, text.find('\n')), path,
                            kThreadsOfSmallFiles + text.size() / kBytesForThread);
  if (!header) return tl::unexpected(std::move(header.error()));
  Names names;
  read_pcf(texts.pcf, names);
  read_row(texts.row, names);
  const auto surveyed = survey(text, path, *header, options.salvage);
  if (!surveyed) return tl::unexpected(surveyed.error());
  const auto application = choose_application(path, *header, *surveyed, options.application);
  if (!application) return tl::unexpected(application.error());
  if (const auto line = surveyed->to_another[*application]) {
    auto e = file_error(Error::Kind::unsupported, path, "the message is between two applications");
    e.line = line;
    e.hint = "applications are replayed one by one";
    return tl::unexpected(std::move(e));
  }
  auto trace = collect(text.substr(0, surveyed->bytes), path, *header, *surveyed, *application, names);
  if (!trace) return tl::unexpected(std::move(trace.error()));
  Findings findings;
  auto program = compile_application(*trace, path, *header, *surveyed, *application, names, findings);
  if (!program) return tl::unexpected(std::move(program.error()));
  tell(path, *header, *surveyed, *application, names, *trace, findings, diagnostics);
  ParaverTrace read{std::move(*program), describe(*header, *surveyed, *application), {}};
  if (options.salvage) keep_consistent_part(read, *surveyed, path, diagnostics);
  return read;
}

Expected<ParaverTrace> read_paraver(const std::string& path, const ParaverOptions& options,
                                    Diagnostics& diagnostics) {
  const auto file = MappedFile::open(path);
  if (!file) return tl::unexpected(file.error());
  const auto pcf = text_beside(path, ".pcf"), row = text_beside(path, ".row");
  return read_paraver_texts({file->text(), pcf, row}, path, options, diagnostics);
}

}  // namespace busline
