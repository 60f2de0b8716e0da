#include "measuring/skampi/parameter_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "documents/fields/printable.hpp"
#include "documents/fields/text_file.hpp"
#include "measuring/skampi/measurement_blocks.hpp"
#include "measuring/skampi/parameter_value.hpp"

namespace busline::skampi {
namespace {

using File = ParameterFile;
using Value = ParameterValue;

struct SectionKind {
  std::string_view name;
  enum class Body { text, line, value, blocks } body;  // value: without comments
  bool has_default_in_name;                            // may be written with DEFAULT behind it, or without
  Expected<void> (*read)(File&, const Value&);
};

Expected<void> keep(std::string& out, const Value& v) {
  out = v.text();
  return {};
}

Expected<void> keep_name(std::string& out, const Value& v) {
  if (v.text().empty()) return v.wrong("the name of a file");
  return keep(out, v);
}

using Body = SectionKind::Body;
const std::array<SectionKind, 19> kSections{{
    {"COMMENT", Body::text, false,
     [](File& f, const Value& v) -> Expected<void> {
       if (!f.comment.empty() && !v.text().empty()) f.comment += '\n';
       f.comment += v.text();
       return {};
     }},
    {"USER", Body::text, false, [](File& f, const Value& v) { return keep(f.user, v); }},
    {"MACHINE", Body::text, false, [](File& f, const Value& v) { return keep(f.machine, v); }},
    {"NODE", Body::text, false, [](File& f, const Value& v) { return keep(f.node, v); }},
    {"NETWORK", Body::text, false, [](File& f, const Value& v) { return keep(f.network, v); }},
    {"OUTFILE", Body::line, false, [](File& f, const Value& v) { return keep_name(f.out_file, v); }},
    {"LOGFILE", Body::line, false, [](File& f, const Value& v) { return keep_name(f.log_file, v); }},
    {"MEMORY", Body::value, true,
     [](File& f, const Value& v) {
       auto kib = count(f.memory) >> 10U;
       auto read = v.whole(kib, 1, kMostMemoryKib);
       f.memory = Bytes{kib << 10U};
       return read;
     }},
    {"MAXSTEPSDEFAULT", Body::value, true,
     [](File& f, const Value& v) { return v.whole(f.defaults.max_steps, 1, measure::kMostArguments); }},
    {"MAXREPDEFAULT", Body::value, true,
     [](File& f, const Value& v) {
       return v.whole(f.defaults.repetition.max_repetitions, 1, measure::kMostRepetitions);
     }},
    {"MINREPDEFAULT", Body::value, true,
     [](File& f, const Value& v) {
       return v.whole(f.defaults.repetition.min_repetitions, 1, measure::kMostRepetitions);
     }},
    {"MULTIPLEOFDEFAULT", Body::value, true,
     [](File& f, const Value& v) { return v.whole(f.defaults.multiple_of, 1, measure::kLargestArgument); }},
    {"STANDARDERRORDEFAULT", Body::value, true,
     [](File& f, const Value& v) { return v.standard_error(f.defaults.repetition.precision); }},
    {"TIMEMEASDEFAULT", Body::value, true,
     [](File& f, const Value& v) { return v.minutes(f.defaults.repetition.time_limit); }},
    {"TIMESUITEDEFAULT", Body::value, true,
     [](File& f, const Value& v) { return v.minutes(f.defaults.time_suite); }},
    {"CUTQUANTILEDEFAULT", Body::value, true,
     [](File& f, const Value& v) { return v.cut_quantile(f.defaults.repetition.cut_quantile); }},
    {"ABSOLUTE", Body::value, false, [](File& f, const Value& v) { return v.choice(f.absolute, kYesOrNo); }},
    {"POSTPROC", Body::value, false,
     [](File& f, const Value& v) { return v.choice(f.post_processing, kYesOrNo); }},
    {"MEASUREMENTS", Body::blocks, false, nullptr},
}};

std::string without_default(std::string bare) {
  constexpr std::string_view kEnding = "default";
  if (bare.size() > kEnding.size() && bare.ends_with(kEnding)) bare.resize(bare.size() - kEnding.size());
  return bare;
}

const SectionKind* find_section(std::string_view keyword) {
  const auto bare = bare_name(keyword);
  const auto* const at = std::find_if(kSections.begin(), kSections.end(), [&](const SectionKind& k) {
    const auto name = bare_name(k.name);
    return bare == name || (k.has_default_in_name && without_default(bare) == without_default(name));
  });
  return at == kSections.end() ? nullptr : at;
}

// The keyword of a line that opens a section: @ as the first that is not blank, and a letter behind it.
std::string_view keyword_of(std::string_view line) {
  const auto text = trimmed(line);
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  if (text.size() < 2 || text[0] != '@' || !is_letter(text[1])) return {};
  std::size_t end = 1;
  while (end < text.size() &&
         (is_letter(text[end]) || text[end] == '_' || (text[end] >= '0' && text[end] <= '9')))
    ++end;
  return text.substr(1, end - 1);
}

struct Section {
  const SectionKind* kind;
  std::uint64_t line;
  std::string_view keyword, text;
};

Expected<std::vector<Section>> find_sections(std::string_view text, const ParameterSource& source) {
  std::vector<Section> sections{{&kSections[0], 1, "", text}};  // what comes first is a comment
  std::uint64_t line = 0;
  for (std::size_t at = 0; at < text.size();) {
    ++line;
    const auto end = std::min(text.find('\n', at), text.size());
    const auto here = text.substr(at, end - at);
    if (const auto keyword = keyword_of(here); !keyword.empty()) {
      if (const auto* const kind = find_section(keyword)) {
        auto& before = sections.back();
        before.text = before.text.substr(0, static_cast<std::size_t>(text.data() + at - before.text.data()));
        const auto behind = static_cast<std::size_t>(keyword.data() + keyword.size() - text.data());
        sections.push_back({kind, line, keyword, text.substr(behind)});
      } else {
        std::vector<std::string> known;
        for (const auto& k : kSections) known.emplace_back(k.name);
        std::string upper(keyword.substr(0, kLongestName));
        for (auto& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        const auto near = nearest_name(known, upper);
        const auto message = fmt::format("unknown section @{}", printable(keyword));
        if (!source.lenient)
          return tl::unexpected(source.error(line, "", message,
                                             near.empty() ? "docs/reference/skampi.md lists the sections"
                                                          : fmt::format("did you mean @{}?", near)));
        source.warn(line, "unknown-section", message + ": the line is text");
      }
    }
    at = end + 1;
  }
  return sections;
}

// Drops comments after # and blank lines.
std::string without_comments(std::string_view text) {
  std::string kept;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = trimmed(text.substr(0, std::min(text.find('#'), end)));
    if (!line.empty()) kept.append(kept.empty() ? "" : "\n").append(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return kept;
}

Expected<void> read_section(const Section& section, const ParameterSource& source, File& file) {
  std::string text(section.kind->body == Body::value ? without_comments(section.text)
                                                     : trimmed(section.text));
  // For the ends of lines only: without one inside it, a line could become the head of a section.
  for (auto at = text.find("\r\n"); at != std::string::npos; at = text.find("\r\n", at)) text.erase(at, 1);
  const auto where = fmt::format("@{}", section.keyword);
  if (section.kind->body != Body::text && text.find('\n') != std::string::npos) {
    const std::string message = "it has more than one line, expected one value";
    if (!source.lenient) return tl::unexpected(source.error(section.line, where, message));
    source.warn(section.line, "more-text", fmt::format("{}: {}: using the first", where, message));
    text.resize(text.find('\n'));
  }
  return section.kind->read(file, Value(source, section.line, where, text));
}

}  // namespace

Expected<ParameterFile> parse_parameter_file(std::string_view text, const std::string& path,
                                             const ReadParameters& options, Diagnostics& diagnostics) {
  const ParameterSource source{path, options.lenient, diagnostics};
  const auto sections = find_sections(text, source);
  if (!sections) return tl::unexpected(sections.error());
  ParameterFile file;
  // The defaults may follow the suites that need them.
  for (const auto& section : *sections)
    if (section.kind->body != Body::blocks)
      if (auto read = read_section(section, source, file); !read)
        return tl::unexpected(std::move(read.error()));
  for (const auto& section : *sections)
    if (section.kind->body == Body::blocks)
      if (auto read = parse_measurement_blocks(section.text, section.line, source, file); !read)
        return tl::unexpected(std::move(read.error()));
  return file;
}

Expected<ParameterFile> read_parameter_file(const std::string& path, const ReadParameters& options,
                                            Diagnostics& diagnostics) {
  const auto text = read_text_file(path, kLargestParameterFile);
  if (!text) return tl::unexpected(text.error());
  return parse_parameter_file(*text, path, options, diagnostics);
}

}  // namespace busline::skampi
