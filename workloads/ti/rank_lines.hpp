// The operations of one rank as lines of a time-independent trace.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"
#include "workloads/dim/pending_requests.hpp"
#include "workloads/ti/world_collectives.hpp"

namespace busline::ti {

/// Where the trace differs from the Program, counted.
struct Replaced {
  std::uint64_t communicators = 0;  ///< messages on communicators other than that of all ranks
  std::uint64_t modes = 0;          ///< Ssend and Bsend, written as Send
  std::uint64_t collectives = 0;    ///< written as another one, such as a barrier
  std::uint64_t ends = 0;           ///< MPI_Init and MPI_Finalize, which synchronise all ranks
  std::uint64_t left_out = 0;       ///< events, time marks, local calls

  void tell(Diagnostics& diagnostics) const;
};

class RankLines {
 public:
  /// All arguments must outlive this.
  RankLines(const Program& program, const Strand& strand, const WorldCollectives& collectives,
            Replaced& replaced);

  /// Appends the lines of an operation of the strand to `text`, in their order. False: error() says why the
  /// trace cannot hold it.
  bool append(std::uint64_t at, std::string& text);
  const Error& error() const { return error_; }

 private:
  bool put(const Operation& op);
  bool put_message(const Operation& op);
  bool put_wait(const Operation& op);
  bool put_compute(const Operation& op);
  bool put_collective(const Operation& op);
  bool put_sizes(const CollectiveArgs& args, std::uint64_t n);
  void line(std::string_view words);
  bool refuse(std::string message);
  bool fits(std::uint64_t bytes);
  std::optional<Channel> channel(const Operation& op);
  std::vector<std::uint64_t> parts_with_root(const CollectiveArgs& args, std::uint64_t n) const;
  std::vector<std::uint64_t> blocks_of(const CollectiveArgs& args,
                                       std::vector<std::uint64_t> otherwise) const;
  std::vector<std::uint64_t> received_from(std::uint64_t n) const;

  const Program& program_;
  const Strand& strand_;
  const WorldCollectives& collectives_;
  Replaced& replaced_;
  dim::PendingRequests pending_;
  std::uint64_t met_ = 0;  // collectives so far
  std::uint64_t at_ = 0;
  std::string* text_ = nullptr;
  Error error_;
};

}  // namespace busline::ti
