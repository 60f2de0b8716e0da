// The calls of one rank of a liballprof trace, as operations of a Program.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/program/program_builder.hpp"
#include "workloads/liballprof/call_fields.hpp"
#include "workloads/liballprof/read_liballprof.hpp"

namespace busline::liballprof {

/// Communicators that several ranks share. A rank's handles mean nothing to other ranks: the n-th that a rank
/// uses of those of all ranks is taken for the n-th of each other rank.
struct SharedCommunicators {
  std::vector<std::uint32_t> of_all;  ///< ids in the Program; the first is 0
};

class RankCalls {
 public:
  /// Begins the rank's strand. All arguments must outlive this.
  RankCalls(ProgramBuilder& program, SharedCommunicators& shared, std::uint32_t rank,
            const LiballprofOptions& options);

  /// Reads the next line. False if it is wrong: error() says why.
  bool read(std::uint64_t number, std::string_view line);
  /// The end of the file.
  bool finish();
  /// Without its path.
  Error& error() { return *f_.error(); }

  /// From the end of Init to the begin of Finalize, in microseconds of the first rank's clock.
  double begin_us() const { return static_cast<double>(begin_) + clock_begin_.value_or(0); }
  double end_us() const { return static_cast<double>(end_) + clock_end_.value_or(clock_begin_.value_or(0)); }
  std::uint64_t clamped() const { return clamped_; }

 private:
  struct Sizes {  // of a collective, by peer: docs/model.md, section 5.3
    std::uint64_t send = 0, receive = 0;
    std::vector<std::uint64_t> blocks{};  // for CollectiveArgs::block_list; may be empty
  };
  struct Message {
    std::uint32_t peer = 0;
    bool is_null = false;  // MPI_PROC_NULL
    std::uint64_t bytes = 0;
    std::int32_t tag = 0;
    std::uint32_t communicator = 0;
    Envelope envelope() const { return {.peer = peer, .tag = tag, .communicator = communicator}; }
  };
  struct Persistent {
    Message message;
    bool sends = false;
    SendMode mode = SendMode::standard;
  };
  struct Call {
    std::string_view name;
    void (RankCalls::*read)();
  };
  static const std::vector<Call>& calls();

  // rank_calls.cpp
  ProgramBuilder& out();
  void read_comment(std::string_view line, std::uint64_t number);
  void ignore() {}
  void read_init();
  void read_finalize();
  void read_send();
  void read_isend();
  void read_receive();
  void read_ireceive();
  void read_sendrecv();
  void read_sendrecv_replace();
  void read_wait();
  void read_waitall();
  void read_test();
  void read_probe();
  void read_send_init();
  void read_receive_init();
  void read_start();
  void read_startall();
  void read_request_free();
  void refuse_completion();

  Message message(bool sends, bool with_bytes = true);
  std::uint32_t peer(bool sends, bool& is_null, bool& is_any);
  std::int32_t tag(bool sends);
  std::uint32_t communicator(std::int64_t* size = nullptr);
  void exchange(Message& to, std::int64_t destination, Message& from, std::int64_t source);
  void check_peer(Message& m, std::int64_t peer_number, std::int64_t size, bool sends);
  SendMode mode() const;
  void open(std::uint64_t address, std::optional<std::uint32_t> slot);
  void start(const Message& m, bool sends, SendMode mode, std::uint64_t address);
  void wait_for(std::uint64_t address);
  std::optional<std::uint64_t> width(std::uint64_t array, std::uint64_t count,
                                     bool (RankCalls::*is_there)(std::uint64_t) const);
  bool is_open(std::uint64_t address) const { return requests_.contains(address); }
  bool is_persistent(std::uint64_t address) const { return persistent_.contains(address); }

  // rank_collectives.cpp
  void read_barrier();
  void read_bcast();
  void read_reduce();
  void read_reduction();
  void read_reduce_scatter();
  void read_gather();
  void read_scatter();
  void read_allgather();
  void read_alltoall();
  void read_gatherv();
  void read_scatterv();
  void read_allgatherv();
  void read_alltoallv();
  void read_constructor();
  void read_split();
  Sizes of_root(CallFields root_fields, std::uint64_t own);
  std::vector<std::uint64_t> blocks(std::vector<std::uint64_t> counts, std::uint64_t size);
  void emit(CollectiveKind kind, const Sizes& sizes, std::uint32_t communicator, bool is_root = false);
  bool is_root();
  static std::uint64_t mean(const std::vector<std::uint64_t>& blocks);

  ProgramBuilder& program_;
  SharedCommunicators& shared_;
  const std::uint32_t rank_;
  const LiballprofOptions& options_;
  CallFields f_;
  CommunicatorField last_;   // the communicator that was read last
  std::int64_t before_ = 0;  // the end of the call before
  std::int64_t begin_ = 0, end_ = 0;
  std::optional<double> clock_begin_, clock_end_;
  bool begun_ = false, ended_ = false, call_is_new_ = false;
  std::uint64_t clamped_ = 0;
  std::vector<std::uint64_t> of_all_;                               // handles in the order of their first use
  std::optional<std::uint32_t> alone_;                              // the communicator of the rank alone
  std::map<std::uint64_t, std::optional<std::uint32_t>> requests_;  // open ones; nothing to wait for: none
  std::map<std::uint64_t, Persistent> persistent_;
  std::optional<std::uint64_t> width_;             // bytes of a request in an array
  std::map<std::uint64_t, std::uint64_t> tested_;  // requests that a Test may have completed: its line
  std::optional<std::uint64_t> tested_array_;      // the line of a Testall
};

}  // namespace busline::liballprof
