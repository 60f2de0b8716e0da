#include "workloads/dim/dim_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "workloads/dim/read_dim.hpp"
#include "workloads/dim/record_text.hpp"
#include "workloads/dim/scan.hpp"
#include "workloads/files/mapped_file.hpp"

namespace busline {
namespace dim {
namespace {

constexpr std::string_view kCutHint = "the file is probably truncated: copy it or translate the trace again";

}  // namespace

// ---- lines

Expected<Program> DimReader::read(std::size_t second_line) {
  begin_ = text_.data() + second_line;
  const auto last_end = text_.rfind('\n');
  const auto whole_lines = last_end == std::string_view::npos ? 0 : last_end + 1;
  if (!lines(text_.data() + whole_lines) || !unended_line(text_.substr(std::max(whole_lines, second_line))) ||
      !end_of_trace())
    return tl::unexpected(*std::move(error_));
  return builder_.build();
}

bool DimReader::lines(const char* end) {
  end_ = end;
  while (begin_ < end_) {
    ++line_number_;
    if (!line()) return false;
  }
  return true;
}

// The last line if no newline ends it. It is read like the others, so that an error says what is missing.
bool DimReader::unended_line(std::string_view rest) {
  if (rest.empty()) return true;
  const std::string line = std::string(rest) + '\n';
  begin_ = line.data();
  if (!lines(line.data() + line.size())) {
    if (error_->hint.empty()) error_->hint = kCutHint;
    return false;
  }
  if (in_offset_table_) return true;
  begin_ = line.data();
  return fail(fields_, "the line has no end, so its last number may be incomplete",
              "copy the trace again, or end the line if the trace is complete");
}

// Reads the line at begin_ and moves begin_ to the next one.
bool DimReader::line() {
  fields_ = 0;
  const char* p = begin_;
  if (static_cast<unsigned>(*p) - '0' > 9) return line_without_record();
  for (;;) {
    const char* const next = scan_number(p, field_[fields_]);
    if (next == nullptr) return not_a_number(fields_);
    p = next;
    ++fields_;
    if (*p != ':') break;
    ++p;
    if (fields_ == 3 && field_[0] == record::kBurst) return burst(p);
    if (fields_ == kMostFields) return wrong_number_of_fields();
  }
  if (*p == '\r') ++p;
  if (*p != '\n') return not_a_number(fields_ - 1);
  if (!record()) return false;
  begin_ = p + 1;
  return true;
}

bool DimReader::line_without_record() {
  const auto line = whole_line();
  const auto kind = line.substr(0, 2);
  if (kind == "s:") {
    in_offset_table_ = true;
  } else if (kind == "d:") {
    if (!definition(line)) return false;
  } else if (!line.empty() && line != "\r") {
    return bad(0, "the number of a record, d (definition) or s (offset)");
  }
  begin_ = line.data() + line.size() + 1;
  return true;
}

// d:1:number:size:task:task:... The kinds 2 (file) and 3 (window) have no effect.
bool DimReader::definition(std::string_view line) {
  constexpr std::size_t kKind = 1, kNumber = 2, kSize = 3, kFirstTask = 4;
  if (thread_ >= 0) return fail(0, "a definition after the first record");
  const auto number_in = [&](std::size_t field, std::int64_t& value) {
    const auto column = column_of(line, field);
    const char* const p = line.data() + column - 1;
    const char* const after = column > line.size() ? nullptr : scan_number(p, value);
    return (after != nullptr && (*after == ':' || *after == '\n' || *after == '\r')) ||
           bad(field, "a whole number");
  };
  std::int64_t kind = 0, number = 0, size = 0;
  if (!number_in(kKind, kind)) return false;
  if (kind == 2 || kind == 3) return true;
  if (kind != 1) return bad(kKind, "1 (communicator), 2 (file) or 3 (window)");
  if (!number_in(kNumber, number) || !number_in(kSize, size)) return false;
  if (size < 1 || size > builder_.ranks()) return bad(kSize, fmt::format("1 to {} tasks", builder_.ranks()));

  std::vector<std::uint32_t> members;
  const char* p = line.data() + column_of(line, kSize) - 1;
  while (*p != ':' && *p != '\n' && *p != '\r') ++p;
  while (*p == ':') {
    std::int64_t task = 0;
    const auto field = kFirstTask + members.size();
    const char* const after = scan_number(p + 1, task);
    if (after == nullptr || (*after != ':' && *after != '\n' && *after != '\r'))
      return bad(field, "a whole number");
    if (task < 0 || task >= builder_.ranks())
      return bad(field, fmt::format("a task, 0 to {}", builder_.ranks() - 1));
    members.push_back(static_cast<std::uint32_t>(task));
    p = after;
  }
  if (members.size() != static_cast<std::size_t>(size))
    return bad(kSize, fmt::format("{}, the number of tasks listed", members.size()));
  auto sorted = members;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    return fail(kFirstTask, fmt::format("task {} is listed twice", *twice));
  return communicators_.define(number, std::move(members)) ||
         bad(kNumber, "a number that is not defined yet");
}

bool DimReader::record() {
  switch (field_[0]) {
    case record::kNoop:
      if (fields_ != 3) break;
      if (!enter_thread()) return false;
      builder_.noop();
      return true;
    case record::kSend:
      if (fields_ != 8 && fields_ != 9) break;
      return enter_thread() && send();
    case record::kReceive:
      if (fields_ != 8 && fields_ != 9) break;
      return enter_thread() && receive();
    case record::kCollective:
      if (fields_ != 9 && fields_ != 10) break;
      return enter_thread() && collective();
    case record::kEvent:
      if (fields_ != 5) break;
      return enter_thread() && event();
    case record::kBurst:
      break;  // its seconds are missing
    case record::kAcceleratorBurst:
      return fail(0, "accelerators are not simulated", "translate the trace without CUDA and OpenCL records",
                  Error::Kind::unsupported);
    default:
      return bad(0, "0, 1, 2, 3, 10 or 20");
  }
  return wrong_number_of_fields();
}

// ---- which rank and thread a record belongs to

bool DimReader::enter_thread() {
  const auto task = field_[1], thread = field_[2];
  if (task == task_ && thread == thread_ && !in_offset_table_) [[likely]]
    return true;
  if (in_offset_table_) return fail(0, "a record after the offset table");
  if (task < 0 || task >= builder_.ranks())
    return bad(1, fmt::format("a task, 0 to {}", builder_.ranks() - 1));
  const auto threads = header_.threads[static_cast<std::size_t>(task)];
  if (thread < 0 || thread >= threads)
    return bad(2, fmt::format("a thread below {}, as the header says for task {}", threads, task));
  const bool first = thread_ < 0;
  const bool same_task = !first && task == task_;
  if (!first && (task < task_ || (same_task && thread < thread_)))
    return fail(
        1, fmt::format("task {} thread {} comes after task {} thread {}; records must be grouped by task, "
                       "then thread",
                       task, thread, task_, thread_));
  if (same_task && !warned_of_threads_) {
    warned_of_threads_ = true;
    warn("threads",
         "tasks have several threads with records; they share their rank's CPUs and are not "
         "synchronised with one another");
  }
  // Ranks without records have an empty strand.
  for (auto empty = first ? 0 : task_ + 1; empty < task; ++empty) builder_.begin_strand(empty);
  task_ = static_cast<std::uint32_t>(task);
  thread_ = thread;
  builder_.begin_strand(task_, !same_task && (threads == 1 || !uses_threads()));
  receives_.clear();
  collectives_.clear();
  return true;
}

// Whether the task whose first record is being read also has records of another thread. The header of a
// hybrid program counts all threads, of which prv2dim translates only the first.
bool DimReader::uses_threads() const {
  for (const char* line = begin_; line < end_; ++line) {
    std::int64_t number = 0, task = 0, thread = 0;
    const char* p = scan_number(line, number);
    if (p == nullptr || *p != ':') return false;
    p = scan_number(p + 1, task);
    if (p == nullptr || *p != ':' || task != field_[1]) return false;
    p = scan_number(p + 1, thread);
    if (p == nullptr) return false;
    if (thread != field_[2]) return true;
    for (line = p; *line != '\n'; ++line) {
    }
  }
  return false;
}

// ---- the end

bool DimReader::end_of_trace() {
  if (header_.has_offset_table && !in_offset_table_) {
    Error e;
    e.path = path_;
    e.line = line_number_;
    e.message = "the trace ends here, without the offset table that its header announces";
    e.hint = kCutHint;
    error_ = std::move(e);
    return false;
  }
  for (auto empty = thread_ < 0 ? 0 : task_ + 1; empty < builder_.ranks(); ++empty)
    builder_.begin_strand(empty);
  line_number_ = 1;
  if (communicators_.defined() != header_.communicators)
    warn("communicator-count", fmt::format("the header says {} communicators, {} are defined",
                                           header_.communicators, communicators_.defined()));
  if (header_.openmp_tasks > 0)
    warn("openmp",
         fmt::format("{} tasks use OpenMP, whose synchronisation is not simulated", header_.openmp_tasks));
  return true;
}

// ---- errors

std::string_view DimReader::whole_line() const {
  const std::string_view rest(begin_, static_cast<std::size_t>(end_ - begin_));
  return rest.substr(0, rest.find('\n'));
}

bool DimReader::fail(std::size_t field, std::string message, std::string_view hint, Error::Kind kind) {
  Error e;
  e.kind = kind;
  e.path = path_;
  e.line = line_number_;
  e.column = column_of(whole_line(), field);
  e.where = fields_ > 0 ? record_name(field_[0]) : *begin_ == 'd' ? "definition" : "";
  e.message = std::move(message);
  e.hint = hint;
  error_ = std::move(e);
  return false;
}

bool DimReader::bad(std::size_t field, std::string_view expected) {
  const auto line = whole_line();
  return fail(field, fmt::format("{} is '{}', expected {}", field_name(line, field), field_text(line, field),
                                 expected));
}

bool DimReader::not_a_number(std::size_t field) {
  if (field > 0 && field_[0] == record::kAcceleratorBurst) return record();  // refused for what it is
  return bad(field, "a whole number");
}

bool DimReader::wrong_number_of_fields() {
  const auto line = whole_line();
  return fail(0, fmt::format("the line has {} fields, expected {}",
                             1 + std::count(line.begin(), line.end(), ':'), record_layout(field_[0])));
}

void DimReader::warn(std::string_view code, std::string message) {
  Diagnostic d;
  d.code = code;
  d.message = std::move(message);
  d.path = path_;
  d.line = line_number_;
  diagnostics_.push_back(std::move(d));
}

}  // namespace dim

bool looks_like_dim(std::string_view text) {
  // A machine's configuration begins with "#DIMEMAS_CONFIGURATION".
  return text.starts_with(dim::kMagic) && text.substr(dim::kMagic.size(), 1) != "_";
}

Expected<Program> read_dim_text(std::string_view text, const std::string& path, Diagnostics& diagnostics) {
  const auto end = text.find('\n');
  auto header = dim::read_header(text.substr(0, end), path);
  if (!header) return tl::unexpected(std::move(header).error());
  const auto second_line = end == std::string_view::npos ? text.size() : end + 1;
  return dim::DimReader(text, path, *std::move(header), diagnostics).read(second_line);
}

Expected<Program> read_dim(const std::string& path, Diagnostics& diagnostics) {
  const auto file = MappedFile::open(path);
  if (!file) return tl::unexpected(file.error());
  return read_dim_text(file->text(), path, diagnostics);
}

}  // namespace busline
