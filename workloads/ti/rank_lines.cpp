#include "workloads/ti/rank_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace busline::ti {
namespace {

constexpr std::uint64_t kMostElements = 0x7fff'ffff;  // SMPI counts elements as int
constexpr std::int64_t kPicosecondsPerFlop = 1000;

/// The name in a wait. Source and destination are equal for messages of a rank to itself, so their sends and
/// receives share a name.
dim::PendingRequests::Name name_of_request(const Channel& c, std::uint32_t rank) {
  const bool to_itself = c.source == c.destination, sends = c.source == rank;
  return {sends ? c.destination : c.source, c.tag, to_itself ? 2U : sends ? 1U : 0U};
}

bool sends(OpKind kind) {
  return kind == OpKind::send || kind == OpKind::isend;
}

}  // namespace

void Replaced::tell(Diagnostics& diagnostics) const {
  const auto say = [&](Diagnostic::Severity severity, const char* code, std::string message) {
    diagnostics.push_back({severity, code, std::move(message)});
  };
  using enum Diagnostic::Severity;
  if (communicators > 0)
    say(warning, "communicators",
        fmt::format("{} messages are on communicators other than that of all ranks; the trace does not "
                    "distinguish these, so messages with equal tags may be mistaken for one another",
                    communicators));
  if (modes > 0)
    say(warning, "modes",
        fmt::format("{} synchronous or buffered sends are written as standard ones", modes));
  if (collectives > 0)
    say(warning, "replaced-collectives",
        fmt::format("{} collectives are replaced by others: those without data by barrier, w-forms and block "
                    "forms by v-forms",
                    collectives));
  if (ends > 0)
    say(note, "ends", "MPI_Init and MPI_Finalize do not synchronise: ranks end when their work is done");
  if (left_out > 0)
    say(note, "left-out", fmt::format("{} events, time marks and local calls are left out", left_out));
}

RankLines::RankLines(const Program& program, const Strand& strand, const WorldCollectives& collectives,
                     Replaced& replaced)
    : program_(program), strand_(strand), collectives_(collectives), replaced_(replaced) {}

void RankLines::line(std::string_view words) {
  fmt::format_to(std::back_inserter(*text_), "{} {}\n", strand_.rank, words);
}

bool RankLines::refuse(std::string message) {
  const auto& op = program_.operations()[at_];
  error_.kind = Error::Kind::bad_option;
  error_.where = fmt::format("rank {}, call {} ({})", strand_.rank, program_.call_number(strand_, at_),
                             program_.call_names()[op.call]);
  error_.message = std::move(message);
  error_.hint = "a Program file can hold it: choose a name that ends in .program";
  return false;
}

bool RankLines::fits(std::uint64_t bytes) {
  return bytes <= kMostElements || refuse("SMPI cannot count 2 GiB and more of a datatype");
}

bool RankLines::append(std::uint64_t at, std::string& text) {
  at_ = at;
  text_ = &text;
  return put(program_.operations()[at]);
}

bool RankLines::put(const Operation& op) {
  switch (op.kind) {
    case OpKind::noop:
      return true;
    case OpKind::compute:
      return put_compute(op);
    case OpKind::event:
    case OpKind::mark:
    case OpKind::local:
      ++replaced_.left_out;
      return true;
    case OpKind::send:
    case OpKind::isend:
    case OpKind::recv:
    case OpKind::irecv:
      return put_message(op);
    case OpKind::wait_send:
    case OpKind::wait_recv:
      return put_wait(op);
    case OpKind::collective:
      return put_collective(op);
    case OpKind::collective_start:
    case OpKind::collective_wait:
      return refuse("SMPI does not replay non-blocking collectives");
    case OpKind::probe:
      return refuse("SMPI does not replay probes");
    case OpKind::put:
    case OpKind::get:
      return refuse("SMPI does not replay one-sided transfers");
    case OpKind::start:
    case OpKind::again:
      return refuse("a time-independent trace holds one job, which begins at once and ends");
    case OpKind::repeat:
    case OpKind::part_send:
    case OpKind::part_receive:
      break;
  }
  return refuse("SMPI does not replay work that depends on which message arrives first");
}

