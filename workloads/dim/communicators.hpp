// The communicators of a Dimemas trace: arbitrary numbers in the file, consecutive numbers in a Program.
#pragma once
#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/program/program_builder.hpp"

namespace busline::dim {

class Communicators {
 public:
  struct Entry {
    std::uint32_t id = 0;                ///< in the Program
    bool defined = false;                ///< false: only named by messages
    bool everyone = false;               ///< all ranks, in order
    std::vector<std::uint32_t> members;  ///< ascending; empty: all ranks

    bool has(std::uint32_t rank) const {
      return everyone || std::binary_search(members.begin(), members.end(), rank);
    }
  };

  explicit Communicators(ProgramBuilder& builder) : builder_(builder) {}

  /// `members` are ranks of the job without repeats. False if the number is already defined.
  bool define(std::int64_t number, std::vector<std::uint32_t> members) {
    const auto [at, fresh] = entries_.try_emplace(number);
    if (!fresh) return false;
    Entry& e = at->second;
    e.defined = true;
    e.everyone = members.size() == builder_.ranks() && std::is_sorted(members.begin(), members.end());
    if (!e.everyone) {
      e.members = members;
      std::sort(e.members.begin(), e.members.end());
    }
    // The Program starts with one communicator of all ranks; the first such definition gets it.
    const bool world = e.everyone && !world_taken_;
    e.id = world ? 0 : builder_.add_communicator(std::move(members));
    world_taken_ = world_taken_ || world;
    ++defined_;
    return true;
  }

  /// The communicator of that number, or one without members if it is not defined.
  const Entry& get(std::int64_t number) {
    if (last_ != nullptr && last_number_ == number) return *last_;
    const auto [at, fresh] = entries_.try_emplace(number);
    if (fresh) at->second.id = builder_.add_communicator({});
    last_ = &at->second;  // stays valid: the map's elements do not move
    last_number_ = number;
    return *last_;
  }

  std::uint64_t defined() const { return defined_; }

 private:
  ProgramBuilder& builder_;
  std::unordered_map<std::int64_t, Entry> entries_;
  bool world_taken_ = false;
  std::uint64_t defined_ = 0;
  const Entry* last_ = nullptr;
  std::int64_t last_number_ = 0;
};

}  // namespace busline::dim
