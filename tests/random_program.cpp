#include "tests/random_program.hpp"

#include <map>
#include <vector>

#include "sim/program/program_builder.hpp"

namespace busline {
namespace {

// A step of one rank. Requests have numbers of the generator's own until the rank's operations are built.
struct Step {
  enum class Kind { compute, send, isend, recv, irecv, put, get, wait, collective, collective_start };
  Kind kind = Kind::compute;
  Duration burst;
  Envelope envelope;
  Bytes size{};
  SendMode mode = SendMode::standard;
  CollectiveArgs args;
  std::uint32_t request = kNoRequest;
};

class Generator {
 public:
  explicit Generator(const RandomProgram& recipe)
      : recipe_(recipe),
        random_(recipe.seed),
        random_blocks_(recipe.seed + 1),
        builder_(recipe.ranks),
        ranks_(recipe.ranks) {}

  Program make() {
    add_communicators();
    for (std::uint32_t i = 0; i < recipe_.steps; ++i) step();
    while (!waits_.empty()) wait_for_one();
    for (std::uint32_t r = 0; r < recipe_.ranks; ++r) build_rank(r);
    return builder_.build();
  }

 private:
  void add_communicators() {
    for (std::uint32_t c = 0; c < 3; ++c) {
      std::vector<std::uint32_t> members;
      for (std::uint32_t r = 0; r < recipe_.ranks; ++r)
        if (random_.one_in(2)) members.push_back(r);
      if (!members.empty()) communicators_ = builder_.add_communicator(std::move(members)) + 1;
    }
  }

  void step() {
    switch (random_.below(recipe_.collectives ? 10 : 8)) {
      case 0:
      case 1:
      case 2:
        return burst();
      case 3:
      case 4:
        return message();
      case 5:
      case 6:
        return posted_message();
      case 7:
        return waits_.empty() ? burst() : wait_for_one();
      case 8:
        return collective(!recipe_.nonblocking);
      default:
        return collective(true);
    }
  }

  Step& add(std::uint32_t rank, Step::Kind kind) {
    auto& s = ranks_[rank].emplace_back();
    s.kind = kind;
    return s;
  }

  void burst() {
    // One in eight lasts no time, for ties; others up to 1 ms in whole microseconds, for more of them.
    const auto microseconds = random_.one_in(8) ? 0 : random_.below(1000);
    add(random_.below(recipe_.ranks), Step::Kind::compute).burst =
        Duration::picoseconds(std::int64_t{microseconds} * 1'000'000 * recipe_.time_factor);
  }

