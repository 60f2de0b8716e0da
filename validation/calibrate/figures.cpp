#include "validation/calibrate/figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sim/base/quantity.hpp"
#include "workloads/kernels/operations.hpp"

namespace busline::calibrate {
namespace {

using Known = RendezvousFit::Known;

constexpr double kLeastTransferShare = 0.5;  // of the largest message: below that a bandwidth is a guess

std::string time(double ps) {
  return to_text(Duration::from_double(five_digits(std::max(ps, 0.0))));
}

std::string speed(double ps_per_byte) {
  if (ps_per_byte <= 0) return to_text(Bandwidth::unlimited());
  return to_text(Bandwidth::bytes_per_second(five_digits(1e12 / ps_per_byte)));
}

std::string starts_text(const std::vector<SizeRange>& ranges) {
  std::vector<std::string> texts;
  for (const auto& r : ranges) texts.push_back(to_text(Bytes{r.from}));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string count_text(Count n) {
  return n == kUnlimited ? "unlimited" : fmt::format("{}", n);
}

class Teller {
 public:
  Teller(const Fits& fits, const Platform& platform) : fits_(fits), platform_(platform) {}

  Told tell() {
    const auto& network = platform_.machines.front().network;
    route(fits_.inter, "/network", network.latency, "between nodes", "pingpong-inter");
    route(fits_.intra, "/nodes/0/intra_node", nodes().intra_node.latency, "inside a node", "pingpong-intra");
    self();
    latency_at();
    protocol();
    memory_protocol();
    sharing();
    compute();
    return std::move(told_);
  }

 private:
  const NodeGroup& nodes() const { return platform_.machines.front().nodes.front(); }

  void warn(std::string code, std::string message) {
    told_.warnings.push_back({Diagnostic::Severity::warning, std::move(code), std::move(message)});
  }

  CalibratedFigure& add(std::string figure, std::string value, std::vector<std::string> suites = {}) {
    auto& f = told_.figures.emplace_back();
    f.figure = std::move(figure);
    f.value = std::move(value);
    f.suites = std::move(suites);
    return f;
  }

  void route(const RouteFit& fit, const std::string& at, Duration latency, const char* where,
             const char* missing) {
    if (!fit.messages) {
      warn("not-measured",
           fmt::format(
               "messages {} were not measured: {} is missing; assuming that they cost what the others cost",
               where, missing));
      return;
    }
    const auto& m = *fit.messages;
    const auto& hidden = &fit == &fits_.intra ? fits_.hidden_memory_latency_ps : std::nullopt;
    const std::string uncertain = "uncertain: ping-pongs wait for the calls of receives";
    // The cost of the sender's call is not a latency: it shifts both ends equally.
    const double call = hidden ? 0 : m.latency_ps.value - static_cast<double>(latency.count());
    const auto& found = hidden ? *hidden : m.latency_ps;
    auto& l = add(at + "/latency", to_text(latency), fit.curves.suites);
    l.low = time(found.interval.low - call);
    l.high = time(found.interval.high - call);
    if (hidden) l.remark = uncertain;
    auto& b = add(at + "/bandwidth", speed(m.ps_per_byte.value), fit.curves.suites);
    if (hidden) {
      b.remark = uncertain;
    } else {
      b.low = speed(m.ps_per_byte.interval.high);
      b.high = speed(m.ps_per_byte.interval.low);
    }
    if (m.largest_transfer_share < kLeastTransferShare) {
      b.remark = fmt::format("the transfer takes {:.0f} % of the largest message's time",
                             100 * m.largest_transfer_share);
      warn("not-determined",
           fmt::format("bandwidth {} is uncertain: {}; measure larger messages", where, b.remark));
    }
    if (m.ranges.size() > 1)
      add(at + "/size_classes", fmt::format("{} ranges of sizes", m.ranges.size()), fit.curves.suites)
          .remark = fmt::format("from {}: a single straight line does not fit", starts_text(m.ranges));
    for (const auto& o : m.missed)
      warn("not-followed",
           fmt::format("messages {} of {} to {} are not followed, not even by size classes: the median "
                       "of the samples is {:.2f} times what is predicted",
                       where, to_text(Bytes{o.smallest}), to_text(Bytes{o.largest}), o.ratio));
  }

  void self() {
    if (!nodes().self) {
      add("/nodes/0/self", "as inside the node", fits_.self.curves.suites);
      return;
    }
    const auto& figures = *nodes().self;
    if (fits_.self.messages)
      return route(fits_.self, "/nodes/0/self", figures.latency, "to oneself", kSendrecvSelf.data());
    for (const auto& [name, value] :
         {std::pair{"latency", to_text(figures.latency)}, {"bandwidth", to_text(figures.bandwidth)}})
      add(fmt::format("/nodes/0/self/{}", name), value).remark = "assumed: sendrecv-self was not measured";
  }

  void latency_at() {
    const auto& network = platform_.machines.front().network;
    const auto& messages = *fits_.messages();
    const auto& calls = fits_.send_calls.messages ? fits_.send_calls : messages;
    const bool flies = network.latency_at == Network::LatencyAt::flight;
    auto& at = add("/network/latency_at", flies ? "flight" : "cpu", calls.curves.suites);
    const auto* call = fits_.send_call_ps();
    if (call == nullptr) {
      at.remark = "assumed: calls of MPI_Send were not measured";
      if (fits_.send_is_of_window)
        add("/nodes/0/overheads/send", to_text(nodes().overheads.send)).remark =
            "from the window of bidirectional-inter";
      if (fits_.receive_ps) receive();
      if (fits_.send_is_of_window) return;
      warn("not-measured",
           "the cost of a message on the sender's CPU is not known: send-inter is missing; assuming that the "
           "latency passes in flight");
      return;
    }
    at.remark = fmt::format("the call of {} takes {:.0f} % of a message's latency",
                            &calls == &messages ? "MPI_Send" : "MPI_Isend",
                            100 * call->value / std::max(messages.messages->latency_ps.value, 1.0));
    if (!flies) return;
    auto& o = add("/nodes/0/overheads/send", to_text(nodes().overheads.send), calls.curves.suites);
    o.low = time(call->interval.low);
    o.high = time(call->interval.high);
    if (nodes().overheads.receive != Duration() || fits_.receive_is_below_send) receive();
  }

  void receive() {
    const auto& calls = fits_.receive_calls;
    auto& o = add("/nodes/0/overheads/receive", to_text(nodes().overheads.receive));
    if (fits_.receive_ps) {
      o.low = time(fits_.receive_ps->interval.low);
      o.high = time(fits_.receive_ps->interval.high);
      o.remark = "from the window of bandwidth-inter";
    } else if (fits_.receive_is_below_send) {
      o.low = time(0);
      o.high = time(fits_.send_call_ps()->interval.high);
      o.remark = "at most a send: the window of bandwidth-inter does not show it";
    } else if (calls.messages) {
      o.suites = calls.curves.suites;
      o.low = time(calls.messages->latency_ps.interval.low);
      o.high = time(calls.messages->latency_ps.interval.high);
      if (calls.messages->ps_per_byte.interval.low > 0)
        o.remark =
            fmt::format("and a copy at {}, which no model uses", speed(calls.messages->ps_per_byte.value));
    } else {
      o.remark = "assumed: as much as a send";
    }
  }

  void protocol() {
    const auto& fit = *fits_.messages();
    const auto& r = fit.messages->rendezvous;
    const auto& limit = platform_.mpi.rendezvous_from;
    auto& f = add("/mpi/rendezvous_from", limit ? to_text(*limit) : "never", fit.curves.suites);
    if (r.known == Known::not_reached)
      f.remark = fmt::format(
          "no message of up to {} used rendezvous; larger ones would not show it, or were not measured",
          to_text(Bytes{r.above}));
    if (r.known == Known::undetermined) {
      const bool has_handshake = fit.messages->handshake_ps.has_value();
      f.remark = "not determined";
      warn("not-determined",
           fmt::format("the size from which messages use rendezvous is not known: {}",
                       has_handshake ? "a handshake takes no time here, so no jump can show"
                                     : "no jump appears up to the largest message, and ssend-inter, which "
                                       "shows whether one could appear, is missing"));
    }
    if (r.known != Known::found) {
      if (fits_.progress_is_measured) progress();
      return;
    }
    f.low = to_text(Bytes{r.above + 1});
    f.high = to_text(Bytes{r.at_most});
    handshake(fit);
    if (platform_.mpi.progress == Mpi::Progress::in_calls || fits_.progress_is_measured) progress();
    const bool transfer = platform_.mpi.send_completes == Mpi::SendCompletes::transfer;
    auto& c = add("/mpi/send_completes", transfer ? "transfer" : "launch", fit.curves.suites);
    if (r.completion_is_known) return;
    c.suites.clear();
    c.remark = "assumed: calls of MPI_Send were not measured";
    warn("not-measured", "it is not known when a rendezvous send completes: send-inter is missing");
  }

  void progress() {
    const bool in_calls = platform_.mpi.progress == Mpi::Progress::in_calls;
    auto& p = add("/mpi/progress", in_calls ? "in-calls" : "asynchronous");
    if (fits_.progress_is_measured)
      p.suites = {std::string(kOverlapAllreduce), std::string(kOverlapAlltoall)};
    else
      p.remark = "known of the library: it has no thread of its own";
    if (!in_calls) return;
    const bool behind = platform_.mpi.handshakes == Mpi::Handshakes::behind_data;
    auto& h = add("/mpi/handshakes", behind ? "behind-data" : "beside-data");
    if (fits_.handshakes_are_measured)
      h.suites = {std::string(kLateExchange)};
    else
      h.remark =
          fmt::format("assumed: a latency of {} is {}", to_text(platform_.machines.front().network.latency),
                      behind ? "that of TCP" : "less than TCP's");
  }

  void handshake(const RouteFit& fit) {
    auto& h = add("/mpi/handshake", to_text(platform_.mpi.handshake), fit.curves.suites);
    h.low = time(fit.messages->handshake_ps->interval.low);
    h.high = time(fit.messages->handshake_ps->interval.high);
    const auto& of_ssend = fit.messages->synchronous_handshake_ps;
    if (!of_ssend || !platform_.mpi.ssend_handshake) return;
    auto& s = add("/mpi/ssend_handshake", to_text(*platform_.mpi.ssend_handshake), fit.curves.suites);
    s.low = time(of_ssend->interval.low);
    s.high = time(of_ssend->interval.high);
  }

  void memory_protocol() {
    const auto& memory = nodes().intra_node;
    if (const auto& limit = memory.rendezvous_from) {
      auto& f = add("/nodes/0/intra_node/rendezvous_from", limit->from ? to_text(*limit->from) : "never",
                    fits_.intra.curves.suites);
      const auto& fit = fits_.intra.messages->rendezvous;
      f.low = to_text(Bytes{fit.above + 1});
      f.high = to_text(Bytes{fit.at_most});
    }
    if (!memory.handshake) return;
    const auto& fit = *fits_.intra.messages->handshake_ps;
    auto& h = add("/nodes/0/intra_node/handshake", to_text(*memory.handshake), fits_.intra.curves.suites);
    h.low = time(fit.interval.low);
    h.high = time(fit.interval.high);
  }

  CalibratedFigure& count(const CountFit& fit, std::string figure, std::string value, const char* what,
                          const char* missing, const char* more) {
    auto& f = add(std::move(figure), std::move(value), fit.suites);
    if (!fit.measured) {
      f.remark = "not measured";
      warn("not-measured",
           fmt::format("{} are not known: {} is missing; assuming that they are unlimited", what, missing));
      return f;
    }
    f.low = count_text(fit.at_least);
    if (fit.at_most != kUnlimited) f.high = count_text(fit.at_most);
    if (fit.value != kUnlimited) return f;
    f.remark = fmt::format("at least {}: {} messages at once do not wait for each other", fit.at_least,
                           fit.most_at_once);
    const bool too_small = fit.at_least < fit.most_at_once;
    warn("lower-bound",
         fmt::format("{} are at least {}; assuming that they are unlimited: to find the limit, {}", what,
                     fit.at_least, too_small ? "measure larger messages" : more));
    return f;
  }

  void servers_of(const ServersFit& fit, const std::string& links_at, const std::string& buses_at,
                  const char* links, const char* buses, const char* flows, const char* pairs) {
    const auto n = fit.links.value;
    const bool half = n != kUnlimited && fit.half_duplex;
    auto& l = count(fit.links, links_at, half ? fmt::format("{} half duplex", n) : count_text(n), links,
                    flows, "measure more flows at once");
    if (n != kUnlimited && !fit.duplex_is_known)
      l.remark = fmt::format("assumed full duplex: {} does not show it", pairs);
    if (half) l.remark = "both directions at once take as long as one after the other";
    if (fit.duplex_is_hidden)
      warn("not-determined",
           fmt::format("{} may be half duplex: both directions at once take as long as one after the other, "
                       "which links or the rendezvous protocol can cause; assuming full duplex: measure {} "
                       "with messages below the rendezvous size",
                       links, pairs));
    count(fit.buses, buses_at, count_text(fit.buses.value), buses, pairs, "measure more pairs at once");
  }

  void sharing() {
    const auto& s = fits_.sharing;
    servers_of(s.network, "/nodes/0/links", "/network/buses", "links of a node", "buses", "flows-of-a-rank",
               "pairs-of-nodes");
    servers_of(s.memory, "/nodes/0/intra_node/links", "/nodes/0/intra_node/buses", "memory links of a rank",
               "memory buses", "pairs-in-a-node", "pairs-in-a-node");
    constexpr std::array kNames{"exclusive", "fair", "streams", "queues"};  // as Network::Sharing
    auto& how = add("/network/sharing", kNames[static_cast<std::size_t>(s.sharing)]);
    if (!s.sharing_is_known)
      how.remark = "assumed: other values fit the measurements as well";
    else
      for (const auto* of : {&s.network.links, &s.network.buses, &s.memory.buses})
        for (const auto& suite : of->suites)
          if (std::find(how.suites.begin(), how.suites.end(), suite) == how.suites.end())
            how.suites.push_back(suite);
  }

  void compute() {
    const auto& c = fits_.compute;
    if (c.relative_speed) {
      auto& f = add("/nodes/0/relative_speed", fmt::format("{:.4g}", c.relative_speed->value), c.suites);
      f.low = fmt::format("{:.4g}", c.relative_speed->interval.low);
      f.high = fmt::format("{:.4g}", c.relative_speed->interval.high);
    }
    if (c.noise)
      add("/noise/compute", fmt::format("{:.4f}", *c.noise), c.suites).remark =
          "spread of equal pieces of work, for 'simulate --runs' with /noise/compute/bursts";
  }

  const Fits& fits_;
  const Platform& platform_;
  Told told_;
};

}  // namespace

const RouteFit* Fits::messages() const {
  if (inter.messages) return &inter;
  return intra.messages ? &intra : nullptr;
}

const Fitted* Fits::send_call_ps() const {
  if (send_calls.messages) return &send_calls.messages->latency_ps;
  const auto* fit = messages();
  return fit != nullptr && fit->messages->send_call_ps ? &*fit->messages->send_call_ps : nullptr;
}

double five_digits(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - 4);
  // Divided by a whole number where the digits are behind the point, so that the text is short as well.
  return unit < 1 ? std::round(value / unit) / std::round(1 / unit) : std::round(value / unit) * unit;
}

Told tell(const Fits& fits, const Platform& platform) {
  return Teller(fits, platform).tell();
}

}  // namespace busline::calibrate
