// Flows by SimGrid 3.32, driven without actors: a custom kernel model supplies the replay's next event,
// messages are host-to-host Comms, and completion callbacks end flows. Two hosts suffice: the custom zone
// gives each Comm the route that was set for it.
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/flow/flows.hpp"
#include "sim/base/units.hpp"

namespace {

namespace s4u = simgrid::s4u;
namespace kernel = simgrid::kernel;
using busline::Duration, busline::FlowClient, busline::FlowLaw, busline::FlowWay;

// SimGrid treats dates closer than this as equal. It must not be less than the clock's resolution, which
// doubles at each power of two in a double: from 2^11 s on it is raised.
constexpr double kSolverPrecision = 1e-12, kPrecise = 2048;
constexpr double kNever = std::numeric_limits<double>::infinity();
// Weights come from latencies, which the replay has already charged: SimGrid charges this share of them,
// since without any it sets all weights to 1.
constexpr double kLatencyCharged = 1e-9;

/// All routes are those currently in `way` and `back`.
class WaysZone : public kernel::routing::NetZoneImpl {
 public:
  using Links = std::vector<kernel::resource::StandardLinkImpl*>;
  explicit WaysZone(const std::string& name) : NetZoneImpl(name) {}

  Links way, back;
  double latency = 1;
  const kernel::routing::NetPoint* sender = nullptr;

  void get_local_route(const kernel::routing::NetPoint* from, const kernel::routing::NetPoint* /*to*/,
                       kernel::routing::Route* into, double* sum) override {
    into->link_list_ = from == sender ? way : back;
    if (sum != nullptr) *sum += latency;
  }
};

class SimGridFlows : public busline::Flows {
 public:
  explicit SimGridFlows(const FlowLaw& law) : engine_(make_engine(law)), law_(law) {
    zone_ = new WaysZone("network");  // the engine's from here on
    // Links cannot be added to a sealed zone, so they are in one that is never sealed.
    links_zone_ = new WaysZone("links");
    links_zone_->set_network_model(zone_->get_network_model());
    from_ = zone_->create_host("from", std::vector<double>{1})->seal();
    to_ = zone_->create_host("to", std::vector<double>{1})->seal();
    zone_->sender = from_->get_netpoint();
    zone_->get_iface()->seal();
    engine_->add_model(std::make_shared<Clock>(*this));
    s4u::Activity::on_completion_cb([this](const s4u::Activity& comm) { ended(comm); });
  }

  std::uint32_t add_link(double capacity, bool shared) override {
    const auto number = static_cast<std::uint32_t>(links_.size());
    auto* link = links_zone_->create_link(std::to_string(number), {capacity});
    if (!shared) link->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE);
    links_.push_back(link->seal()->get_impl());
    return number;
  }

  void start(std::uint32_t flow, const FlowWay& way, std::uint64_t amount, std::int64_t now) override {
    if (under_way_.empty() && ended_.empty()) {
      // The clocks are independent at this moment, so a single flow takes the same time whenever it starts.
      base_ = s4u::Engine::get_clock();
      base_ps_ = now;
    }
    fill(zone_->way, way.links);
    fill(zone_->back, way.back);
    zone_->latency = way.latency;
    auto comm = s4u::Comm::sendto_async(from_, to_, amount);
    const auto* key = comm.get();
    under_way_.emplace(key, UnderWay{std::move(comm), flow, started_++});
  }

  bool run(FlowClient& client) override {
    client_ = &client;
    run_alone();
    for (int tries = 0; !under_way_.empty() && tries < 3; ++tries) {
      again_ = tries > 0;
      engine_->run();
    }
    return under_way_.empty();
  }

 private:
  struct UnderWay {
    s4u::CommPtr comm;
    std::uint32_t flow = 0;
    std::uint64_t number = 0;
  };
  struct Ended {
    std::uint64_t number = 0;
    std::uint32_t flow = 0;
  };

  /// Gives SimGrid the replay's next event, and is called when its time has come.
  class Clock : public kernel::resource::Model {
   public:
    explicit Clock(SimGridFlows& flows) : Model("busline"), flows_(flows) {}
    double next_occurring_event(double now) override { return flows_.next_after(now); }
    void update_actions_state(double now, double /*delta*/) override { flows_.at(now); }

   private:
    SimGridFlows& flows_;
  };

