// The rules of every Program, as checks: ProgramBuilder follows them, the replay relies on them, and code
// that reads a Program's tables from a file calls these checks before anything runs.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "sim/program/program.hpp"

namespace busline {

/// The first entry that breaks a rule.
struct BrokenRule {
  const char* table = "";   ///< "operations"
  std::uint64_t entry = 0;  ///< its index in the table
  std::string message;      ///< "peer is 9, expected a rank, 0 to 3"
};

/// Nothing if `tables` keep the rules:
/// - there are 1 to 2^31 - 1 ranks; communicator 0 holds all of them in order, others some, without repeats;
/// - strands come in rank order and divide the operations among them without gaps;
/// - references to entries of tables, ranks and members of communicators are valid, and no two channels,
///   collectives, names or labels are equal;
/// - an operation's fields follow OpKind, its channel's ends are the rank and the peer, amounts are not
///   negative, and fields without a meaning are 0;
/// - start is the first operation of its strand. again is the last operation of its rank's only strand, where
///   no slot is begun and not waited for; not all strands begin again;
/// - a slot is begun before it is waited for, by an operation of the same kind, and not begun again before
///   that. In a rank of several strands, whose order only the clock decides, it is begun once and may be
///   waited for anywhere.
///
/// The tables may contain arbitrary bytes, except that CollectiveArgs::is_root must be a valid bool. Memory
/// is proportional to the tables other than operations; time is linear in operations, and n log n in the
/// others.
std::optional<BrokenRule> first_broken_rule(const ProgramTables& tables);

}  // namespace busline