bool RankLines::put_compute(const Operation& op) {
  if (op.amount == 0) return true;
  if ((op.flags & Operation::elapsed) != 0) {
    constexpr std::int64_t kSecond = 1'000'000'000'000;
    line(fmt::format("sleep {}.{:012}", op.amount / kSecond, op.amount % kSecond));
    return true;
  }
  const auto whole = op.amount / kPicosecondsPerFlop, rest = op.amount % kPicosecondsPerFlop;
  line(rest == 0 ? fmt::format("compute {}", whole) : fmt::format("compute {}.{:03}", whole, rest));
  return true;
}

std::optional<Channel> RankLines::channel(const Operation& op) {
  if ((op.flags & Operation::to_last_source) != 0 || (op.detail & kAnyChannel) != 0) {
    refuse("SMPI does not replay receives from any source or with any tag, nor answers to them");
    return std::nullopt;
  }
  return program_.channels()[op.detail];
}

bool RankLines::put_message(const Operation& op) {
  const auto c = channel(op);
  const auto size = static_cast<std::uint64_t>(op.amount);
  if (!c || !fits(size)) return false;
  if (c->tag < 0) return refuse(fmt::format("the tag is {}, which the trace cannot hold", c->tag));
  if (!collectives_.has_all(c->communicator) && sends(op.kind)) ++replaced_.communicators;
  if ((op.flags & (Operation::synchronous | Operation::buffered)) != 0) ++replaced_.modes;
  if (op.kind == OpKind::isend || op.kind == OpKind::irecv)
    pending_.add(name_of_request(*c, strand_.rank), op.request);
  const auto* const verb = op.kind == OpKind::send    ? "send"
                           : op.kind == OpKind::isend ? "isend"
                           : op.kind == OpKind::recv  ? "recv"
                                                      : "irecv";
  line(fmt::format("{} {} {} {}", verb, op.peer, c->tag, size));
  return true;
}

bool RankLines::put_wait(const Operation& op) {
  const auto c = channel(op);
  if (!c) return false;
  if (pending_.take(name_of_request(*c, strand_.rank)) != op.request)
    return refuse("it waits for a message other than the oldest with this peer and tag");
  line(fmt::format("wait {} {} {}", c->source, c->destination, c->tag));
  return true;
}

bool RankLines::put_collective(const Operation& op) {
  const auto& args = program_.collectives()[op.detail];
  if (!WorldCollectives::counts(args)) {
    ++replaced_.ends;
    return true;
  }
  if (!collectives_.has_all(args.communicator)) return refuse("SMPI replays collectives of all ranks only");
  if (args.sync == CollectiveArgs::Sync::root_synchronised)
    return refuse("SMPI does not replay a Reduce that is made of messages to its root");
  const auto blocks = blocks_of(args, {});
  return fits(args.send_bytes) && fits(args.recv_bytes) &&
         std::all_of(blocks.begin(), blocks.end(), [this](std::uint64_t b) { return fits(b); }) &&
         put_sizes(args, met_++);
}

/// For a Gatherv or Scatterv: the root's own part is chosen so that the mean matches the root's.
std::vector<std::uint64_t> RankLines::parts_with_root(const CollectiveArgs& args, std::uint64_t n) const {
  auto parts = collectives_.parts(n);
  parts[strand_.rank] = 0;
  const auto others = std::accumulate(parts.begin(), parts.end(), std::uint64_t{0});
  const auto total = args.send_bytes * parts.size();
  parts[strand_.rank] = total > others ? total - others : 0;
  return parts;
}

