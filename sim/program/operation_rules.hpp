// The rules of a Program's operations: the part of sim/program/program_rules.hpp that checks each of them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/program/memberships.hpp"
#include "sim/program/program_rules.hpp"

namespace busline {

class OperationRules {
 public:
  /// The other tables must be valid; both arguments must outlive this.
  OperationRules(const ProgramTables& tables, const Memberships& memberships)
      : t_(tables), memberships_(memberships) {}
  std::optional<BrokenRule> first_broken();

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  std::optional<BrokenRule> one_strand(std::uint64_t begin, std::uint64_t end);
  std::optional<BrokenRule> several_strands(std::uint64_t begin, std::uint64_t end);

  // Each of these returns false with message_ set if a rule is broken.
  bool fields(const Operation& op);
  bool message(const Operation& op);
  bool answer(const Operation& op);
  bool repeat(const Operation& op);
  bool collective(const Operation& op);
  bool end_of_strand(const Operation& op);
  bool begin(std::uint64_t at);
  bool wait(const Operation& op, bool again);
  bool fail(std::string message);

  const ProgramTables& t_;
  const Memberships& memberships_;
  std::uint32_t rank_ = 0;                     // whose operations are checked
  std::optional<std::uint64_t> strand_begin_;  // of its only strand
  std::uint64_t strand_end_ = 0;               // likewise
  std::vector<std::uint64_t> origin_;          // by slot of the rank: the operation that began it, or kNone
  std::string message_;
};

}  // namespace busline
