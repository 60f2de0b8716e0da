// The operations of one rank as call records.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/program/program.hpp"
#include "workloads/dumpi/format/trace_writer.hpp"
#include "workloads/dumpi/from_program/job_layout.hpp"

namespace busline::dumpi {

class RankRecords {
 public:
  RankRecords(const Program& program, std::uint32_t rank, const JobLayout& layout, TraceWriter& to,
              Replaced& replaced);

  /// MPI_Init, and the communicators that the rank takes part in making, which all ranks do.
  void begin();
  /// The reason why the operation cannot be written, or nothing.
  std::optional<std::string> put(const Operation& op);
  void finalize();
  const CallCounts& counts() const { return counts_; }
  /// The functions whose records annotations hold, and the keys of these.
  const std::set<std::uint16_t>& annotated() const { return annotated_; }
  static std::uint64_t annotation_key(std::uint16_t function);

 private:
  void begin_record(std::uint16_t function);
  RecordWriter& record() { return request_ ? to_.annotated_record() : to_.record(); }
  void mark(std::uint16_t event, std::uint16_t function);
  void call(std::uint16_t function, std::initializer_list<std::int64_t> numbers);
  void end_record(std::uint16_t function);
  std::optional<std::string> put_send(const Operation& op);
  std::optional<std::string> put_receive(const Operation& op);
  std::optional<std::string> put_collective(const CollectiveArgs& args);
  void put_by_root(const CollectiveArgs& args, std::uint32_t root);
  std::vector<std::int64_t> block_counts(const CollectiveArgs& args, std::size_t members,
                                         std::int64_t otherwise) const;
  void put_lists(const CollectiveArgs& args);
  std::int64_t peer(std::uint32_t communicator, std::uint32_t rank) const;

  const Program& program_;
  std::uint32_t rank_;
  const JobLayout& layout_;
  TraceWriter& to_;
  Replaced& replaced_;
  CallCounts counts_;
  std::optional<std::int64_t> request_;  // of the non-blocking collective at hand
  std::set<std::uint16_t> annotated_;
  std::int64_t now_ = 0;          // ps since MPI_Init
  std::vector<std::size_t> met_;  // by communicator: collectives so far
};

}  // namespace busline::dumpi
