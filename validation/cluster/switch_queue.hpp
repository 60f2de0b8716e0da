// When frames arrive in a network with Dimemas's resources: the part of the emulated cluster's switch that
// knows no device and no clock.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <queue>
#include <vector>

#include "sim/base/units.hpp"
#include "validation/cluster/network_settings.hpp"

namespace busline::cluster {

enum class HostId : std::uint32_t {};
enum class FrameId : std::uint32_t {};  ///< the caller's name for a frame; the queue never looks at frames

/// A frame that has arrived.
struct Delivery {
  HostId to;
  FrameId frame;
  Time due;  ///< when it should have been delivered; the caller may be late
};

/// Frames on their way. A frame from i to j passes up to four servers that take frames in the order in which
/// they come, at the rate R of a link, the L links of a host and the B buses:
///
///     pair (i, j), R  ->  out of i, L R  ->  buses, B R  ->  into j, L R
///
/// It enters the next server when this one begins with it (cut-through), and is delivered S / R and the
/// latency after the last one has begun with it. So a message of many frames takes latency + S / R alone, k
/// messages over one link share it evenly frame by frame, and no server is kept for a frame that is still
/// held up elsewhere: booking all servers when a frame is sent blocks the frames behind it (an all-to-all
/// among P hosts then takes 2P - 1 steps instead of P - 1). Times never go back from call to call.
///
/// Memory: 40 bytes per frame on its way; cost: a few heap operations per frame.
class SwitchQueue {
 public:
  /// 1 <= hosts <= kMostHosts.
  SwitchQueue(std::uint32_t hosts, const NetworkSettings& settings);

  /// From now on. Frames that a server has begun with keep their times, so frames sent after the latency fell
  /// may overtake some that were sent before.
  void set(const NetworkSettings& settings);

  /// `bytes` is the whole frame.
  void send(Time now, HostId from, HostId to, Bytes bytes, FrameId frame);
  /// Only the latency: for what the Dimemas model does not know, such as acknowledgements.
  void send_past_servers(Time now, HostId to, FrameId frame);

  /// When something happens next; Time::never() if nothing is on its way.
  Time next() const;
  /// Moves frames on up to `now`, and gives one that has arrived by then; to be called until there is none.
  std::optional<Delivery> deliver(Time now);

 private:
  enum class Stage : std::uint8_t { pair, out, buses, in, flight };
  struct Frame {
    Time due;  // reaches its stage, or is delivered
    std::uint64_t sequence = 0;
    Bytes bytes{};
    FrameId id{};
    std::uint8_t from = 0, to = 0;
    Stage stage = Stage::flight;
  };
  struct Later {
    bool operator()(const Frame& a, const Frame& b) const {
      return a.due != b.due ? a.due > b.due : a.sequence > b.sequence;
    }
  };

  void push(Frame frame);
  void move_on(Frame frame);
  Time begin(Time& server_free_at, const Frame& frame, std::uint32_t links);
  bool takes_bus(const Frame& frame) const;

  std::uint32_t hosts_;
  NetworkSettings settings_;
  // When each server has sent off what it has begun with.
  std::vector<Time> pairs_, last_, out_, in_;
  Time buses_;
  std::priority_queue<Frame, std::vector<Frame>, Later> frames_;
  std::uint64_t next_sequence_ = 0;
};

}  // namespace busline::cluster