  Bytes size() {
    switch (random_.below(4)) {
      case 0:
        return Bytes{0};
      case 1:
        return Bytes{random_.below(1000)};
      default:
        return Bytes{random_.below(300'000)};
    }
  }

  SendMode mode() {
    if (!recipe_.rendezvous || random_.one_in(2)) return SendMode::standard;
    return random_.one_in(3) ? SendMode::buffered : SendMode::synchronous;
  }

  bool pick_pair(std::uint32_t& from, std::uint32_t& to) {
    from = random_.below(recipe_.ranks);
    to = random_.below(recipe_.ranks);
    return from != to;
  }

  void send(std::uint32_t from, std::uint32_t to, std::int32_t tag, Bytes bytes) {
    const bool immediate = from == to || random_.one_in(2);
    auto& s = add(from, immediate ? Step::Kind::isend : Step::Kind::send);
    s.envelope = {to, tag, 0};
    s.size = bytes;
    s.mode = mode();
    if (immediate && random_.one_in(2)) expect_wait(from, s);
  }

  // Sent and received now, so that a blocking pair cannot block others.
  void message() {
    std::uint32_t from = 0, to = 0;
    if (!pick_pair(from, to)) return burst();
    const auto tag = static_cast<std::int32_t>(random_.below(3));
    const auto bytes = size();
    send(from, to, tag, bytes);
    auto& r = add(to, Step::Kind::recv);
    r.envelope = {from, tag, 0};
    r.size = bytes;
  }

  // Posted by the receiver before it is sent, and waited for later. A tag of its own keeps it from the
  // messages that are received at once.
  void posted_message() {
    std::uint32_t from = 0, to = 0;
    if (!pick_pair(from, to) && !recipe_.to_oneself) return burst();
    if (recipe_.one_sided && random_.one_in(2)) return one_sided(from, to);
    const auto tag = static_cast<std::int32_t>(100 + posted_++);
    const auto bytes = size();
    auto& r = add(to, Step::Kind::irecv);
    r.envelope = {from, tag, 0};
    r.size = bytes;
    expect_wait(to, r);
    if (random_.one_in(2)) burst();
    send(from, to, tag, bytes);
  }

  void one_sided(std::uint32_t rank, std::uint32_t target) {
    auto& s = add(rank, random_.one_in(2) ? Step::Kind::put : Step::Kind::get);
    s.envelope = {target, 7, 0};
    s.size = size();
    expect_wait(rank, s);
  }

  void expect_wait(std::uint32_t rank, Step& s) {
    s.request = requests_++;
    waits_.push_back({rank, s.request});
  }

  void wait_for_one() {
    const auto i = random_.below(static_cast<std::uint32_t>(waits_.size()));
    add(waits_[i].rank, Step::Kind::wait).request = waits_[i].request;
    waits_.erase(waits_.begin() + i);
  }

  void collective(bool blocking) {
    const auto communicator = random_.below(communicators_);
    CollectiveArgs args;
    args.kind = static_cast<CollectiveKind>(random_.below(static_cast<std::uint32_t>(kCollectiveKinds)));
    args.sync = blocking ? CollectiveArgs::Sync::blocking : CollectiveArgs::Sync::nonblocking;
    args.communicator = communicator;
    const std::vector<std::uint32_t> members(builder_.members(communicator).begin(),
                                             builder_.members(communicator).end());
    const auto root = members[random_.below(static_cast<std::uint32_t>(members.size()))];
    const auto of_all = blocks(args.kind, members.size());
    const bool by_sender = args.kind == CollectiveKind::alltoallv || args.kind == CollectiveKind::alltoallw;
    for (const auto rank : members) {
      auto& s = add(rank, blocking ? Step::Kind::collective : Step::Kind::collective_start);
      s.args = args;
      s.args.is_root = has_root(args.kind) && rank == root;
      const auto sent = count(size()), received = count(size());
      if (args.kind < CollectiveKind::comm_dup && args.kind != CollectiveKind::barrier) {
        s.args.send_bytes = sent;
        s.args.recv_bytes = received;
      }
      if (!has_root(args.kind) || s.args.is_root)
        s.args.block_list = by_sender ? blocks(args.kind, members.size()) : of_all;
      if (!blocking) expect_wait(rank, s);
    }
  }

  // A list for half of those that may have one.
  std::uint32_t blocks(CollectiveKind kind, std::size_t members) {
    if (!may_list_blocks(kind) || random_blocks_.one_in(2)) return 0;
    std::vector<std::uint64_t> sizes;
    for (std::size_t i = 0; i < members; ++i)
      sizes.push_back(random_blocks_.one_in(3) ? 0 : random_blocks_.below(100'000));
    return builder_.block_list(sizes);
  }

  void build_rank(std::uint32_t rank) {
    builder_.begin_strand(rank);
    const auto call = builder_.call_name("MPI_Call");
    std::map<std::uint32_t, std::uint32_t> slots;  // by the generator's request
    for (const auto& s : ranks_[rank]) {
      if (recipe_.distinct_times)
        builder_.compute(Duration::picoseconds((1 + random_.below(1'000'000)) * recipe_.time_factor));
      if (s.kind != Step::Kind::compute) builder_.begin_call(call);
      switch (s.kind) {
        case Step::Kind::compute:
          builder_.compute(s.burst);
          break;
        case Step::Kind::send:
          builder_.send(s.envelope, s.size, s.mode);
          break;
        case Step::Kind::recv:
          builder_.recv(s.envelope, s.size);
          break;
        case Step::Kind::irecv:
          slots[s.request] = builder_.irecv(s.envelope, s.size);
          break;
        case Step::Kind::isend:
          if (s.request == kNoRequest)
            builder_.isend_and_forget(s.envelope, s.size, s.mode);
          else
            slots[s.request] = builder_.isend(s.envelope, s.size, s.mode);
          break;
        case Step::Kind::put:
          slots[s.request] = builder_.put(s.envelope, s.size);
          break;
        case Step::Kind::get:
          slots[s.request] = builder_.get(s.envelope, s.size);
          break;
        case Step::Kind::collective:
          builder_.collective(s.args);
          break;
        case Step::Kind::collective_start:
          slots[s.request] = builder_.collective_start(s.args);
          break;
        case Step::Kind::wait:
          builder_.wait(slots.at(s.request));
          break;
      }
    }
  }

  struct Wait {
    std::uint32_t rank, request;
  };

  const RandomProgram& recipe_;
  Random random_, random_blocks_;
  ProgramBuilder builder_;
  std::vector<std::vector<Step>> ranks_;
  std::uint32_t communicators_ = 1;
  std::vector<Wait> waits_;
  std::uint32_t requests_ = 0, posted_ = 0;
};

}  // namespace

Program random_program(const RandomProgram& recipe) {
  return Generator(recipe).make();
}

}  // namespace busline
