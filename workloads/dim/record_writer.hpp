// A Program's operations as records of a Dimemas trace.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"
#include "workloads/dim/dim_text.hpp"
#include "workloads/dim/left_out.hpp"
#include "workloads/dim/pending_requests.hpp"
#include "workloads/dim/reduce_roots.hpp"

namespace busline::dim {

class RecordWriter {
 public:
  /// All arguments must outlive it.
  RecordWriter(const Program& program, const ReduceRoots& roots, DimText& text, LeftOut& left_out)
      : program_(program), roots_(roots), text_(text), left_out_(left_out) {}

  /// The operations that follow are those of thread `thread` of its rank.
  void enter(const Strand& strand, std::uint32_t thread);
  /// Writes operation `at`. False if no record can hold it; error() then says why.
  bool write(std::uint64_t at);
  const Error& error() const { return *error_; }

 private:
  struct Request {  // by slot
    bool begun = false, synchronous = false;
    std::int64_t root = 0;
  };
  struct Match {  // how records name a message
    std::uint32_t communicator = 0;
    std::int32_t tag = 0;
  };

  // Each of these returns false if it refused.
  bool compute(const Operation& op);
  bool event(const Operation& op);
  bool send(const Operation& op);
  bool wait_send(const Operation& op);
  bool receive(const Operation& op);
  bool collective(const Operation& op);
  bool end_of_run(const Operation& op);
  bool collective_record(const CollectiveArgs& args, std::int64_t root, std::int64_t synchronisation);
  bool has_tag(std::int32_t tag);
  bool fits(std::uint64_t bytes);
  bool refuse(std::string message);

  std::int64_t root_of(const CollectiveArgs& args);
  Match match(const Operation& op) const;
  bool is(const Operation& op, CollectiveKind kind) const;
  bool idle(const Operation& op) const;

  const Program& program_;
  const ReduceRoots& roots_;
  DimText& text_;
  LeftOut& left_out_;
  Strand strand_;
  std::int64_t task_ = 0, thread_ = 0;
  std::uint64_t at_ = 0;
  bool began_ = false;  // something of the strand may take time
  std::vector<Request> requests_;
  PendingRequests receives_, collectives_;  // as the reader will count them
  CollectiveCounter counter_;
  std::optional<Error> error_;
};

}  // namespace busline::dim
