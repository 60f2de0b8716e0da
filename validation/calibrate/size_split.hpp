// Ranges of message sizes that cost one straight line each, by R. Bellman's dynamic programming (On the
// approximation of curves by line segments, Communications of the ACM 4(6), 1961).
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "validation/calibrate/message_curves.hpp"

namespace busline::calibrate {

/// A round number for a limit above `above` and at most `at_most`: a power of two if one exists, else
/// `at_most`.
std::uint64_t round_limit(std::uint64_t above, std::uint64_t at_most);

class SizeSplit {
 public:
  /// Splits points of kind `message`. `rendezvous_from`: messages of this size and more have a handshake.
  /// `spread`: relative, of the points around a good fit.
  SizeSplit(const std::vector<CurvePoint>& points, std::optional<std::uint64_t> rendezvous_from,
            double spread);

  /// The sizes from which so many ranges (2 or more) extend, the first is 0: those with the least misfit.
  /// Each spans an octave or more, has four sizes, and its time grows with the size. None if there are no
  /// such ranges. Cost: the first call fits each pair of some hundred places.
  std::vector<std::uint64_t> starts(std::size_t ranges);

 private:
  using Places = std::vector<std::size_t>;  // of the first sizes of ranges, ascending

  double cost(std::size_t first, std::size_t end);
  double fitted_cost(std::size_t first, std::size_t end) const;
  Places coarse(std::size_t ranges);
  void refine(Places& places);

  std::vector<std::uint64_t> sizes_;         // ascending
  std::vector<std::vector<CurvePoint>> of_;  // points of each size
  std::optional<std::uint64_t> rendezvous_from_;
  double spread_;
  std::size_t stride_ = 1;  // sizes from one place that is tried to the next
  std::map<std::pair<std::size_t, std::size_t>, double> known_;
};

}  // namespace busline::calibrate
