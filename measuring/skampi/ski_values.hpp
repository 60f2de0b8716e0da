// What variables of SKaMPI 5's scripts hold.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace busline::skampi {

struct SkiDatatype {
  std::uint64_t bytes = 0;
  bool operator==(const SkiDatatype&) const = default;
};
/// What Reduce and the like do to data: MPI_SUM, ... It makes no difference to a time.
struct SkiReduction {
  bool operator==(const SkiReduction&) const = default;
};
/// The first `size` of `ranks`, which communicators share.
struct SkiCommunicator {
  std::shared_ptr<const std::vector<std::uint32_t>> ranks;
  std::size_t size = 0;
};

/// Nothing is what a procedure gives.
using SkiValue = std::variant<std::monostate, std::int64_t, double, std::string, SkiDatatype, SkiReduction,
                              SkiCommunicator>;

/// In words, with an article.
constexpr std::string_view kind_of(const SkiValue& value) {
  constexpr std::string_view kKinds[] = {"nothing",    "a whole number",         "a number",      "a text",
                                         "a datatype", "an operation of Reduce", "a communicator"};
  return kKinds[value.index()];
}

/// Nothing: it is not a number.
inline std::optional<double> as_number(const SkiValue& value) {
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* const real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

}  // namespace busline::skampi
