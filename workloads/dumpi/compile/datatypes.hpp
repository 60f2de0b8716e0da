// Sizes of MPI datatypes as one rank sees them. Ids are recycled, and the file's table describes the first
// type with an id. So recorded constructors take precedence, and the table serves only ids that none of them
// made.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workloads/dumpi/format/record.hpp"

namespace busline::dumpi {

class Datatypes {
 public:
  explicit Datatypes(const TraceFile& file);

  /// Bytes of data in one element; nothing if neither a record nor the table has them.
  std::optional<std::uint64_t> size(std::int64_t id) const;
  /// Follows the records that make, free and measure types. Returns the error in the record, or nothing.
  std::optional<std::string> apply(const Record& record);

 private:
  static constexpr std::int64_t kFromTable = -1, kUnknown = -2;

  void define(std::int64_t id, std::int64_t size);
  std::optional<std::string> construct(const Record& record);

  IntegerView<std::int32_t> table_;
  std::vector<std::int64_t> sizes_;  // by id as 16 unsigned bits: bytes, kFromTable or kUnknown
};

}  // namespace busline::dumpi
