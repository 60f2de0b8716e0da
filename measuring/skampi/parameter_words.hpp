// The words of a parameter file's values, for its reader and its writers.
#pragma once
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "measuring/measurement/measurement.hpp"
#include "measuring/measurement/variation.hpp"
#include "measuring/method/refinement.hpp"

namespace busline::skampi {

template <class E>
using ParameterWord = std::pair<std::string_view, E>;

inline constexpr std::array<ParameterWord<std::optional<measure::Scale>>, 4> kScaleWords{
    {{"Fixed_linear", measure::Scale::fixed_linear},
     {"Fixed_log", measure::Scale::fixed_log},
     {"Dynamic_linear", measure::Scale::dynamic_linear},
     {"Dynamic_log", measure::Scale::dynamic_log}}};
inline constexpr std::array<ParameterWord<bool>, 2> kYesOrNo{{{"yes", true}, {"no", false}}};

/// For the variations that parameter files can name.
inline std::vector<ParameterWord<std::optional<measure::Varies>>> variation_words() {
  std::vector<ParameterWord<std::optional<measure::Varies>>> words;
  for (const auto& v : measure::variations())
    if (!v.skampi.empty()) words.emplace_back(v.skampi, v.varies);
  return words;
}

/// The word for a value; empty: it has none.
template <class Words, class E>
constexpr std::string_view word_in(const Words& words, const E& value) {
  for (const auto& [word, meaning] : words)
    if (meaning == value) return word;
  return {};
}

}  // namespace busline::skampi
