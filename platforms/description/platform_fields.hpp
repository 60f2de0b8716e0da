// The objects of a platform document, each described once (documents/fields/object.hpp).
// docs/reference/platform.md explains the members; platforms/schema/platform.schema.json is generated from
// these descriptions.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "documents/fields/cursor.hpp"
#include "documents/fields/names.hpp"
#include "platforms/description/platform.hpp"
#include "platforms/description/platform_values.hpp"
#include "platforms/topology/topology_fields.hpp"

namespace busline {

/// A platform as the document lays it out: one machine's nodes and network at the top, or a list of machines.
struct PlatformDocument {
  Platform platform;
  std::optional<std::vector<NodeGroup>> nodes;
  std::optional<Network> network;
  std::optional<std::vector<MachineGroup>> machines;
  std::optional<Wan> wan;
};

/// Links as an object: `in` and `out`, or `half_duplex`; 0: absent.
struct LinksDocument {
  Count in = 0, out = 0, half_duplex = 0;
};

/// An operation's cost that is an algorithm.
struct NamedAlgorithm {
  Algorithm algorithm{};
};
/// An operation's cost in a list of them by size.
template <class Cost>
struct SizeFrom {
  Bytes from{};
  Cost cost{};
};

/// A platform as a member of another document, as to_json writes it.
struct WrittenPlatform {
  Platform& value;
};
Expected<void> read_value(const Cursor& at, WrittenPlatform&);
nlohmann::ordered_json write_value(const WrittenPlatform& v);
nlohmann::ordered_json schema_of(const WrittenPlatform&);

// Conditions between members.
Expected<void> check(const Cursor& at, const NodeGroup& group);
Expected<void> check(const Cursor& at, const LinksDocument& links);
Expected<void> check(const Cursor& at, const Network& network);
Expected<void> check(const Cursor& at, const FlowOptions& flow);
Expected<void> check(const Cursor& at, const ModuleFactor& module);

/// Keeps intra_node where readers expect it.
nlohmann::ordered_json write_value(const NodeGroup& group);

inline constexpr Names<Preset, 2> kPresetNames{
    {{"published", Preset::published}, {"dimemas-5.5", Preset::dimemas_5_5}}};
inline constexpr Names<NodeGroup::Waiting, 2> kWaitingNames{
    {{"blocking", NodeGroup::Waiting::blocking}, {"polling", NodeGroup::Waiting::polling}}};
inline constexpr Names<Network::LatencyAt, 2> kLatencyAtNames{
    {{"cpu", Network::LatencyAt::cpu}, {"flight", Network::LatencyAt::flight}}};
inline constexpr Names<Network::Sharing, 4> kSharingNames{{{"exclusive", Network::Sharing::exclusive},
                                                           {"fair", Network::Sharing::fair},
                                                           {"streams", Network::Sharing::streams},
                                                           {"queues", Network::Sharing::queues}}};
inline constexpr Names<FlowOptions::Model, 3> kFlowModelNames{{{"max-min", FlowOptions::Model::max_min},
                                                               {"CM02", FlowOptions::Model::cm02},
                                                               {"LV08", FlowOptions::Model::lv08}}};
inline constexpr Names<FlowOptions::Solver, 2> kFlowSolverNames{
    {{"local", FlowOptions::Solver::local}, {"SimGrid", FlowOptions::Solver::simgrid}}};
inline constexpr Names<Mpi::SendCompletes, 2> kSendCompletesNames{
    {{"launch", Mpi::SendCompletes::launch}, {"transfer", Mpi::SendCompletes::transfer}}};
inline constexpr Names<Mpi::Progress, 2> kProgressNames{
    {{"asynchronous", Mpi::Progress::asynchronous}, {"in-calls", Mpi::Progress::in_calls}}};
inline constexpr Names<Mpi::Handshakes, 2> kHandshakesNames{
    {{"beside-data", Mpi::Handshakes::beside_data}, {"behind-data", Mpi::Handshakes::behind_data}}};
inline constexpr Names<Launch::Distribute, 4> kDistributeNames{{{"shared-fs", Launch::Distribute::shared_fs},
                                                                {"broadcast", Launch::Distribute::broadcast},
                                                                {"local", Launch::Distribute::local},
                                                                {"cached", Launch::Distribute::cached}}};
inline constexpr Names<Launch::Modex, 2> kModexNames{
    {{"full", Launch::Modex::full}, {"none", Launch::Modex::none}}};
inline constexpr Names<Launch::Connect, 2> kConnectNames{
    {{"lazy", Launch::Connect::lazy}, {"init", Launch::Connect::init}}};
inline constexpr Names<bool, 2> kMatchNames{{{"all", true}, {"any", false}}};
using Compare = DedicatedConnection::Condition::Compare;
inline constexpr Names<Compare, 3> kCompareNames{
    {{"<", Compare::less}, {"=", Compare::equal}, {">", Compare::greater}}};
inline constexpr Names<FanModel, 4> kFanModelNames{{{"none", FanModel::none},
                                                    {"constant", FanModel::constant},
                                                    {"linear", FanModel::linear},
                                                    {"logarithmic", FanModel::logarithmic}}};
inline constexpr Names<SizeRule, 6> kSizeRuleNames{{{"current", SizeRule::current},
                                                    {"max", SizeRule::max},
                                                    {"min", SizeRule::min},
                                                    {"mean", SizeRule::mean},
                                                    {"2*max", SizeRule::twice_max},
                                                    {"sum", SizeRule::sum}}};

inline constexpr std::string_view kPlatformSchema = "busline/platform/1";

void describe(Fields& f, PlatformDocument& d);
void describe(Fields& f, CalibrationRecord& c);
void describe(Fields& f, CalibratedFigure& c);
void describe(Fields& f, CalibratedAlternative& c);
void describe(Fields& f, CalibratedSuite& c);
void describe(Fields& f, MachineGroup& m);
void describe(Fields& f, NodeGroup& g);
void describe(Fields& f, NodeGroup::Memory& m);
void describe(Fields& f, NodeGroup::Self& s);
void describe(Fields& f, LinksDocument& l);

/// The only form of a mapping that is an object.
void describe(Fields& f, Mapping& m);
void describe(Fields& f, Overheads& o);
void describe(Fields& f, Network& n);
void describe(Fields& f, FlowOptions& o);
void describe(Fields& f, SizeClass& s);
void describe(Fields& f, Wan& w);
void describe(Fields& f, DedicatedConnection& c);
void describe(Fields& f, DedicatedConnection::Condition& c);
void describe(Fields& f, ModuleFactor& m);
void describe(Fields& f, Mpi& m);
void describe(Fields& f, Launch& l);
void describe(Fields& f, Noise& n);
void describe(Fields& f, Noise::Compute& c);
void describe(Fields& f, Fan& fan);
void describe(Fields& f, ClosedForm& c);

/// A cost that is an algorithm.
void describe(Fields& f, NamedAlgorithm& a);
void describe(Fields& f, SizeFrom<ClosedForm>& c);
void describe(Fields& f, SizeFrom<NamedAlgorithm>& a);

}  // namespace busline