/// The call's block list, or `otherwise`.
std::vector<std::uint64_t> RankLines::blocks_of(const CollectiveArgs& args,
                                                std::vector<std::uint64_t> otherwise) const {
  if (args.block_list == 0) return otherwise;
  const auto list = program_.block_lists().list(args.block_list);
  return {list.begin(), list.end()};
}

/// What the rank receives from each in Alltoallv `n`.
std::vector<std::uint64_t> RankLines::received_from(std::uint64_t n) const {
  auto received = collectives_.parts(n);
  const auto& lists = collectives_.lists(n);
  for (std::size_t r = 0; r < lists.size(); ++r)
    if (lists[r] != 0) received[r] = program_.block_lists().list(lists[r])[strand_.rank];
  return received;
}

bool RankLines::put_sizes(const CollectiveArgs& args, std::uint64_t n) {
  using enum CollectiveKind;
  const auto sent = args.send_bytes, received = args.recv_bytes, larger = std::max(sent, received);
  const auto root = collectives_.root(n);
  const bool is_root = root == strand_.rank;
  const auto& parts = collectives_.parts(n);
  const std::vector<std::uint64_t> nothing(parts.size(), 0);
  const auto list = [](const std::vector<std::uint64_t>& all) {
    return fmt::format("{}", fmt::join(all, " "));
  };
  switch (args.kind) {
    case barrier:
      line("barrier");
      return true;
    case bcast:
      line(fmt::format("bcast {} {}", larger, root));
      return true;
    case reduce:
      line(fmt::format("reduce {} 0 {}", larger, root));
      return true;
    case allreduce:
      line(fmt::format("allreduce {} 0", larger));
      return true;
    case scan:
      line(fmt::format("scan {} 0", larger));
      return true;
    case exscan:
      line(fmt::format("exscan {} 0", larger));
      return true;
    case alltoall:
      line(fmt::format("alltoall {} {}", sent, received));
      return true;
    case allgather:
      line(fmt::format("allgather {} {}", sent, received));
      return true;
    case gather:
      line(fmt::format("gather {} {} {}", larger, larger, root));
      return true;
    case scatter:
      line(fmt::format("scatter {} {} {}", larger, larger, root));
      return true;
    case allgatherv: {
      const auto blocks = blocks_of(args, parts);
      line(fmt::format("allgatherv {} {}", blocks[strand_.rank], list(blocks)));
      return true;
    }
    case gatherv:
    case scatterv: {
      const auto blocks = is_root ? blocks_of(args, parts_with_root(args, n)) : nothing;
      if (args.kind == gatherv)
        line(fmt::format("gatherv {} {} {}", is_root ? blocks[strand_.rank] : sent, list(blocks), root));
      else
        line(fmt::format("scatterv {} {} {}", list(blocks), is_root ? blocks[strand_.rank] : received, root));
      return true;
    }
    case alltoallw:
      ++replaced_.collectives;
      [[fallthrough]];
    case alltoallv: {
      const auto sum = [](const std::vector<std::uint64_t>& all) {
        return std::accumulate(all.begin(), all.end(), std::uint64_t{0});
      };
      const auto out = blocks_of(args, std::vector<std::uint64_t>(parts.size(), sent)), in = received_from(n);
      line(fmt::format("alltoallv {} {} {} {}", sum(out), list(out), sum(in), list(in)));
      return true;
    }
    case reduce_scatter_block:
      ++replaced_.collectives;
      [[fallthrough]];
    case reduce_scatter: {
      // Parts of a vector of this size; the first ones get one byte more.
      const std::uint64_t ranks = program_.ranks();
      std::vector<std::uint64_t> shares(ranks, sent / ranks);
      for (std::uint64_t i = 0; i < sent % ranks; ++i) ++shares[i];
      line(fmt::format("reducescatter {} 0", list(blocks_of(args, std::move(shares)))));
      return true;
    }
    default:  // moves no data
      ++replaced_.collectives;
      line("barrier");
      return true;
  }
}

}  // namespace busline::ti
