// The reader behind read_dim: lines into fields (dim_reader.cpp), fields into operations (dim_records.cpp).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/program/program_builder.hpp"
#include "workloads/dim/communicators.hpp"
#include "workloads/dim/dim_header.hpp"
#include "workloads/dim/pending_requests.hpp"
#include "workloads/dim/record_codes.hpp"

namespace busline::dim {

inline constexpr std::size_t kMostFields = 11;  ///< one more than any record has

// Numbers of the call names in a Program.
struct Calls {
  explicit Calls(ProgramBuilder& builder);
  std::uint16_t send, ssend, isend, issend, recv, irecv, wait;
  std::array<std::uint16_t, kCollectiveIds> collective{}, icollective{};
};

class DimReader {
 public:
  DimReader(std::string_view text, const std::string& path, Header header, Diagnostics& diagnostics)
      : text_(text),
        path_(path),
        header_(std::move(header)),
        diagnostics_(diagnostics),
        builder_(static_cast<std::uint32_t>(header_.threads.size())),
        calls_(builder_),
        communicators_(builder_) {}

  /// `second_line` is an offset in the text.
  Expected<Program> read(std::size_t second_line);

 private:
  // Each of these returns false with error_ set if what it reads is wrong.
  bool lines(const char* end);
  bool unended_line(std::string_view rest);
  bool line();
  bool line_without_record();
  bool definition(std::string_view line);
  bool record();
  bool enter_thread();
  bool burst(const char* seconds);
  bool send();
  bool receive();
  bool collective();
  bool root(const Communicators::Entry& communicator, CollectiveArgs& args, std::int64_t sync,
            bool immediate);
  bool nonblocking_collective(const CollectiveArgs& args, std::uint16_t call, std::int64_t sync);
  bool event();
  bool envelope(bool receiving, Envelope& e);
  bool size(std::size_t field, std::uint64_t& bytes);
  bool end_of_trace();

  bool uses_threads() const;
  std::string_view whole_line() const;
  bool fail(std::size_t field, std::string message, std::string_view hint = {},
            Error::Kind kind = Error::Kind::bad_input);
  bool bad(std::size_t field, std::string_view expected);
  bool not_a_number(std::size_t field);
  bool wrong_number_of_fields();
  void warn(std::string_view code, std::string message);

  std::string_view text_;
  const std::string& path_;
  Header header_;
  Diagnostics& diagnostics_;
  ProgramBuilder builder_;
  Calls calls_;
  Communicators communicators_;
  PendingRequests receives_;     // of the current thread
  PendingRequests collectives_;  // likewise, named by the communicator alone
  std::optional<Error> error_;

  // The line being read; all lines end at or before end_.
  const char* begin_ = nullptr;
  const char* end_ = nullptr;
  std::uint64_t line_number_ = 1;
  std::array<std::int64_t, kMostFields> field_{};
  std::size_t fields_ = 0;

  // The task and thread of the current records.
  std::uint32_t task_ = 0;
  std::int64_t thread_ = -1;  // -1: before the first record
  bool in_offset_table_ = false;
  bool warned_of_communicator_ = false, warned_of_threads_ = false;
};

}  // namespace busline::dim
