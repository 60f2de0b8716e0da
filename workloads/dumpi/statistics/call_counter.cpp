#include "workloads/dumpi/statistics/call_counter.hpp"

#include <algorithm>
#include <bit>

#include "workloads/dumpi/compile/functions.hpp"
#include "workloads/dumpi/format/call_reader.hpp"
#include "workloads/dumpi/format/special_numbers.hpp"

namespace busline::dumpi {
namespace {

constexpr std::int64_t kNullType = 1;  // MPI_DATATYPE_NULL; MPI_IN_PLACE leaves it, or 0, as a buffer's type
constexpr std::size_t kPredefinedTypes = CallTotals::kNoType;

// The communicator that a collective or a message names; files and windows name theirs differently.
std::optional<std::size_t> communicator_argument(std::uint16_t function) {
  const auto& layout = kLayouts[function];
  for (std::size_t i = 0; i < layout.arguments; ++i)
    if (layout.all[i].type == "comm") return i;
  return std::nullopt;
}

bool makes_datatype(const ArgumentLayout& a) {
  return a.type == "dtype" && a.name == "newtype";
}

bool is_list(Shape shape) {
  return shape == Shape::int32s || shape == Shape::int16s;
}

void add_size(CallStatistics::Sizes& sizes, std::optional<std::uint64_t> bytes) {
  if (!bytes) {
    ++sizes.unknown;
    return;
  }
  sizes.least = sizes.calls == 0 ? *bytes : std::min(sizes.least, *bytes);
  sizes.most = std::max(sizes.most, *bytes);
  ++sizes.calls;
  add(sizes.bytes, *bytes);
}

}  // namespace

CallCounter::CallCounter(const TraceFile& file, CallStatistics::Rank& rank, CallTotals& totals)
    : file_(file), rank_(rank), totals_(totals), clock_(rank, totals.functions), types_(file) {}

std::optional<Error> CallCounter::run() {
  CallReader reader(file_);
  while (const Record* r = reader.next()) count(*r);
  for (std::size_t f = 0; f < kCountedFunctions && f < file_.ignored().size(); ++f)
    totals_.functions[f].not_recorded += file_.ignored()[f];
  clock_.finish(file_.wall_bias());
  return reader.error() ? reader.error() : check_record_counts(file_, counts_);
}

void CallCounter::count(const Record& r) {
  ++counts_[r.function];
  ++totals_.functions[r.function].calls;
  ++rank_.calls;
  clock_.follow(r);
  if (!count_message(r)) {
    count_data(r);
    count_completions(r);
  }
  types_.apply(r);
  follow_makers(r);
  handles_.apply(r);
}

// ---- messages

bool CallCounter::count_message(const Record& r) {
  if (const auto sends = send_call(r.function)) {
    const auto m = outgoing(r, argument("MPI_Send", "dest"), argument("MPI_Send", "comm"));
    if (sends->persistent) {
      persistent_[r.i32(argument("MPI_Send_init", "request"))] = {false, m};
    } else {
      send(r.function, m);
      if (!sends->blocking) begin(r.i32(argument("MPI_Isend", "request")), kSends);
    }
    return true;
  }
  switch (r.function) {
    case function_id("MPI_Recv"):
      receive(r.function, r, argument("MPI_Recv", "source"), argument("MPI_Recv", "status"));
      return true;
    case function_id("MPI_Irecv"): {
      const bool receives = r[argument("MPI_Irecv", "source")] >= kAnyNumber;
      begin(r.i32(argument("MPI_Irecv", "request")), receives ? r.function : kSends);
      return true;
    }
    case function_id("MPI_Recv_init"):
      persistent_[r.i32(argument("MPI_Recv_init", "request"))] = {
          r[argument("MPI_Recv_init", "source")] >= kAnyNumber, {}};
      return true;
    case function_id("MPI_Start"):
      start(r.function, r.i32(0));
      return true;
    case function_id("MPI_Startall"): {
      const auto ids = r.list(argument("MPI_Startall", "requests"));
      for (std::size_t i = 0; i < ids.size(); ++i) start(r.function, ids[i]);
      return true;
    }
    case function_id("MPI_Sendrecv"):
      send(r.function, outgoing(r, argument("MPI_Sendrecv", "dest"), argument("MPI_Sendrecv", "comm")));
      receive(kSends, r, argument("MPI_Sendrecv", "source"), argument("MPI_Sendrecv", "status"));
      return true;
    case function_id("MPI_Sendrecv_replace"):
      send(r.function,
           outgoing(r, argument("MPI_Sendrecv_replace", "dest"), argument("MPI_Sendrecv_replace", "comm")));
      receive(kSends, r, argument("MPI_Sendrecv_replace", "source"),
              argument("MPI_Sendrecv_replace", "status"));
      return true;
    case function_id("MPI_Request_free"):
      requests_.complete(r.i32(0));
      persistent_.erase(r.i32(0));
      return true;
    case function_id("MPI_Grequest_start"):
      begin(r.i32(0), kSends);
      return true;
    default:
      return false;
  }
}

CallCounter::Message CallCounter::outgoing(const Record& r, std::size_t dest, std::size_t comm) const {
  const auto buffer = kBuffers[r.function].sent;
  return {r[comm], r[buffer.type], bytes_of(r, buffer), r[dest] >= 0};
}

void CallCounter::send(std::uint16_t function, const Message& m) {
  if (!m.to_a_rank) return;
  ++rank_.messages_sent;
  add_size(totals_.functions[function].sizes, m.bytes);
  auto& on = communicator(m.communicator);
  ++on.messages;
  if (!m.bytes) return;
  add(rank_.bytes_sent, *m.bytes);
  add(on.bytes, *m.bytes);
  add_type(m.type, *m.bytes);
  auto& sizes = totals_.message_sizes[static_cast<std::size_t>(std::bit_width(*m.bytes))];
  ++sizes.messages;
  add(sizes.bytes, *m.bytes);
}

void CallCounter::start(std::uint16_t function, std::int32_t request) {
  const auto at = persistent_.find(request);
  if (at == persistent_.end()) return;
  if (!at->second.receives) send(function, at->second.message);
  begin(request, at->second.receives ? function : kSends);
}

void CallCounter::begin(std::int32_t request, std::uint16_t receiving_function) {
  requests_.activate(request);
  receiving_.push_back(receiving_function);
}

void CallCounter::receive(std::uint16_t function, const Record& r, std::size_t source, std::size_t status) {
  if (r[source] < kAnyNumber) return;
  receive(function, r.statuses(status) > 0 ? std::optional(r.status(status)) : std::nullopt);
}

// `function` gets the size; kSends for calls whose size is that of their sent data.
void CallCounter::receive(std::uint16_t function, const std::optional<Status>& status) {
  const bool nothing = status && (status->cancelled || status->source < 0);
  if (nothing) return;
  ++rank_.messages_received;
  std::optional<std::uint64_t> bytes;
  if (status && status->bytes >= 0) bytes = static_cast<std::uint64_t>(status->bytes);
  if (bytes)
    add(rank_.bytes_received, *bytes);
  else
    ++rank_.receives_without_size;
  if (function != kSends) add_size(totals_.functions[function].sizes, bytes);
}

void CallCounter::count_completions(const Record& r) {
  if (completions_.read(r)) return;  // a damaged list of indices completes nothing
  for (const auto& c : completions_.all())
    if (const auto operation = requests_.complete(c.request); operation && receiving_[*operation] != kSends)
      receive(receiving_[*operation], c.status);
}

// ---- other data

// Collectives, one-sided transfers, file access: the data that the rank sends, or else the data that it
// receives.
void CallCounter::count_data(const Record& r) {
  auto& function = totals_.functions[r.function];
  const auto [sent, received] = kBuffers[r.function];
  const bool collective = collective_kind(r.function).has_value();
  const auto comm = communicator_argument(r.function);
  auto* const on = collective && comm ? &communicator(r[*comm]) : nullptr;
  if (on != nullptr) ++on->collectives;
  const auto holds_data = [&](Buffer b) {
    if (!b.exists() || !r.present(b.count)) return false;
    const bool in_place =
        !is_list(kLayouts[r.function].all[b.type].shape) && r[b.type] >= 0 && r[b.type] <= kNullType;
    return !in_place;
  };
  const auto buffer = holds_data(sent) ? sent : received;
  if (!holds_data(buffer)) return;
  const auto bytes = bytes_of(r, buffer);
  add_size(function.sizes, bytes);
  if (!bytes) return;
  if (on != nullptr) add(on->bytes, *bytes);
  if (!is_list(kLayouts[r.function].all[buffer.type].shape)) add_type(r[buffer.type], *bytes);
}

// Nothing if a count is negative or the size of a type is not known.
std::optional<std::uint64_t> CallCounter::bytes_of(const Record& r, Buffer buffer) const {
  const auto& layout = kLayouts[r.function];
  const bool counts = is_list(layout.all[buffer.count].shape), types = is_list(layout.all[buffer.type].shape);
  const auto n = counts ? static_cast<std::size_t>(r[buffer.count]) : 1;
  if (types && static_cast<std::size_t>(r[buffer.type]) != n) return std::nullopt;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t count = counts ? r.list(buffer.count)[i] : r[buffer.count];
    if (count == 0) continue;
    const auto size = types_.size(types ? r.list<std::int16_t>(buffer.type)[i] : r[buffer.type]);
    std::uint64_t bytes = 0;
    if (count < 0 || !size || __builtin_mul_overflow(static_cast<std::uint64_t>(count), *size, &bytes))
      return std::nullopt;
    add(total, bytes);
  }
  return total;
}

