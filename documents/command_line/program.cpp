#include "documents/command_line/program.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "documents/command_line/command.hpp"
#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/terminal.hpp"
#include "documents/command_line/version.hpp"
#include "documents/text/text_table.hpp"

namespace busline::cli {
namespace {

std::string did_you_mean(const std::vector<std::string>& names, const std::string& given,
                         const std::string& otherwise) {
  const auto name = nearest_name(names, given);
  return name.empty() ? otherwise : fmt::format("did you mean '{}'? {}", name, otherwise);
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* option : app.get_options()) {
    for (const auto& n : option->get_lnames()) names.push_back("--" + n);
    for (const auto& n : option->get_snames()) names.push_back("-" + n);
  }
  return names;
}

// The given command, including subcommands: "measure merge".
const CLI::App& used_command(const CLI::App& program) {
  const auto* used = &program;
  for (auto below = used->get_subcommands(); !below.empty(); below = used->get_subcommands())
    used = below.front();
  return *used;
}

std::string full_name(const CLI::App& app) {
  const auto* parent = app.get_parent();
  return parent == nullptr ? app.get_name() : full_name(*parent) + " " + app.get_name();
}

// The words that no part of the command took. "--", which ends the options, does not count.
std::vector<std::string> extra_arguments(const CLI::App* used) {
  for (; used != nullptr; used = used->get_parent()) {
    auto extras = used->remaining();
    std::erase(extras, "--");
    if (!extras.empty()) return extras;
  }
  return {};
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* c : app.get_subcommands(nullptr)) names.push_back(c->get_name());
  return names;
}

// "--json=3", which the command line's reader calls a disallowed flag override.
bool is_value_of_flag(const CLI::ParseError& error) {
  return error.get_name() == "ArgumentMismatch" && std::string_view(error.what()).ends_with("flag override");
}

// "Could not convert: --messages = -1". It converts only numbers: the commands read other values.
std::optional<Error> unconverted(const CLI::ParseError& error, const CLI::App& used,
                                 const std::string& help) {
  constexpr std::string_view kBegin = "Could not convert: ", kBetween = " = ";
  const std::string_view what = error.what();
  const auto between = what.find(kBetween);
  if (!what.starts_with(kBegin) || between == what.npos) return std::nullopt;
  const std::string name(what.substr(kBegin.size(), between - kBegin.size()));
  const auto value = what.substr(between + kBetween.size());
  const auto* option = used.get_option_no_throw(name);
  const auto type = option == nullptr ? std::string() : option->get_type_name();
  const bool is_whole = type == "N" || type.starts_with("N:") || type.starts_with("UINT");
  return option_error(
      name, fmt::format("'{}', expected {}", value, is_whole ? "a whole number, 0 or more" : "a number"),
      help);
}

// An error of the command line's parser, in Busline's form and with the nearest name.
Error explain(const CLI::ParseError& error, const CLI::App& program) {
  const auto& used = used_command(program);
  const auto commands = command_names(used);
  const auto help =
      fmt::format("'{} --help' lists {}", full_name(used), commands.empty() ? "its options" : "the commands");
  if (is_value_of_flag(error)) {
    const std::string what = error.what(), name = what.substr(0, what.find(' '));  // without its dashes
    return option_error((name.size() == 1 ? "-" : "--") + name, "takes no value", help);
  }
  if (auto wrong = unconverted(error, used, help)) return *std::move(wrong);
  const auto extras = extra_arguments(&used);
  if (extras.empty()) {
    const bool nothing = !commands.empty() && error.get_name() == "RequiredError";
    return option_error({}, nothing ? "a command is missing" : error.what(), help);
  }
  const auto& given = extras.front();
  if (given.starts_with("-") && given.size() > 1) {
    const auto name = given.substr(0, given.find('='));
    // Any letter is similar to any other.
    const auto names = name.size() > 2 ? option_names(used) : std::vector<std::string>();
    return option_error({}, fmt::format("unknown option '{}'", name), did_you_mean(names, name, help));
  }
  if (commands.empty()) return option_error({}, fmt::format("unexpected argument '{}'", given), help);
  return option_error({}, fmt::format("unknown command '{}'", given), did_you_mean(commands, given, help));
}

