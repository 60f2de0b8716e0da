#include "platforms/dimemas/communication_file.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "documents/fields/printable.hpp"
#include "platforms/dimemas/field_reader.hpp"

namespace busline::dimemas {
namespace {

constexpr std::int64_t kLastOperation = static_cast<std::int64_t>(CollectiveKind::alltoallw);

class Lines {
 public:
  Lines(Platform& platform, Diagnostics& diagnostics, const std::string& path)
      : platform_(platform), diagnostics_(diagnostics), path_(path) {}

  void machine_operation(FieldReader& f) {
    const auto machine = this->machine(f);
    operation(f, {&table(machine)});
  }
  void external_operation(FieldReader& f) {
    operation(f, {&platform_.wan.collectives});
    note_single_machine(f);
  }
  // Dimemas writes to a machine past the end here and fails; the intent is clear.
  void general_operation(FieldReader& f) {
    std::vector<CollectiveTable*> tables{&platform_.wan.collectives};
    for (std::size_t m = 0; m < platform_.machines.size(); ++m) tables.push_back(&table(m));
    operation(f, tables);
    f.number("number", std::numeric_limits<double>::lowest());
  }
  void flight_times(FieldReader& f) {
    const auto machines = platform_.machines.size();
    const auto from = machine(f);
    auto& flight = platform_.wan.flight;
    flight.resize(machines, std::vector<Duration>(machines));
    for (std::size_t to = 0; to < machines && !f.error(); ++to)
      flight[from][to] = f.seconds(fmt::format("time to machine {}", to));
    note_single_machine(f);
  }
  void machine_policy(FieldReader& f) {
    machine(f);
    policy(f);
  }
  void policy(FieldReader& f) {
    if (const auto name = f.text("policy"); name != "FIFO")
      f.refuse(fmt::format("expected FIFO, '{}' is not supported", printable(name)),
               Error::Kind::unsupported);
  }
  void quantum(FieldReader& f) { f.whole("quantum", 0, std::numeric_limits<std::int64_t>::max()); }

 private:
  void note_single_machine(const FieldReader& f) {
    if (platform_.machines.size() == 1)
      diagnostics_.push_back(remark(Diagnostic::Severity::note, "no-effect",
                                    "there is one machine, this line applies between several", path_,
                                    f.line()));
  }
  std::size_t machine(FieldReader& f) {
    return static_cast<std::size_t>(
        f.whole("machine", 0, static_cast<std::int64_t>(platform_.machines.size()) - 1));
  }
  CollectiveTable& table(std::size_t machine) {
    return platform_.machines.size() == 1 ? platform_.mpi.collectives
                                          : platform_.machines[machine].collectives;
  }
  Fan fan(FieldReader& f, std::string_view model, std::string_view size) {
    constexpr std::array kModels{FanModel::none, FanModel::constant, FanModel::linear, FanModel::logarithmic};
    constexpr std::array kSizes{SizeRule::min, SizeRule::max, SizeRule::mean, SizeRule::twice_max,
                                SizeRule::sum};
    Fan fan;
    fan.model = kModels[f.choice(model, {"0", "CTE", "LIN", "LOG"})];
    fan.size = kSizes[f.choice(size, {"MIN", "MAX", "MEAN", "2MAX", "S+R"})];
    return fan;
  }
  void operation(FieldReader& f, const std::vector<CollectiveTable*>& tables) {
    const auto kind = static_cast<CollectiveKind>(f.whole("operation id", 0, kLastOperation));
    ClosedForm cost;
    cost.fan_in = fan(f, "fan-in model", "fan-in size");
    cost.fan_out = fan(f, "fan-out model", "fan-out size");
    if (f.error()) return;
    if (kind == CollectiveKind::reduce) {
      diagnostics_.push_back(
          remark(Diagnostic::Severity::warning, "no-effect",
                 "MPI_Reduce (10) keeps its constant model, which Dimemas does not let you change", path_,
                 f.line()));
      return;
    }
    for (auto* t : tables) t->by_kind[static_cast<std::size_t>(kind)] = {{Bytes{0}, cost}};
  }

  Platform& platform_;
  Diagnostics& diagnostics_;
  const std::string& path_;
};

struct LineKind {
  std::string_view start;
  std::size_t words;  // values after the keyword; 0: one per machine, plus one
  void (Lines::*read)(FieldReader&);
};
constexpr LineKind kGeneral{"", 6, &Lines::general_operation};
constexpr std::array<LineKind, 6> kLineKinds{{
    {"Machine globalop:", 6, &Lines::machine_operation},
    {"External globalop:", 5, &Lines::external_operation},
    {"Flight time:", 0, &Lines::flight_times},
    {"Machine policy:", 2, &Lines::machine_policy},
    {"Policy:", 1, &Lines::policy},
    {"Quantum size (bytes):", 1, &Lines::quantum},
}};

std::optional<LineKind> kind_of(std::string_view line) {
  for (const auto& k : kLineKinds)
    if (line.substr(0, k.start.size()) == k.start) return k;
  if (line[0] >= '0' && line[0] <= '9') return kGeneral;
  return std::nullopt;
}

Error unknown_line(const Line& line, const std::string& path) {
  std::vector<std::string> starts;
  starts.reserve(kLineKinds.size());
  for (const auto& k : kLineKinds) starts.emplace_back(k.start);
  const auto colon = line.text.find(':');
  const auto nearest = nearest_name(
      starts, printable(line.text.substr(0, colon == std::string_view::npos ? colon : colon + 1)));
  return error_in_line(path, line.number, {},
                       fmt::format("unknown line '{}'{}", printable(line.text),
                                   nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
}

}  // namespace

Expected<void> read_communication_file(std::string_view text, const std::string& path, Platform& platform,
                                       Diagnostics& diagnostics) {
  Lines lines(platform, diagnostics, path);
  for (const auto& line : split_lines(text)) {
    if (line.text[0] == '#' || line.text.substr(0, 2) == "//") continue;
    const auto kind = kind_of(line.text);
    if (!kind) return tl::unexpected(unknown_line(line, path));
    const auto name =
        kind->start.empty() ? "operation" : std::string(kind->start.substr(0, kind->start.size() - 1));
    const Record record{name, line.number, split_words(line, kind->start.size())};
    const auto words = kind->words == 0 ? platform.machines.size() + 1 : kind->words;
    if (record.fields.size() != words)
      return tl::unexpected(error_in_line(
          path, line.number, name, fmt::format("expected {} values, found {}", words, record.fields.size())));
    FieldReader fields(record, path);
    (lines.*kind->read)(fields);
    if (fields.error()) return tl::unexpected(*fields.error());
  }
  return {};
}

}  // namespace busline::dimemas
