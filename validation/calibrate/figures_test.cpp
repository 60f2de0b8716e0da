// What is said of figures that measurements leave open; fits are made by hand here.
#include "validation/calibrate/figures.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>

using namespace busline;
using namespace busline::calibrate;

namespace {

Platform two_nodes() {
  Platform p;
  MachineGroup m;
  m.nodes.emplace_back().count = 2;
  p.machines.push_back(std::move(m));
  return p;
}

Fits with_messages() {
  Fits fits;
  auto& messages = fits.inter.messages.emplace();
  messages.latency_ps.value = 2e6;
  messages.ps_per_byte.value = 100;
  messages.largest_transfer_share = 1;
  return fits;
}

CalibratedFigure figure(const Told& told, std::string_view name) {
  const auto at = std::find_if(told.figures.begin(), told.figures.end(),
                               [&](const CalibratedFigure& f) { return f.figure == name; });
  REQUIRE(at != told.figures.end());
  return *at;
}

}  // namespace

TEST_CASE("an unreached rendezvous limit is reported with the largest eager message") {
  auto fits = with_messages();
  fits.inter.messages->rendezvous.known = RendezvousFit::Known::not_reached;
  fits.inter.messages->rendezvous.above = 65536;
  const auto limit = figure(tell(fits, two_nodes()), "/mpi/rendezvous_from");
  CHECK(limit.value == "never");
  CHECK(limit.remark ==
        "no message of up to 64 KiB used rendezvous; larger ones would not show it, or were not measured");
}

TEST_CASE("links that carry one direction after the other are reported as half duplex, with the reason") {
  auto fits = with_messages();
  auto& network = fits.sharing.network;
  network.links.measured = true;
  network.links.value = network.links.at_least = network.links.at_most = 1;
  network.half_duplex = network.duplex_is_known = true;
  const auto links = figure(tell(fits, two_nodes()), "/nodes/0/links");
  CHECK(links.value == "1 half duplex");
  CHECK(links.remark == "both directions at once take as long as one after the other");
}
