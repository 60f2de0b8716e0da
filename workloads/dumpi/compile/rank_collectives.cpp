// Collectives: the members, the root, and the sizes per peer that the models need (docs/model.md, section
// 5.3).
#include <fmt/format.h>

#include <array>
#include <string_view>

#include "workloads/dumpi/compile/rank_compiler.hpp"
#include "workloads/dumpi/format/special_numbers.hpp"

namespace busline::dumpi {
namespace {

// In a record, MPI_IN_PLACE shows only as an invalid datatype.
bool is_no_type(std::int64_t type) {
  return type == 0 || type == 1;
}

constexpr auto kCommunicatorArgument = places_of("comm"), kRootArgument = places_of("root"),
               kSourcesArgument = places_of("sources"), kDestinationsArgument = places_of("destinations");
static_assert([] {
  for (std::uint16_t f = 0; f < kFunctions; ++f)
    if (call_class(f) == CallClass::collective && kCommunicatorArgument[f] == kMostArguments) return false;
  return true;
}());

// Those in which only the root knows all sizes.
bool is_gathering(CollectiveKind kind) {
  using enum CollectiveKind;
  return kind == gather || kind == gatherv || kind == scatter || kind == scatterv;
}

}  // namespace

void RankCompiler::compile_collective(const Record& r, CollectiveKind kind) {
  if (r.function == function_id("MPI_Comm_create_group") &&
      r[argument("MPI_Comm_create_group", "newcomm")] == kCommNull) {  // the group was empty
    begin_call(r);
    return put_operation(Step::Kind::noop, 0);
  }
  const auto v = collective_communicator(r, kind);
  if (wrong_) return;
  const bool inter = shared_.communicators.is_inter(v);
  CollectiveArgs args;
  args.kind = kind;
  args.communicator = shared_.communicators.program_id(v);
  if (const auto root = root_of(r)) args.is_root = is_root(v, *root);
  const auto sizes =
      inter && is_gathering(kind) ? sizes_across_groups(r) : collective_sizes(r, v, args.is_root);
  if (wrong_) return;
  if (inter && is_gathering(kind)) args.is_root = false;  // whose sizes would count, but it recorded none
  args.send_bytes = sizes.send;
  args.recv_bytes = sizes.recv;
  // Between groups a list is about one of them, and the members are both.
  if (!inter && !blocks_.empty()) args.block_list = block_list(v);
  if (is_persistent_collective(r.function)) {
    persistent_[r.i32(request_argument(r.function))].collective = args;
    return;
  }
  begin_call(r);
  if (blocking_form(r.function) != r.function)
    return start_collective(r.i32(request_argument(r.function)), args);
  if (kind == CollectiveKind::file && shared_.options.keep_io) keep_time_of(r);
  Step step;
  step.kind = Step::Kind::collective;
  step.collective = args;
  put(step);
}

void RankCompiler::start_collective(std::int32_t request, const CollectiveArgs& args) {
  Step step;
  step.kind = Step::Kind::collective_start;
  step.operation = kFirstOperation + requests_.activate(request);
  step.collective = args;
  step.collective.sync = CollectiveArgs::Sync::nonblocking;
  put(step);
}

// The communicator whose members meet in the call.
CommunicatorView RankCompiler::collective_communicator(const Record& r, CollectiveKind kind) {
  // All members of the new communicator take part: of an inter-communicator both groups.
  if (r.function == function_id("MPI_Intercomm_create") ||
      r.function == function_id("MPI_Comm_create_group")) {
    const auto v = shared_.communicators.view(rank_, handles_.next_instance());
    if (!v.known()) fail("made no communicator");
    return v;
  }
  if (const auto creator = creator_of(r.function)) return communicator(r[creator->parent]);
  if (kind != CollectiveKind::file || r.function == function_id("MPI_File_open"))
    return communicator(r[kCommunicatorArgument[r.function]]);
  const auto file = r[argument("MPI_File_sync", "file")];
  const auto instance = handles_.file(file);
  const auto v =
      instance < kDynamicInstance ? shared_.communicators.view(rank_, instance) : CommunicatorView{};
  if (!v.known()) fail(fmt::format("no recorded call opened file {}", file));
  return v;
}

std::optional<std::int64_t> RankCompiler::root_of(const Record& r) const {
  const auto at = kRootArgument[r.function];
  return at == kMostArguments ? std::nullopt : std::optional(r[at]);
}

bool RankCompiler::is_root(CommunicatorView v, std::int64_t root) {
  if (shared_.communicators.is_inter(v)) {
    if (root < 0) return root <= kHighestMpiRoot;
    peer(v, root, "root");  // a rank of the other group
    return false;
  }
  return peer(v, root, "root") == rank_;
}

// Gather and Scatter on an inter-communicator: one group has the parts. In the other only the root takes
// part, and its record has no place for its sizes.
RankCompiler::Sizes RankCompiler::sizes_across_groups(const Record& r) {
  if (*root_of(r) < 0) return {};
  const auto part = [&](std::size_t count, std::size_t type) {
    const auto size = bytes(r[count], r[type]);
    return Sizes{size, size};
  };
  switch (blocking_form(r.function)) {
    case function_id("MPI_Gather"):
      return part(argument("MPI_Gather", "sendcount"), argument("MPI_Gather", "sendtype"));
    case function_id("MPI_Gatherv"):
      return part(argument("MPI_Gatherv", "sendcount"), argument("MPI_Gatherv", "sendtype"));
    case function_id("MPI_Scatter"):
      return part(argument("MPI_Scatter", "recvcount"), argument("MPI_Scatter", "recvtype"));
    default:
      return part(argument("MPI_Scatterv", "recvcount"), argument("MPI_Scatterv", "recvtype"));
  }
}

template <class TypeOf>
void RankCompiler::keep_blocks(IntegerView<std::int32_t> counts, const TypeOf& type_of) {
  for (std::size_t i = 0; i < counts.size() && !wrong_; ++i) blocks_.push_back(bytes(counts[i], type_of(i)));
}

RankCompiler::Sizes RankCompiler::collective_sizes(const Record& r, CommunicatorView v, bool root) {
  const bool inter = shared_.communicators.is_inter(v);
  const auto members = static_cast<std::int64_t>(shared_.communicators.local_group(v).size());
  blocks_.clear();
  const auto both = [](std::uint64_t size) { return Sizes{size, size}; };
  const auto mean_of_blocks = [&](std::size_t counts, std::size_t type) {
    const auto list = r.list(counts);
    keep_blocks(list, [type = r[type]](std::size_t) { return type; });
    return both(mean(list, r[type]));
  };
  // The root's own part; with MPI_IN_PLACE it has only the other size.
  const auto part = [&](std::uint64_t own, std::uint64_t other) { return both(own == 0 ? other : own); };
  switch (blocking_form(r.function)) {
    case function_id("MPI_Bcast"):
    case function_id("MPI_Reduce"):
    case function_id("MPI_Allreduce"):
    case function_id("MPI_Scan"):
    case function_id("MPI_Exscan"):
      // On an inter-communicator the other ranks of the root's group take no part.
      if (const auto at = root_of(r); inter && at && *at < 0 && !root) return {};
      return both(bytes(r[argument("MPI_Bcast", "count")], r[argument("MPI_Bcast", "datatype")]));
    case function_id("MPI_Gather"): {
      const auto type = r[argument("MPI_Gather", "sendtype")];
      const auto sent = is_no_type(type) ? 0 : bytes(r[argument("MPI_Gather", "sendcount")], type);
      const auto received =
          r.present(argument("MPI_Gather", "recvcount"))
              ? bytes(r[argument("MPI_Gather", "recvcount")], r[argument("MPI_Gather", "recvtype")])
              : 0;
      return root ? part(received, sent) : both(sent);
    }
    case function_id("MPI_Scatter"): {
      const auto type = r[argument("MPI_Scatter", "recvtype")];
      const auto received = is_no_type(type) ? 0 : bytes(r[argument("MPI_Scatter", "recvcount")], type);
      const auto sent =
          r.present(argument("MPI_Scatter", "sendcount"))
              ? bytes(r[argument("MPI_Scatter", "sendcount")], r[argument("MPI_Scatter", "sendtype")])
              : 0;
      return root ? part(sent, received) : both(received);
    }
    case function_id("MPI_Gatherv"): {
      if (root)
        return mean_of_blocks(argument("MPI_Gatherv", "recvcounts"), argument("MPI_Gatherv", "recvtype"));
      return both(bytes(r[argument("MPI_Gatherv", "sendcount")], r[argument("MPI_Gatherv", "sendtype")]));
    }
    case function_id("MPI_Scatterv"): {
      if (root)
        return mean_of_blocks(argument("MPI_Scatterv", "sendcounts"), argument("MPI_Scatterv", "sendtype"));
      return both(bytes(r[argument("MPI_Scatterv", "recvcount")], r[argument("MPI_Scatterv", "recvtype")]));
    }
    case function_id("MPI_Allgather"):
    case function_id("MPI_Alltoall"): {
      static_assert(argument("MPI_Allgather", "recvtype") == argument("MPI_Alltoall", "recvtype"));
      const auto type = r[argument("MPI_Allgather", "sendtype")];
      const auto received =
          bytes(r[argument("MPI_Allgather", "recvcount")], r[argument("MPI_Allgather", "recvtype")]);
      if (is_no_type(type)) return both(received);
      return {bytes(r[argument("MPI_Allgather", "sendcount")], type), received};
    }
    case function_id("MPI_Allgatherv"):
      return mean_of_blocks(argument("MPI_Allgatherv", "recvcounts"), argument("MPI_Allgatherv", "recvtype"));
    case function_id("MPI_Alltoallv"): {
      constexpr auto kReceived = argument("MPI_Alltoallv", "recvcounts"),
                     kReceivedType = argument("MPI_Alltoallv", "recvtype");
      // In place, each rank sends to another as much as it receives from it.
      if (is_no_type(r[argument("MPI_Alltoallv", "sendtype")]))
        return mean_of_blocks(kReceived, kReceivedType);
      const auto sent =
          mean_of_blocks(argument("MPI_Alltoallv", "sendcounts"), argument("MPI_Alltoallv", "sendtype"));
      return {sent.send, mean(r.list(kReceived), r[kReceivedType])};
    }
    case function_id("MPI_Alltoallw"): {
      const auto counts = r.list(argument("MPI_Alltoallw", "sendcounts"));
      const auto types = r.list<std::int16_t>(argument("MPI_Alltoallw", "sendtypes"));
      const auto sent = mean(counts, types);
      keep_blocks(counts, [&](std::size_t i) { return types[i]; });
      return {sent, mean(r.list(argument("MPI_Alltoallw", "recvcounts")),
                         r.list<std::int16_t>(argument("MPI_Alltoallw", "recvtypes")))};
    }
    case function_id("MPI_Reduce_scatter"): {  // the whole vector goes in, a part of it comes out
      const auto counts = r.list(argument("MPI_Reduce_scatter", "recvcounts"));
      const auto type = r[argument("MPI_Reduce_scatter", "datatype")];
      keep_blocks(counts, [&](std::size_t) { return type; });
      return {sum(counts, type), mean(counts, type)};
    }
    case function_id("MPI_Reduce_scatter_block"): {  // likewise, in equal parts
      const auto count = r[argument("MPI_Reduce_scatter_block", "count")];
      const auto type = r[argument("MPI_Reduce_scatter_block", "datatype")];
      return {bytes(count * members, type), bytes(count, type)};
    }
    default:
      return {};  // moves no data
  }
}

// ---- neighbourhoods (docs/model.md, section 5.8)

void RankCompiler::compile_neighbourhood(const Record& r) {
  const auto f = r.function;
  const auto v = communicator(r[kCommunicatorArgument[f]]);
  if (wrong_) return;
  Exchange exchange{neighbours(r, v, kSourcesArgument[f], kBuffers[f].received),
                    neighbours(r, v, kDestinationsArgument[f], kBuffers[f].sent)};
  if (wrong_) return;
  if (makes_persistent_request(f)) {
    auto& p = persistent_[r.i32(request_argument(f))];
    p.exchange = std::move(exchange);
    p.communicator = v;
    return;
  }
  begin_call(r);
  if (blocking_form(f) != f)
    return put_exchange(kFirstOperation + requests_.activate(r.i32(request_argument(f))), std::move(exchange),
                        v);
  put_exchange(kSendPart, std::move(exchange), v);
  writer_.wait(thread_, kSendPart);
}

void RankCompiler::put_exchange(std::uint32_t operation, Exchange exchange, CommunicatorView v) {
  Step step;
  step.kind = Step::Kind::exchange;
  step.operation = operation;
  step.envelope.communicator = shared_.communicators.neighbourhood_id(v);
  step.exchange = writer_.keep_exchange(std::move(exchange));
  put(step);
}

std::vector<Neighbor> RankCompiler::neighbours(const Record& r, CommunicatorView v, std::size_t ranks,
                                               Buffer buffer) {
  const auto& arguments = kLayouts[r.function].all;
  const bool counts = arguments[buffer.count].shape == Shape::int32s,
             types = arguments[buffer.type].shape == Shape::int16s;
  const auto list = r.list(ranks);
  const auto n = static_cast<std::int64_t>(list.size());
  std::vector<Neighbor> all;
  if ((counts && r[buffer.count] != n) || (types && r[buffer.type] != n))
    fail(fmt::format("has {} {} and as many counts or types as {}", n, arguments[ranks].name,
                     r[buffer.count]));
  for (std::size_t i = 0; i < list.size() && !wrong_; ++i) {
    if (list[i] < 0) continue;  // MPI_PROC_NULL
    const auto size = bytes(counts ? r.list(buffer.count)[i] : r[buffer.count],
                            types ? r.list<std::int16_t>(buffer.type)[i] : r[buffer.type]);
    all.push_back({peer(v, list[i], "neighbour"), Bytes{size}});
  }
  return all;
}

std::uint64_t RankCompiler::sum(IntegerView<std::int32_t> counts, std::int64_t type) {
  std::int64_t n = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] < 0) fail(fmt::format("a count is {}, expected 0 or more", counts[i]));
    n += counts[i];
  }
  return wrong_ ? 0 : bytes(n, type);
}

// To the nearest byte.
std::uint64_t RankCompiler::mean(IntegerView<std::int32_t> counts, std::int64_t type) {
  const auto n = counts.size();
  return n == 0 ? 0 : (sum(counts, type) + n / 2) / n;
}

// A list that is not about all members gives the mean alone.
std::uint32_t RankCompiler::block_list(CommunicatorView v) {
  if (blocks_.size() == shared_.communicators.local_group(v).size())
    return shared_.builder.block_list(blocks_);
  ++shared_.notices.differing_lengths;
  return 0;
}

std::uint64_t RankCompiler::mean(IntegerView<std::int32_t> counts, IntegerView<std::int16_t> types) {
  const auto n = counts.size();
  if (n != types.size()) fail(fmt::format("has {} counts and {} types", n, types.size()));
  if (wrong_ || n == 0) return 0;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < n && !wrong_; ++i) {
    total += bytes(counts[i], types[i]);
    if (total > kMostBytes) fail("the sizes add up to too many bytes");
  }
  return wrong_ ? 0 : (total + n / 2) / n;
}

}  // namespace busline::dumpi
