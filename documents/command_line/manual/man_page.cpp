#include "documents/command_line/manual/man_page.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "documents/command_line/exit_codes.hpp"
#include "sim/base/text_parts.hpp"

namespace busline::cli {
namespace {

using Options = std::vector<OptionDescription>;

// Escapes of groff_char(7) for characters that must appear as typed.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\\':
        out.append("\\e");
        break;
      case '-':
        out.append("\\-");
        break;
      case '\'':
        out.append("\\(aq");
        break;
      case '`':
        out.append("\\(ga");
        break;
      case '^':
        out.append("\\(ha");
        break;
      case '~':
        out.append("\\(ti");
        break;
      default:
        out.append(1, c);
    }
  }
  // At the beginning of a line it would start a request.
  return out.starts_with(".") ? "\\&" + out : out;
}

std::string bold(std::string_view text) {
  return "\\fB" + escaped(text) + "\\fR";
}
std::string italic(std::string_view text) {
  return "\\fI" + escaped(text) + "\\fR";
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

std::string synopsis(const CommandDescription& command) {
  auto text = ".SH SYNOPSIS\n" + bold(command.name) + " [" + italic("OPTIONS") + "]";
  if (!command.commands.empty()) text += " " + italic("COMMAND");
  for (const auto& a : command.arguments) {
    auto name = italic(a.names.front());
    if (a.repeated) name += "...";
    text += a.required ? " " + name : " [" + name + "]";
  }
  return text + "\n";
}

std::string entry(const OptionDescription& option) {
  std::string names;
  for (const auto& n : option.names) names.append(names.empty() ? "" : ", ").append(bold(n));
  if (!option.type.empty()) names += " " + italic(option.type);
  auto text = fmt::format(".TP\n{}\n{}", names, escaped(option.help));
  if (!option.choices.empty()) text += escaped(fmt::format(" (one of: {})", fmt::join(option.choices, ", ")));
  if (!option.limits.empty()) text += escaped(fmt::format(" ({})", option.limits));
  if (!option.preset.empty()) text += escaped(fmt::format(" [{}]", option.preset));
  return text + "\n";
}

// In the groups of help, in the order in which they first appear.
std::string options_section(const Options& options) {
  std::vector<std::pair<std::string, std::string>> groups;
  for (const auto& o : options) {
    auto group = groups.begin();
    while (group != groups.end() && group->first != o.group) ++group;
    if (group == groups.end()) group = groups.insert(group, {o.group, ""});
    group->second += entry(o);
  }
  std::string text;
  for (const auto& [name, entries] : groups) text += fmt::format(".SH {}\n{}", escaped(upper(name)), entries);
  return text;
}

std::string examples(std::string_view footer) {
  constexpr std::string_view kHeading = "Examples:\n";
  if (!footer.starts_with(kHeading)) return "";
  std::string text = ".SH EXAMPLES\n.EX\n";
  for (const auto line : split(footer.substr(kHeading.size()), '\n')) text += escaped(line) + "\n";
  return text + ".EE\n";
}

std::string exit_status() {
  constexpr std::array<std::pair<Exit, std::string_view>, 9> kMeanings{{
      {kDone, "Done."},
      {kBeyondThreshold, "A comparison exceeded the given limits."},
      {kBadOptions, "The command line is invalid."},
      {kBadInput, "An input file is invalid."},
      {kCannotComplete,
       "The simulated run cannot continue, or this program was built without a feature that was requested."},
      {kReadWriteFailed, "A file cannot be read or written."},
      {kBug, "A bug in the program."},
      {kInterrupted, "Interrupted (SIGINT)."},
      {kTerminated, "Terminated by a signal (SIGTERM)."},
  }};
  std::string text = ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : kMeanings)
    text += fmt::format(".TP\n.B {}\n{}\n", static_cast<int>(code), meaning);
  return text;
}

}  // namespace

std::string page_name(const CommandDescription& command) {
  auto name = command.name;
  for (char& c : name)
    if (c == ' ') c = '-';
  return name;
}

std::string_view man_section(const CommandDescription& program) {
  return program.name.find('-') == std::string::npos ? "1" : "1mpi";
}

std::string man_page(const CommandDescription& command, const CommandDescription* above,
                     std::string_view section, std::string_view version) {
  const auto name = page_name(command);
  auto text =
      fmt::format(".TH {} {} \"\" \"Busline {}\" \"Busline\"\n.nh\n.ad l\n.SH NAME\n{} \\- {}\n",
                  escaped(upper(name)), section, version, escaped(name), escaped(command.description));
  text += synopsis(command);
  if (!command.arguments.empty()) text += ".SH ARGUMENTS\n";
  for (const auto& a : command.arguments) text += entry(a);
  if (!command.commands.empty()) text += ".SH COMMANDS\n";
  for (const auto& c : command.commands)
    text += fmt::format(".TP\n{}({})\n{}\n", bold(page_name(c)), section, escaped(c.description));
  text += options_section(command.options);
  text += examples(command.footer);
  if (above == nullptr) return text + exit_status();
  return text + fmt::format(".SH SEE ALSO\n{}({})\n", bold(page_name(*above)), section);
}

}  // namespace busline::cli
