#include "documents/command_line/manual/completion.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace busline::cli {
namespace {

using Words = std::vector<std::string>;

std::string replace_all(std::string_view text, char what, std::string_view by) {
  std::string out;
  for (const char c : text) c == what ? out.append(by) : out.append(1, c);
  return out;
}

std::string in_quotes(std::string_view text) {
  return "'" + replace_all(text, '\'', R"('\'')") + "'";
}
std::string in_quotes_of_fish(std::string_view text) {
  return "'" + replace_all(replace_all(text, '\\', R"(\\)"), '\'', R"(\')") + "'";
}

// For _describe of zsh, which offers the text before the first colon.
std::string described(std::string_view word, std::string_view help) {
  return in_quotes(replace_all(word, ':', "\\:") + ":" + std::string(help));
}

// Words that are not options: commands, or the values of the first argument.
Words plain_words(const CommandDescription& command) {
  Words words;
  for (const auto& below : command.commands) words.push_back(below.name.substr(below.name.rfind(' ') + 1));
  if (words.empty() && !command.arguments.empty()) words = command.arguments.front().choices;
  return words;
}

// 'busline study' | 'busline study run' | ...
std::string patterns_of_commands(const CommandDescription& program) {
  std::string patterns;
  for (const auto* c : all_commands(program))
    if (c != &program) patterns.append(patterns.empty() ? "" : " | ").append(in_quotes(c->name));
  return patterns;
}

// 'busline simulate --json' for each name of an option.
std::string patterns_of_option(const CommandDescription& command, const OptionDescription& option) {
  std::string patterns;
  for (const auto& n : option.names)
    patterns.append(patterns.empty() ? "" : " | ").append(in_quotes(fmt::format("{} {}", command.name, n)));
  return patterns;
}

// The lines of a 'case' of bash and of zsh that look at an option's value.
std::string cases_of_values(const CommandDescription& program, std::string_view offer,
                            std::string_view files) {
  std::string text;
  for (const auto* c : all_commands(program))
    for (const auto& option : c->options) {
      if (!option.takes_value) continue;
      text += fmt::format("    {}) ", patterns_of_option(*c, option));
      text += option.choices.empty()
                  ? std::string(files)
                  : fmt::format(fmt::runtime(offer),
                                in_quotes(fmt::format("{}", fmt::join(option.choices, " "))));
      text.append(" ;;\n");
    }
  return text;
}

constexpr std::string_view kBash =
    R"(# Completion of {program} in bash, printed by '{program} completion bash'.
_{program}() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD - 1]}}" command={program}
  local options='' words='' i
  COMPREPLY=()
  # bash takes --option=value apart.
  if [[ $current == = ]]; then
    current=''
  elif [[ $before == = ]]; then
    before="${{COMP_WORDS[COMP_CWORD - 2]}}"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command ${{COMP_WORDS[i]}}" in
      {commands}) command+=" ${{COMP_WORDS[i]}}" ;;
    esac
  done
  case "$command $before" in
{values}  esac
  case "$command" in
{words}  esac
  [[ $current == -* ]] && words=$options
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}}
complete -o default -F _{program} {program}
)";

constexpr std::string_view kZsh = R"(#compdef {program}
# Completion of {program} in zsh, printed by '{program} completion zsh'.
_{program}() {{
  local command={program} i
  local -a options=() values=()
  for ((i = 2; i < CURRENT; i++)); do
    case "$command ${{words[i]}}" in
      {commands}) command+=" ${{words[i]}}" ;;
    esac
  done
  case "$command ${{words[CURRENT - 1]}}" in
{values}  esac
  case "$command" in
{words}  esac
  if [[ $PREFIX == -* ]]; then
    _describe -o option options
  elif (( $#values )); then
    _describe value values
  else
    _files
  fi
}}
if [[ $funcstack[1] == _{program} ]]; then
  _{program} "$@"
else
  compdef _{program} {program}
fi
)";

constexpr std::string_view kFish =
    R"(# Completion of {program} in fish, printed by '{program} completion fish'.
function __{program}_command
  set -l command {program}
  for word in (commandline -opc)[2..-1]
    switch "$command $word"
      case {commands}
        set command "$command $word"
    end
  end
  echo $command
end
)";

}  // namespace

std::string bash_completion(const CommandDescription& program) {
  std::string words;
  for (const auto* c : all_commands(program)) {
    Words options;
    for (const auto& o : c->options) options.insert(options.end(), o.names.begin(), o.names.end());
    words += fmt::format("    {}) options={} words={} ;;\n", in_quotes(c->name),
                         in_quotes(fmt::format("{}", fmt::join(options, " "))),
                         in_quotes(fmt::format("{}", fmt::join(plain_words(*c), " "))));
  }
  const auto values = cases_of_values(
      program, R"(mapfile -t COMPREPLY < <(compgen -W {} -- "$current") && return)", "return");
  return fmt::format(kBash, fmt::arg("program", program.name),
                     fmt::arg("commands", patterns_of_commands(program)), fmt::arg("values", values),
                     fmt::arg("words", words));
}

std::string zsh_completion(const CommandDescription& program) {
  std::string words;
  for (const auto* c : all_commands(program)) {
    Words options, values;
    for (const auto& o : c->options)
      for (const auto& n : o.names) options.push_back(described(n, o.help));
    for (const auto& below : c->commands)
      values.push_back(described(below.name.substr(below.name.rfind(' ') + 1), below.description));
    if (values.empty())
      for (const auto& w : plain_words(*c)) values.push_back(described(w, c->arguments.front().help));
    words += fmt::format("    {})\n      options=({})\n      values=({})\n      ;;\n", in_quotes(c->name),
                         fmt::join(options, " "), fmt::join(values, " "));
  }
  const auto values =
      cases_of_values(program, "compadd -- ${{(s: :)${{:-{}}}}} && return", "_files && return");
  return fmt::format(kZsh, fmt::arg("program", program.name),
                     fmt::arg("commands", patterns_of_commands(program)), fmt::arg("values", values),
                     fmt::arg("words", words));
}

std::string fish_completion(const CommandDescription& program) {
  std::string names;
  for (const auto* c : all_commands(program))
    if (c != &program) names.append(names.empty() ? "" : " ").append(in_quotes_of_fish(c->name));
  auto text = fmt::format(kFish, fmt::arg("program", program.name), fmt::arg("commands", names));
  for (const auto* c : all_commands(program)) {
    const auto here =
        fmt::format("complete -c {} -n {}", program.name,
                    in_quotes_of_fish(fmt::format("test (__{}_command) = \"{}\"", program.name, c->name)));
    for (const auto& below : c->commands)
      text += fmt::format("{} -f -a {} -d {}\n", here, below.name.substr(below.name.rfind(' ') + 1),
                          in_quotes_of_fish(below.description));
    if (c->commands.empty())
      for (const auto& w : plain_words(*c)) text += fmt::format("{} -f -a {}\n", here, in_quotes_of_fish(w));
    for (const auto& o : c->options) {
      text += here;
      for (const auto& n : o.names)
        text += n.starts_with("--") ? fmt::format(" -l {}", n.substr(2)) : fmt::format(" -s {}", n.substr(1));
      if (!o.choices.empty())
        text += fmt::format(" -x -a {}", in_quotes_of_fish(fmt::format("{}", fmt::join(o.choices, " "))));
      else if (o.takes_value)
        text.append(" -r");
      text += fmt::format(" -d {}\n", in_quotes_of_fish(o.help));
    }
  }
  return text;
}

}  // namespace busline::cli
