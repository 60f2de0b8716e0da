// Runs a Program without time: sends complete at once, receives wait for their message and collectives for
// their members, until nothing moves. A complete Program runs to its end, as on any platform; an incomplete
// one runs as far as possible.
#pragma once
#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "sim/program/program.hpp"
#include "sim/program/request_layout.hpp"
#include "sim/replay/message.hpp"
#include "sim/replay/open_matching.hpp"

namespace busline {

class UntimedRun {
 public:
  /// `sends_may_lack`, by rank (none if it is empty): some of the rank's sends are not in the Program. A
  /// receive that blocks the run is then skipped, as long as the rank's channel has more receives than sends.
  /// `program` must outlive this.
  UntimedRun(const Program& program, const std::vector<bool>& sends_may_lack);
  /// Linear, except for ranks with open receives (sim/replay/open_matching.hpp). Memory: 4 bytes per
  /// operation, 64 per message to a rank with open receives.
  void run();

  /// The operation at which the strand stopped, or its end.
  std::uint64_t stopped_at(StrandId strand) const { return strands_[strand].pc; }
  /// Members that called the collective in which the strand stopped; 0 if it did not stop in one.
  std::size_t arrived_with(StrandId strand) const;
  /// Whether a completed operation has its counterpart: a send its receive; a receive or a probe a received
  /// message; a non-blocking collective its members; a wait the counterpart of its operation. True for
  /// others.
  bool has_counterpart(std::uint64_t index) const;
  /// The channel of the message that an open receive, its wait or an open probe got; there must be one.
  std::uint32_t channel_of(std::uint64_t index) const;

 private:
  static constexpr MessageId kPassedOver{0xffff'fffe};             // instead of a message
  static constexpr std::uint32_t kOneSided = 0xffff'fffd;          // has no counterpart
  static constexpr std::uint64_t kUnused = 0xffff'ffff'ffff'ffff;  // a request slot
  enum class Wait : std::uint8_t { nothing, channel, request, slot, message, collective, start };
  struct StrandState {
    std::uint64_t pc = 0, end = 0;
    RankId rank{};
    std::uint32_t subject = 0;  // of `wait`: which channel, request, ...
    StrandId next = kNone;      // next strand that waits for the same
    Wait wait = Wait::nothing;
    bool entered = false;  // the current operation has begun
  };
  struct ChannelState {
    std::uint32_t sent = 0, posted = 0;
    std::uint32_t lacking = 0;  // receives that may still be skipped
    StrandId waiting = kNone;
  };
  struct Meeting {  // of a communicator's members in a collective
    std::uint32_t arrived = 0;
    std::uint32_t first = 0;  // arguments of the first to arrive
    bool complete = false;
    StrandId waiting = kNone;
  };
  enum class Arrival : std::uint8_t { early, last, elsewhere };
  struct OpenRequest {
    MessageId message = kNone;
    RankId rank{};
    StrandId waiting = kNone;
  };
  struct OpenRank {
    std::uint32_t lacking = 0;
    StrandId probing = kNone;
  };

  // Runs the strand's next operation; false if it must wait.
  bool step(StrandId strand);
  bool collective(StrandId strand, const Operation& op);
  bool probe(StrandId strand, const Operation& op);
  bool wait(StrandId strand, const Operation& op);
  bool wait_for(StrandId strand, std::uint64_t origin);
  void send(const Operation& op, std::uint64_t index, RankId rank);
  void post(const Operation& op, std::uint64_t index, RankId rank);
  void start(StrandId strand, const Operation& op);
  void set_slot(const Operation& op, std::uint64_t index, RankId rank);
  Arrival arrive(Meeting& meeting, std::uint32_t args);

  void count_what_lacks(const std::vector<bool>& sends_may_lack);
  bool pass_over_one();
  void match_open(RankId rank);
  void receive(MessageId message, RequestId request);
  bool block(StrandId strand, Wait wait, std::uint32_t subject, StrandId& waiting);
  void wake(StrandId& waiting);
  RankId destination_of(const Operation& op) const;
  MessageId received_by(std::uint32_t request) const { return requests_[RequestId{request}].message; }
  bool is_open(RankId rank) const { return !open_.empty() && open_[rank].used; }
  static std::uint64_t pair(std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; }

  const Program& program_;
  RequestLayout layout_;
  IdVector<StrandId, StrandState> strands_;
  std::vector<StrandId> ready_;
  // By operation: the index, in its channel, of the message that it sends, receives or probes; with open
  // receives, the message or the request; for a non-blocking collective, the meeting. A wait has the number
  // of its operation.
  std::vector<std::uint32_t> ordinals_;
  std::vector<ChannelState> channels_;
  IdVector<RequestId, std::uint64_t> slots_;  // the operation of each request slot
  StrandId waiting_for_slot_ = kNone;
  std::vector<Meeting> meetings_;  // by communicator; then the non-blocking ones
  std::unordered_map<std::uint64_t, std::uint32_t> started_meetings_;  // by communicator and number
  std::unordered_map<std::uint64_t, std::uint32_t> starts_;            // by strand and communicator
  std::unordered_set<std::uint64_t> passed_over_;                      // channel and ordinal
  std::deque<StrandId> may_pass_;  // waiting strands that may skip a receive

  // Ranks with open receives.
  IdVector<RankId, OpenMatching> open_;
  IdVector<RankId, OpenRank> open_ranks_;
  IdVector<RequestId, OpenRequest> requests_;
  MessagePool messages_;
  IdVector<MessageId, bool> received_;
};

}  // namespace busline
