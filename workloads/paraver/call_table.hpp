// The calls of a trace: each value of an MPI event is numbered when it first occurs.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "workloads/paraver/calls.hpp"
#include "workloads/paraver/mpi_codes.hpp"
#include "workloads/paraver/names.hpp"

namespace busline::paraver {

class CallTable {
 public:
  /// `names` must outlive this: the names of the .pcf file go before Extrae's, whose numbers have changed.
  explicit CallTable(const Names& names) : names_(names) {}

  /// `type` is that of an MPI event.
  std::uint32_t index_of(std::int64_t type, std::int64_t value) {
    if (type == last_type_ && value == last_value_) return last_index_;
    last_type_ = type;
    last_value_ = value;
    return last_index_ = find(type, value);
  }
  const Call& operator[](std::uint32_t index) const { return calls_[index]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(calls_.size()); }

 private:
  static constexpr std::size_t kMostCalls =
      10'000;  // further ones share a number: a Program's names have 16 bits

  std::uint32_t find(std::int64_t type, std::int64_t value) {
    auto& numbers = numbers_[static_cast<std::size_t>(type - kPointToPoint)];
    if (const auto known = numbers.find(value); known != numbers.end()) return known->second;
    if (calls_.size() > kMostCalls) return last_of_all_;
    calls_.push_back(call_named(name_of(type, value), static_cast<std::uint32_t>(type)));
    last_of_all_ = static_cast<std::uint32_t>(calls_.size() - 1);
    numbers.emplace(value, last_of_all_);
    return last_of_all_;
  }

  std::string name_of(std::int64_t type, std::int64_t value) const {
    if (const auto name = names_.values.find({type, value}); name != names_.values.end()) return name->second;
    for (const auto& code : mpi_codes())
      if (code.type == type && code.value == value) return std::string(code.name);
    return "MPI call " + std::to_string(value);
  }

  const Names& names_;
  std::vector<Call> calls_;
  std::array<std::unordered_map<std::int64_t, std::uint32_t>, 5> numbers_;  // by type
  std::int64_t last_type_ = 0, last_value_ = 0;
  std::uint32_t last_index_ = 0, last_of_all_ = 0;
};

}  // namespace busline::paraver
