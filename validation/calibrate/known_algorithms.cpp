#include "validation/calibrate/known_algorithms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace busline::calibrate {
namespace {

Expected<std::pair<CollectiveKind, Algorithm>> parse(std::string_view text) {
  const auto equals = text.find('=');
  const auto operation = text.substr(0, equals);
  const auto kind = find_collective(operation);
  // Init and Finalize cost nothing.
  if (equals == std::string_view::npos || !kind || *kind >= CollectiveKind::init)
    return refuse_option("--algorithm",
                         fmt::format("'{}' is not OPERATION=ALGORITHM for a collective operation", text),
                         "such as MPI_Alltoall=pairwise; docs/reference/algorithms.md lists the names");
  const auto name = text.substr(equals + 1);
  for (const auto& [candidate, algorithm] : kAlgorithmNames)
    if (candidate == name && find_schedule(algorithm, *kind) != nullptr) return std::pair{*kind, algorithm};
  return refuse_option("--algorithm", fmt::format("{} has no algorithm '{}'", operation, name),
                       fmt::format("it has {}", fmt::join(algorithms_for(*kind), ", ")));
}

}  // namespace

Expected<KnownAlgorithms> parse_known_algorithms(const std::vector<std::string>& texts) {
  KnownAlgorithms known;
  for (const auto& text : texts) {
    const auto one = parse(text);
    if (!one) return tl::unexpected(one.error());
    if (!known.insert(*one).second)
      return refuse_option("--algorithm", fmt::format("{} occurs twice", busline::name_of(one->first)),
                           "name one algorithm for each operation");
  }
  return known;
}

}  // namespace busline::calibrate