// A full disk shows when the output is flushed.
Expected<void> flush_output() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return {};
  return refuse_file(Error::Kind::unreadable, "standard output", std::strerror(errno == 0 ? EIO : errno));
}

int fail(const Error& error) {
  print_error(error);
  return exit_code(error.kind);
}

std::string version_text(const std::string& program, const std::vector<OptionalPart>& parts) {
  auto text = kCommit.empty() ? fmt::format("{} {}", program, kVersion)
                              : fmt::format("{} {} ({})", program, kVersion, kCommit);
  for (const auto& part : parts) {
    text += fmt::format("\n  {:<12} {}  {}", part.name, part.present ? "present" : "missing", part.gives);
    if (!part.present) text.append(": ").append(part.how_to_get);
  }
  return text;
}

std::string version_document(const std::string& program, const std::vector<OptionalPart>& parts) {
  nlohmann::ordered_json document{{"schema", "busline/version/1"},
                                  {"program", program},
                                  {"version", kVersion},
                                  {"commit", kCommit},
                                  {"optional_parts", nlohmann::ordered_json::array()}};
  for (const auto& part : parts) {
    nlohmann::ordered_json p{{"name", part.name}, {"gives", part.gives}, {"present", part.present}};
    if (!part.present) p["how_to_get"] = part.how_to_get;
    document["optional_parts"].push_back(std::move(p));
  }
  auto text = document_text(document);
  text.pop_back();  // the caller ends the line
  return text;
}

// They end the program, so --json must be parsed before --version takes effect.
void add_version(CLI::App& program, const ProgramDescription& description) {
  const auto json = std::make_shared<bool>(false);
  auto* as_json = program.add_flag("--json", *json, "With --version: print one JSON document");
  auto* version = program.set_version_flag(
      "--version",
      [json, name = description.name, parts = description.parts] {
        const auto all = parts == nullptr ? std::vector<OptionalPart>() : parts();
        return *json ? version_document(name, all) : version_text(name, all);
      },
      "Print version, commit and optional parts");
  as_json->needs(version);
}

int run(const ProgramDescription& description, int argc, char** argv) {
  Invocation invocation;
  invocation.testbeds = description.testbeds;
  invocation.command_line.assign(argv, argv + argc);
  CLI::App program{description.description, description.name};
  add_version(program, description);
  program.option_defaults()->disable_flag_override();
  program.require_subcommand(1);
  program.footer(fmt::format("'{} COMMAND --help' shows its options and examples.", description.name));
  std::vector<Command> all;
  for (const auto add : description.commands) all.push_back(add(program, invocation));
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& e) {  // --help, --version
    program.exit(e);
    const auto flushed = flush_output();
    return flushed ? kDone : fail(flushed.error());
  } catch (const CLI::ParseError& e) {
    return fail(explain(e, program));
  }
  catch_interrupts();
  set_text_width(output_width());
  const auto command = std::find_if(all.begin(), all.end(), [](const Command& c) { return c.app->parsed(); });
  const auto done = command->run();
  if (!done) return fail(done.error());
  if (const auto flushed = flush_output(); !flushed) return fail(flushed.error());
  return *done;
}

void tell_out_of_memory() {
  std::fputs(program_name(), stderr);
  std::fputs(": out of memory\n", stderr);
}

std::atomic<bool> ran_out_of_memory = false;

// Called by operator new before it gives up.
void note_out_of_memory() {
  ran_out_of_memory = true;
  throw std::bad_alloc();
}

// Same handling where memory runs out in a noexcept function, such as CLI11's search for an option or a
// folder's iterator, or in a thread. Incomplete temporary files stay beside their targets.
[[noreturn]] void end_without_unwinding() {
  if (!ran_out_of_memory) std::abort();  // a bug in Busline: lets a debugger see its place
  tell_out_of_memory();
  std::_Exit(kReadWriteFailed);
}

}  // namespace

int run_program(const ProgramDescription& description, int argc, char** argv) {
  set_program_name(description.name);
  std::set_new_handler(note_out_of_memory);
  std::set_terminate(end_without_unwinding);
  try {
    return run(description, argc, argv);
  } catch (const std::bad_alloc&) {
    tell_out_of_memory();
    return kReadWriteFailed;
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}: bug: {}\n  please report it together with the command you ran\n", program_name(),
               e.what());
    return kBug;
  }
}

}  // namespace busline::cli