  static std::unique_ptr<s4u::Engine> make_engine(const FlowLaw& law) {
    // All its logging would go to the terminal; only critical messages are kept.
    std::string name = "busline", quiet = "--log=root.thresh:critical";
    std::vector<char*> arguments{name.data(), quiet.data(), nullptr};
    int count = 2;
    auto engine = std::make_unique<s4u::Engine>(&count, arguments.data());
    s4u::Engine::set_config("network/model", std::string("CM02"));
    s4u::Engine::set_config("network/crosstraffic", law.crosstraffic);
    s4u::Engine::set_config("network/TCP-gamma", std::isfinite(law.window) ? law.window : 1e30);
    s4u::Engine::set_config("network/latency-factor", law.weighted ? kLatencyCharged : 0.);
    s4u::Engine::set_config("network/weight-S", law.weight_size);
    s4u::Engine::set_config("surf/precision", kSolverPrecision);
    // Relative to a link's capacity. Less than the default of 1e-5, which would show in bytes.
    s4u::Engine::set_config("maxmin/precision", 1e-9);
    return engine;
  }

  void fill(WaysZone::Links& links, std::span<const std::uint32_t> numbers) const {
    links.clear();
    for (const auto n : numbers) links.push_back(links_[n]);
  }

  /// The engine still uses a Comm after its callback, so at() releases it.
  void ended(const s4u::Activity& comm) {
    const auto found = under_way_.find(&comm);
    if (found == under_way_.end()) return;
    ended_.push_back({found->second.number, found->second.flow});
    parked_.push_back(std::move(found->second.comm));
    under_way_.erase(found);
  }

  /// Flows must not be started here: the network may already have been evaluated.
  double next_after(double now) {
    if (now >= precise_) raise_precision(now);
    if (!ended_.empty() || std::exchange(again_, false)) return 0;
    const auto next = client_->next_event();
    if (next == FlowClient::kNoEvent) return -1;
    wanted_ps_ = next;
    wanted_ = base_ + Duration::picoseconds(next - base_ps_).in_seconds();
    return std::max(0., wanted_ - now);
  }

  void at(double date) {
    if (client_ == nullptr) return;
    parked_.clear();
    const auto passed = Duration::seconds(date - base_).count();
    auto now = busline::saturated_sum(base_ps_, passed);
    // Late in a long run a picosecond is below the clock's resolution.
    if (date >= wanted_) now = std::max(now, wanted_ps_);
    wanted_ = kNever;
    // The replay's events of this picosecond have been handled; ends of flows follow them.
    std::sort(ended_.begin(), ended_.end(),
              [](const Ended& a, const Ended& b) { return a.number < b.number; });
    for (const auto& e : ended_) client_->flow_ended(e.flow, now);
    ended_.clear();
    client_->run_to(now);
    run_alone();
  }

  /// While no flow is active, SimGrid is not called, and its clock stands still.
  void run_alone() {
    while (under_way_.empty() && ended_.empty()) {
      const auto next = client_->next_event();
      if (next == FlowClient::kNoEvent) return;
      client_->run_to(next);
    }
  }

  void raise_precision(double now) {
    precise_ = 2 * now;
    s4u::Engine::set_config("surf/precision", kSolverPrecision * precise_ / kPrecise);
  }

  std::unique_ptr<s4u::Engine> engine_;
  FlowLaw law_;
  WaysZone* zone_ = nullptr;
  WaysZone* links_zone_ = nullptr;
  s4u::Host* from_ = nullptr;
  s4u::Host* to_ = nullptr;
  WaysZone::Links links_;
  FlowClient* client_ = nullptr;
  std::unordered_map<const s4u::Activity*, UnderWay> under_way_;
  std::vector<Ended> ended_;
  std::vector<s4u::CommPtr> parked_;
  std::uint64_t started_ = 0;
  double base_ = 0;  // SimGrid's clock when the replay's was base_ps_
  std::int64_t base_ps_ = 0;
  double wanted_ = kNever;  // the date that next_after() asked for, and the replay's event
  std::int64_t wanted_ps_ = 0;
  double precise_ = kPrecise;
  bool again_ = false;
};

}  // namespace

extern "C" busline::Flows* busline_make_flows(const FlowLaw& law) {
  return new SimGridFlows(law);
}
static_assert(std::is_same_v<decltype(busline_make_flows), busline::MakeFlows>);
