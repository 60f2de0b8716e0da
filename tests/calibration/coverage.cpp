#include "tests/calibration/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/quantile.hpp"
#include "sim/base/quantity.hpp"
#include "validation/calibrate/suite_replay.hpp"

namespace busline::calibrate {
namespace {

class Judge {
 public:
  Judge(const Platform& secret, const Platform& found) : secret_(secret), found_(found) {}

  std::vector<FigureVerdict> run() {
    const auto& network = secret_.machines.front().network;
    const auto& nodes = secret_.machines.front().nodes.front();
    quantity("/network/latency", static_cast<double>(network.latency.count()), picoseconds,
             to_text(network.latency));
    quantity("/network/bandwidth", network.bandwidth.in_bytes_per_second(), bytes_per_second,
             to_text(network.bandwidth));
    quantity("/nodes/0/overheads/send", static_cast<double>(nodes.overheads.send.count()), picoseconds,
             to_text(nodes.overheads.send));
    quantity("/nodes/0/overheads/receive", static_cast<double>(nodes.overheads.receive.count()), picoseconds,
             to_text(nodes.overheads.receive));
    quantity("/nodes/0/intra_node/latency", static_cast<double>(nodes.intra_node.latency.count()),
             picoseconds, to_text(nodes.intra_node.latency));
    quantity("/nodes/0/intra_node/bandwidth", nodes.intra_node.bandwidth.in_bytes_per_second(),
             bytes_per_second, to_text(nodes.intra_node.bandwidth));
    quantity("/mpi/handshake", static_cast<double>(secret_.mpi.handshake.count()), picoseconds,
             to_text(secret_.mpi.handshake));
    limit();
    choices();
    const auto& found = found_.machines.front().nodes.front();
    servers("/nodes/0/links", nodes.links, found.links);
    servers("/nodes/0/intra_node/links", nodes.intra_node.links, found.intra_node.links);
    buses("/network/buses", network.buses);
    buses("/nodes/0/intra_node/buses", nodes.intra_node.buses);
    return std::move(verdicts_);
  }

 private:
  static std::optional<double> picoseconds(std::string_view text) {
    const auto d = parse_duration(text);
    return d ? std::optional(static_cast<double>(d->count())) : std::nullopt;
  }
  static std::optional<double> bytes_per_second(std::string_view text) {
    const auto b = parse_bandwidth(text);
    return b ? std::optional(b->in_bytes_per_second()) : std::nullopt;
  }

  const CalibratedFigure* find(std::string_view name) const {
    const auto& all = found_.calibration->figures;
    const auto at = std::find_if(all.begin(), all.end(), [&](const auto& f) { return f.figure == name; });
    return at == all.end() ? nullptr : &*at;
  }

  void add(const CalibratedFigure& f, Verdict verdict, const std::string& truth) {
    verdicts_.push_back({f.figure, verdict,
                         fmt::format("{}: found {} ({} to {}) {}", truth, f.value, f.low, f.high, f.remark)});
  }

  template <class Read>
  void quantity(std::string_view name, double truth, const Read& read, const std::string& text) {
    const auto* f = find(name);
    if (f == nullptr) return;
    if (f->low.empty() || f->high.empty()) return add(*f, Verdict::undetermined, text);
    // Figures are rounded to five digits.
    constexpr double kRounded = 5e-5;
    const auto low = read(f->low), high = read(f->high);
    const bool inside = low && high && *low * (1 - kRounded) <= truth && truth <= *high * (1 + kRounded);
    add(*f, inside ? Verdict::right : Verdict::wrong, text);
  }

  void limit() {
    const auto* f = find("/mpi/rendezvous_from");
    const auto& truth = secret_.mpi.rendezvous_from;
    const auto text = truth ? to_text(*truth) : "never";
    if (found_.mpi.rendezvous_from) {
      const auto low = parse_bytes(f->low), high = parse_bytes(f->high);
      const bool inside = truth && low && high && *low <= *truth && *truth <= *high;
      return add(*f, inside ? Verdict::right : Verdict::wrong, text);
    }
    // "no message of up to 4 MiB used rendezvous" names the size.
    constexpr std::string_view kNone = "no message of up to ";
    if (!f->remark.starts_with(kNone)) return add(*f, Verdict::undetermined, text);
    const auto size = std::string_view(f->remark).substr(kNone.size());
    const auto above = parse_bytes(size.substr(0, size.find(" used")));
    add(*f, !truth || (above && *truth > *above) ? Verdict::right : Verdict::wrong, text);
  }

  void choices() {
    const auto& s = secret_.machines.front().network;
    const auto& f = found_.machines.front().network;
    const auto choice = [&](std::string_view name, bool right) {
      const auto* figure = find(name);
      if (figure == nullptr) return;
      const bool assumed =
          figure->remark.starts_with("assumed") || figure->remark.starts_with("not determined");
      add(*figure,
          assumed ? Verdict::undetermined
          : right ? Verdict::right
                  : Verdict::wrong,
          right ? "the same" : "another");
    };
    choice("/network/latency_at", s.latency_at == f.latency_at);
    choice("/network/sharing", s.sharing == f.sharing);
    choice("/mpi/send_completes", secret_.mpi.send_completes == found_.mpi.send_completes);
  }

  static bool admits(const CalibratedFigure& f, Count truth) {
    const auto number = [](const std::string& text, Count otherwise) {
      return text.empty() || text == "unlimited" ? otherwise : static_cast<Count>(std::stoul(text));
    };
    const Count low = number(f.low, 1), high = number(f.high, kMaxServers);
    return truth == kUnlimited ? high == kMaxServers : low <= truth && truth <= high;
  }

  void buses(std::string_view name, Count truth) {
    const auto* f = find(name);
    if (f == nullptr) return;
    const auto text = truth == kUnlimited ? "unlimited" : fmt::format("{}", truth);
    if (f->remark == "not measured") return add(*f, Verdict::undetermined, text);
    add(*f, admits(*f, truth) ? Verdict::right : Verdict::wrong, text);
  }

  void servers(std::string_view name, const Links& truth, const Links& found) {
    const auto* f = find(name);
    if (f == nullptr) return;
    using enum Links::Kind;
    const auto n = truth.kind == unlimited ? kUnlimited : truth.out;
    const auto text =
        n == kUnlimited ? "unlimited" : fmt::format("{}{}", n, truth.kind == half_duplex ? " half" : "");
    if (f->remark == "not measured") return add(*f, Verdict::undetermined, text);
    const bool open = found.kind == unlimited || f->remark.starts_with("assumed full duplex");
    const bool same = open || truth.kind == unlimited || found.kind == truth.kind;
    add(*f, same && admits(*f, n) ? Verdict::right : Verdict::wrong, text);
  }

  const Platform& secret_;
  const Platform& found_;
  std::vector<FigureVerdict> verdicts_;
};

}  // namespace

std::vector<FigureVerdict> judge(const Platform& secret, const Platform& found) {
  return Judge(secret, found).run();
}

std::optional<SuiteError> suite_error(const measure::Suite& suite, const Platform& secret,
                                      const Platform& found) {
  std::vector<double> errors;
  for (const auto& point : suite.points) {
    const auto truth = predicted_result(suite, point, secret),
               predicted = predicted_result(suite, point, found);
    if (!truth || !predicted || *truth <= 0 || *predicted <= 0) return std::nullopt;
    errors.push_back(std::abs(std::log(*predicted / *truth)));
  }
  if (errors.empty()) return std::nullopt;
  const double worst = *std::max_element(errors.begin(), errors.end());
  return SuiteError{median(std::move(errors)), worst};
}

}  // namespace busline::calibrate