void CallCounter::add_type(std::int64_t type, std::uint64_t bytes) {
  const auto id = static_cast<std::uint16_t>(type);
  std::size_t place = id < kPredefinedTypes ? id : CallTotals::kNoType;
  if (id >= kPredefinedTypes && id < type_makers_.size()) place = type_makers_[id];
  auto& t = totals_.datatypes[place];
  const auto size = types_.size(type).value_or(0);
  t.least_size = t.calls == 0 ? size : std::min(t.least_size, size);
  t.most_size = std::max(t.most_size, size);
  ++t.calls;
  add(t.bytes, bytes);
}

CallStatistics::Communicator& CallCounter::communicator(std::int64_t id) {
  const auto instance = handles_.communicator(id);
  auto place = CallTotals::kNoCommunicator;
  if (instance == kWorldInstance) place = CallTotals::kWorld;
  if (instance == kSelfInstance) place = CallTotals::kSelf;
  if (instance >= kFirstInstance && instance - kFirstInstance < communicator_makers_.size())
    place = CallTotals::kMadeCommunicators + communicator_makers_[instance - kFirstInstance];
  return totals_.communicators[place];
}

// The calls that made the communicators and datatypes with these ids.
void CallCounter::follow_makers(const Record& r) {
  if (const auto creator = creator_of(r.function)) {
    communicator_makers_.push_back(r.function);
    if (r[creator->made] != kCommNull)
      ++totals_.communicators[CallTotals::kMadeCommunicators + r.function].made;
    return;
  }
  const auto set_maker = [&](std::int64_t type, std::size_t place) {
    const auto id = static_cast<std::uint16_t>(type);
    if (id >= type_makers_.size()) type_makers_.resize(id + 1U, CallTotals::kNoType);
    type_makers_[id] = static_cast<std::uint16_t>(place);
  };
  if (r.function == function_id("MPI_Type_free")) return set_maker(r[0], CallTotals::kNoType);
  const auto& layout = kLayouts[r.function];
  if (layout.arguments > 0 && makes_datatype(layout.all[layout.arguments - 1U]))
    set_maker(r[layout.arguments - 1U], CallTotals::kMadeTypes + r.function);
}

}  // namespace busline::dumpi
