// Damaged copies of a binary file, for tests of readers: cut, overwritten, with lengths that are wrong. Each
// copy is identified by its number, so a failure can be reproduced.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tests/damage/length_fields.hpp"

namespace busline {

/// The damage of a copy, for messages: "the 4 bytes at 1240 set to 7fffffff".
struct DamagedCopy {
  std::string bytes;
  std::string what;
};

/// All copies of `bytes` with one damage: cut before each byte, each byte flipped in three ways (its lowest
/// bit, its highest, all), each of its length fields set to 0, -1 and the largest positive number of 4 bytes.
class SystematicDamage {
 public:
  SystematicDamage(std::string bytes, std::vector<LengthField> fields);
  std::uint64_t copies() const;
  /// n < copies().
  DamagedCopy copy(std::uint64_t n) const;

 private:
  std::string bytes_;
  std::vector<LengthField> fields_;
};

/// Makes damaged copies of `bytes`. Copy n is the same for the same bytes and the same n on every machine.
/// The kinds of damage take turns: cutting at an offset, flipping a bit, setting 1, 2, 4 or 8 bytes to values
/// that break lengths, counts and offsets (0, -1, the largest, larger than the file), zeroing a range,
/// leaving a range out, repeating one, swapping two. Half of the places are near the two ends, where headers
/// and indices are.
class RandomDamage {
 public:
  explicit RandomDamage(std::string bytes);
  DamagedCopy copy(std::uint64_t n) const;
  /// Kinds of damage; copies n, n + kinds(), n + 2 kinds(), ... are of the same kind.
  static std::uint64_t kinds();

 private:
  std::string bytes_;
};

}  // namespace busline
