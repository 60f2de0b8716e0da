#include <fmt/format.h>

#include <iterator>

#include "measuring/skampi/parameter_file.hpp"
#include "measuring/skampi/parameter_words.hpp"

namespace busline::skampi {
namespace {

std::string minutes_or_invalid(const std::optional<Duration>& d) {
  return d ? fmt::format("{:.15g}", d->in_seconds() / 60) : "Invalid_Value";
}

std::string percent(double fraction) {
  return fmt::format("{:.15g}%", fraction * 100);
}

// Puts lines together; keys of a block whose value is that of the file are Default_Value.
class Text {
 public:
  template <class T>
  void section(std::string_view name, const T& value) {
    fmt::format_to(std::back_inserter(text_), "@{} {}\n", name, value);
  }
  template <class T>
  void key(std::string_view name, const T& value) {
    fmt::format_to(std::back_inserter(text_), "  {} = {};\n", name, value);
  }
  template <class T>
  void key(std::string_view name, const T& value, const T& default_value) {
    if (value == default_value)
      key(name, "Default_Value");
    else
      key(name, value);
  }
  void add(const SuiteParameters& suite, const SuiteLimits& defaults);
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void Text::add(const SuiteParameters& s, const SuiteLimits& defaults) {
  const auto& repetition = s.limits.repetition;
  const auto& usual = defaults.repetition;
  text_ += '\n' + s.name + "\n{\n";
  if (s.type != 0)
    key("Type", s.type);
  else
    key("Operation", s.operation);
  if (s.varies) key("Variation", word_in(variation_words(), s.varies));
  if (s.scale) key("Scale", word_in(kScaleWords, s.scale));
  key("Max_Repetition", repetition.max_repetitions, usual.max_repetitions);
  key("Min_Repetition", repetition.min_repetitions, usual.min_repetitions);
  key("Multiple_of", s.limits.multiple_of, defaults.multiple_of);
  key("Time_Measurement", minutes_or_invalid(repetition.time_limit), minutes_or_invalid(usual.time_limit));
  key("Time_Suite", minutes_or_invalid(s.limits.time_suite), minutes_or_invalid(defaults.time_suite));
  key("Node_Times", word_in(kYesOrNo, s.node_times));
  key("Cut_Quantile", repetition.cut_quantile, usual.cut_quantile);
  key("Default_Chunks", s.chunks);
  key("Default_Message_length", s.message);
  if (s.start) key("Start_Argument", *s.start);
  key("End_Argument", s.end ? fmt::format("{}", *s.end) : "Max_Value");
  if (s.step) key("Stepwidth", *s.step);
  key("Max_Steps", s.limits.max_steps, defaults.max_steps);
  key("Min_Distance", s.min_distance);
  if (s.max_distance) key("Max_Distance", *s.max_distance);
  key("Standard_error", percent(repetition.precision), percent(usual.precision));
  text_ += "}\n";
}

}  // namespace

std::string to_text(const ParameterFile& file) {
  Text text;
  const auto& defaults = file.defaults;
  text.section("COMMENT", file.comment);
  text.section("USER", file.user);
  text.section("MACHINE", file.machine);
  text.section("NODE", file.node);
  text.section("NETWORK", file.network);
  if (!file.out_file.empty()) text.section("OUTFILE", file.out_file);
  if (!file.log_file.empty()) text.section("LOGFILE", file.log_file);
  text.section("MEMORY", count(file.memory) >> 10U);
  text.section("MAXSTEPSDEFAULT", defaults.max_steps);
  text.section("MAXREPDEFAULT", defaults.repetition.max_repetitions);
  text.section("MINREPDEFAULT", defaults.repetition.min_repetitions);
  text.section("MULTIPLEOFDEFAULT", defaults.multiple_of);
  text.section("STANDARDERRORDEFAULT", percent(defaults.repetition.precision));
  text.section("TIMEMEASDEFAULT", minutes_or_invalid(defaults.repetition.time_limit));
  text.section("TIMESUITEDEFAULT", minutes_or_invalid(defaults.time_suite));
  text.section("CUTQUANTILEDEFAULT", defaults.repetition.cut_quantile);
  text.section("ABSOLUTE", word_in(kYesOrNo, file.absolute));
  text.section("POSTPROC", word_in(kYesOrNo, file.post_processing));
  text.section("MEASUREMENTS", "");
  for (const auto& suite : file.suites) text.add(suite, defaults);
  return text.take();
}

}  // namespace busline::skampi
