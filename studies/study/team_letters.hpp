// What the processes of a study write to each other: a kind, then fields (sim/base/field_bytes.hpp).
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "studies/study/point_work.hpp"

namespace busline {

enum class LetterKind : std::uint8_t {
  ready,    ///< to rank 0: takes part and asks for known outcomes
  absent,   ///< to rank 0: cannot, for a reason
  wants,    ///< to rank 0: has nothing to do
  done,     ///< to rank 0: a point, without its values
  known,    ///< from rank 0: the outcomes that are stored
  points,   ///< from rank 0: numbers of points to run
  dismiss,  ///< from rank 0: no points are left
};

/// One struct for all kinds; each kind uses the members it needs.
struct TeamLetter {
  LetterKind kind = LetterKind::ready;
  std::string reason{};
  FinishedPoint finished{};
  std::vector<std::pair<std::string, Outcome::Status>> known{};
  std::vector<std::uint64_t> points{};
};

std::string to_bytes(TeamLetter letter);
/// One that is of a kind and nothing else.
std::string bytes_of(LetterKind kind);
/// The inverse of to_bytes(); `absent` with a reason if the bytes are invalid.
TeamLetter letter_from(std::string_view bytes);

}  // namespace busline
