// For tests: the worked numbers of validation/golden/skampi, and streams that are the same everywhere.
#pragma once
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace busline::measure {

/// `root` is the source tree.
inline nlohmann::json mechanism_vectors(const std::string& root, const std::string& key) {
  std::ifstream file(root + "/validation/golden/skampi/mechanism_vectors.json");
  return nlohmann::json::parse(file).at(key);
}

/// Numbers that look random and are the same with every compiler (SplitMix64, public domain algorithm by
/// S. Vigna).
class Scatter {
 public:
  explicit Scatter(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    auto z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  std::uint64_t below(std::uint64_t n) { return (*this)() % n; }
  /// From 0 to below 1.
  double share() { return static_cast<double>((*this)() >> 11U) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

template <class T>
void shuffle(std::vector<T>& values, Scatter& scatter) {
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[scatter.below(i)]);
}

}  // namespace busline::measure
