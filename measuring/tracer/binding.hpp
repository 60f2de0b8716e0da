// Which parameter of an MPI function gives which argument of its record: worked out by the compiler from the
// function's parameters as text and the table of the format.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "workloads/dumpi/format/layout.hpp"

namespace busline::tracer {

inline constexpr int kNone = -1;

/// Where an argument of a record comes from.
struct Source {
  int parameter = kNone;  ///< of the function; kNone: it is not a parameter
  int length = kNone;     ///< the argument that tells the length of a list
  bool before = false;    ///< read before the call, which changes it
};

struct Binding {
  std::array<Source, dumpi::kMostArguments> from{};
  int send_buffer = kNone, receive_buffer = kNone;  ///< parameters that may be MPI_IN_PLACE
};

/// `parameters` has a word for each parameter, separated by commas: the record's name of it, or _ for one
/// that is not recorded. A list has its length's name in brackets, `requests[count]`. `!` marks one that is
/// read before the call; `position_in! | position_out` is read before and after. `sendbuf` and `recvbuf` are
/// buffers in whose place MPI_IN_PLACE may stand.
consteval Binding bind(std::uint16_t function, std::string_view parameters) {
  const auto& layout = dumpi::kLayouts[function];
  const auto argument = [&layout](std::string_view name) {
    for (int i = 0; i < layout.arguments; ++i)
      if (layout.all[static_cast<std::size_t>(i)].name == name) return i;
    throw "no such argument";
  };
  const auto take = [](std::string_view& text, char until) {
    const auto word = text.substr(0, text.find(until));
    text.remove_prefix(word.size() == text.size() ? word.size() : word.size() + 1);
    return word;
  };
  Binding binding;
  for (int parameter = 0; !parameters.empty(); ++parameter) {
    auto of_parameter = take(parameters, ',');
    while (!of_parameter.empty()) {
      auto word = take(of_parameter, '|');
      Source source{.parameter = parameter};
      while (word.starts_with(' ')) word.remove_prefix(1);
      while (word.ends_with(' ')) word.remove_suffix(1);
      if (word.ends_with('!')) {
        source.before = true;
        word.remove_suffix(1);
        while (word.ends_with(' ')) word.remove_suffix(1);  // the preprocessor may put one there
      }
      const auto name = take(word, '[');
      if (!word.empty()) source.length = argument(word.substr(0, word.find(']')));
      if (name == "sendbuf")
        binding.send_buffer = parameter;
      else if (name == "recvbuf")
        binding.receive_buffer = parameter;
      else if (name != "_")
        binding.from[static_cast<std::size_t>(argument(name))] = source;
    }
  }
  return binding;
}

}  // namespace busline::tracer
