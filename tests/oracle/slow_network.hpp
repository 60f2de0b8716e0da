// Links, buses and memory ports of the slow model: who holds them, and who waits for them in which order.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "platforms/description/platform.hpp"
#include "sim/replay/machine.hpp"

namespace busline::oracle {

/// A message as far as the network knows it.
struct SlowMessage {
  std::uint32_t source = 0, destination = 0;
  bool has_out = false, has_in = false;
  bool waits_for_in = false;
};

/// What messages take before they start: an output link, an input link, a bus. `starts` is called for each
/// message that has all of them.
class SlowNetwork {
 public:
  using Messages = std::vector<SlowMessage>;
  SlowNetwork(const Platform& platform, const Machine& machine, Messages& messages,
              std::function<void(std::size_t)> starts);

  /// Tries to start message `m`; what it lacks it waits for, with what it has.
  void launch(std::size_t m);
  /// Its transfer is over: all that it held goes to those who wait.
  void release(std::size_t m);

 private:
  using Queue = std::vector<std::size_t>;
  // For a node to the network, or of a rank to its node's memory.
  struct Links {
    bool limited = false, half_duplex = false;
    std::uint32_t free_out = 0, free_in = 0;
    Queue waiting_out, waiting_in;
    Queue owners;  // of output links, who has had one longest first
  };
  struct Buses {
    std::uint32_t count = 0, used = 0;  // count 0: unlimited
    Queue waiting;
  };

  static Links make_links(const busline::Links& described);
  std::uint32_t node_of(std::uint32_t rank) const { return raw(machine_.rank_node[RankId{rank}]); }
  bool is_inside_node(const SlowMessage& m) const;
  Links& out_of(const SlowMessage& m);
  Links& in_of(const SlowMessage& m);
  Buses& buses_of(const SlowMessage& m);

  bool take_all_links(std::size_t m);
  bool take_out(std::size_t m);
  bool take_in(std::size_t m);
  bool take_or_steal(std::size_t m);
  std::size_t find_robbable(const Links& links) const;
  void rob(std::size_t victim);
  void give_back_out(std::size_t m);
  void give_back_in(std::size_t m);
  void launch_first(Queue& queue);

  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

  const Machine& machine_;
  Messages& messages_;
  std::function<void(std::size_t)> starts_;
  std::vector<Links> node_links_, ports_;
  Buses buses_;
  std::vector<Buses> memory_buses_;
};

}  // namespace busline::oracle
