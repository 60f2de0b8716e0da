// Compiled only: calls with the wrong kind of id do not compile.
#include <type_traits>

#include "sim/program/request_layout.hpp"
#include "sim/replay/test_network.hpp"

using namespace busline;

namespace {

using TestReplay = Replay<TestNetwork>;

template <auto kFunction, class... Arguments>
constexpr bool kTakes = std::is_invocable_v<decltype(kFunction), Arguments...>;

static_assert(kTakes<&TestReplay::message, TestReplay&, MessageId>);
static_assert(!kTakes<&TestReplay::message, TestReplay&, CollectiveId>);
static_assert(!kTakes<&TestReplay::message, TestReplay&, RequestId>);
static_assert(!kTakes<&TestReplay::message, TestReplay&, std::uint32_t>);

static_assert(kTakes<&RunObserver::matched, RunObserver&, MessageId, RequestId, std::int64_t>);
static_assert(!kTakes<&RunObserver::matched, RunObserver&, RequestId, MessageId, std::int64_t>);
static_assert(kTakes<&TestNetwork::send_overhead, TestNetwork&, RankId, Operation>);
static_assert(!kTakes<&TestNetwork::send_overhead, TestNetwork&, StrandId, Operation>);
static_assert(kTakes<&TestNetwork::collective_overhead, TestNetwork&, RankId, CommunicatorId, bool>);
static_assert(!kTakes<&TestNetwork::collective_overhead, TestNetwork&, CommunicatorId, RankId, bool>);
static_assert(kTakes<&BurstLengths::length, BurstLengths&, StrandId, NodeId, Operation>);
static_assert(!kTakes<&BurstLengths::length, BurstLengths&, NodeId, StrandId, Operation>);
static_assert(!kTakes<&RequestLayout::own, RequestLayout&, RankId>);
static_assert(!kTakes<&TestReplay::times_now, TestReplay&, RankId>);

static_assert(!std::is_assignable_v<decltype(Message::source)&, NodeId>);
static_assert(!std::is_convertible_v<EventSubject, MessageId>);

}  // namespace
