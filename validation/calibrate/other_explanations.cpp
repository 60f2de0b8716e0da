#include "validation/calibrate/other_explanations.hpp"

#include <utility>

#include "platforms/alternatives.hpp"

namespace busline::calibrate {
namespace {

class Explanations {
 public:
  explicit Explanations(const Platform& platform) : platform_(platform) {}

  void add(std::string of, const Platform& other, std::string remark) {
    auto found = alternative(std::move(of), platform_, other);
    if (found.other.empty()) return;
    found.remark = std::move(remark);
    all_.push_back(std::move(found));
  }

  void add(const SharingFit& fit) {
    const auto add_servers = [&](ServersFit SharingFit::*part, const char* of) {
      if (!(fit.*part).other) return;
      auto as = fit;
      auto& servers = as.*part;
      servers.links.value = servers.other->first;
      servers.buses.value = servers.other->second;
      auto other = platform_;
      apply(as, other);
      add(of, other, "the times of messages that share them differ by less than their errors");
    };
    add_servers(&SharingFit::network, "links and buses");
    add_servers(&SharingFit::memory, "links and buses of memory");
    if (!fit.other_sharing) return;
    auto other = platform_;
    other.machines.front().network.sharing = *fit.other_sharing;
    add("sharing", other, "nothing that was measured tells them apart");
  }

  std::vector<CalibratedAlternative> all() { return std::move(all_); }

 private:
  const Platform& platform_;
  std::vector<CalibratedAlternative> all_;
};

}  // namespace

std::vector<CalibratedAlternative> other_explanations(const Fits& fits, const CollectiveFit& collectives,
                                                      const Platform& platform, SetMessages set_messages) {
  Explanations explanations(platform);
  explanations.add(fits.sharing);
  for (const auto& messages : fits.messages()->messages->others) {
    auto as = fits;
    auto& route = as.inter.messages ? as.inter : as.intra;
    const bool ranges = messages.ranges.size() != route.messages->ranges.size();
    route.messages = messages;
    auto other = platform;
    set_messages(as, other);
    other.machines.front().nodes = platform.machines.front().nodes;
    explanations.add(ranges ? "size classes" : "rendezvous", other, "likely, but not beyond doubt");
  }
  explanations.add("collectives", with_other_collectives(collectives, platform),
                   "the times differ by less than they scatter");
  return explanations.all();
}

}  // namespace busline::calibrate
