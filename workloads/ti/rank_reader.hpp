// The lines of one rank of a time-independent trace, as operations of a Program.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/program/program_builder.hpp"
#include "workloads/ti/read_ti.hpp"

namespace busline::ti {

/// The words of a line, which are between blanks.
std::vector<std::string_view> words_of(std::string_view line);

class RankReader {
 public:
  /// Begins the rank's strand. All arguments must outlive this.
  RankReader(ProgramBuilder& program, std::uint32_t rank, const std::string& path, const TiOptions& options);

  /// Reads the next line, which has this number in the file. False if it is wrong: error() says why.
  bool read(std::uint64_t number, std::string_view line);
  Error& error() { return *failed_; }

 private:
  struct Sizes {  // of a collective, by peer: docs/model.md, section 5.3
    std::uint64_t send = 0, receive = 0;
    std::vector<std::uint64_t> blocks{};  ///< for ProgramBuilder::block_list
  };
  struct Open {  // a request without a wait so far
    std::int64_t source, destination, tag;
    std::optional<std::uint32_t> slot;  // none: nothing to wait for
  };
  struct Verb {
    std::string_view name;
    void (RankReader::*read)();
  };
  static const std::vector<Verb>& verbs();

  // rank_reader.cpp
  void ignore() {}
  void read_init();
  void read_send();
  void read_isend();
  void read_receive();
  void read_send_receive();
  void read_wait();
  void wait_for_all();
  void read_compute();
  void read_sleep();
  std::optional<std::uint32_t> start_send(const Envelope& to, std::uint64_t bytes);
  Envelope envelope(std::size_t at);
  Duration duration(std::size_t at, double per_second);

  // rank_collectives.cpp
  void read_barrier();
  void read_bcast();
  void read_reduce();
  void read_allreduce();
  void read_scan();
  void read_exscan();
  void read_alltoall();
  void read_alltoallv();
  void read_allgather();
  void read_allgatherv();
  void read_gather();
  void read_gatherv();
  void read_scatter();
  void read_scatterv();
  void read_reduce_scatter();
  void read_combining(CollectiveKind kind, std::size_t root_at, std::size_t type_at);
  void emit(CollectiveKind kind, Sizes sizes, bool is_root = false);
  std::uint64_t root(std::size_t at);
  std::uint64_t bytes(std::size_t count_at, std::size_t type_at);
  std::uint64_t sum(std::size_t begin, std::size_t type_at);
  std::uint64_t mean(std::size_t begin, std::size_t type_at);
  std::vector<std::uint64_t> blocks(std::size_t begin, std::size_t type_at);

  void begin_call(std::string_view name) { program_.begin_call(program_.call_name(name)); }
  /// The word at this place, if it is a whole number from `least` to `most`; else 0, and the line has failed.
  std::int64_t number(std::size_t at, std::string_view what, std::int64_t least, std::int64_t most);
  std::uint64_t count(std::size_t at);
  /// The size of the datatype at this place, or of the default one if the line ends before it.
  std::uint64_t type_size(std::size_t at);
  void fail(std::string message, Error::Kind kind = Error::Kind::bad_input);

  ProgramBuilder& program_;
  const std::int64_t rank_;
  const std::string& path_;
  const TiOptions& options_;
  std::uint64_t line_ = 0;
  std::uint64_t default_type_size_ = 1;  // MPI_BYTE
  std::vector<std::string_view> words_;
  std::deque<Open> open_;  // in the order of their calls
  std::optional<Error> failed_;
};

}  // namespace busline::ti
