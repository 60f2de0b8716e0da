#include "sim/jobs/merge_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

namespace busline {
namespace {

// The memory behind the merged Program.
struct MergedTables {
  std::vector<Strand> strands;
  std::vector<Operation> operations;
  std::vector<Channel> channels;
  std::vector<Wildcard> wildcards;
  std::vector<Communicator> communicators;
  std::vector<CollectiveArgs> collectives;
  std::vector<std::uint64_t> list_ends, list_bytes;
  std::vector<std::string> call_names;
  std::vector<EventLabel> event_labels;
  std::vector<std::uint32_t> request_slots;
};

bool has_jobs(const Program& program) {
  return std::any_of(program.operations().begin(), program.operations().end(), [](const Operation& op) {
    return op.kind == OpKind::start || op.kind == OpKind::again;
  });
}

bool has_threads(const Program& program) {
  const auto strands = program.strands();
  return std::adjacent_find(strands.begin(), strands.end(), [](const Strand& a, const Strand& b) {
           return a.rank == b.rank;
         }) != strands.end();
}

// A rank that ends without the wait for one of its requests.
std::optional<std::uint32_t> rank_with_open_request(const Program& program) {
  std::vector<bool> open;
  for (const auto& strand : program.strands()) {
    open.assign(program.request_slots(strand.rank), false);
    for (const auto& op : program.operations(strand))
      if (op.request != kNoRequest && op.kind != OpKind::repeat)
        open[op.request] = op.kind != OpKind::wait_send && op.kind != OpKind::wait_recv &&
                           op.kind != OpKind::collective_wait;
    if (std::find(open.begin(), open.end(), true) != open.end()) return strand.rank;
  }
  return std::nullopt;
}

Expected<void> check_job(const Job& job) {
  if (job.start < Duration())
    return refuse_option(job.name, "starts before 0", "give a start of 0 s or later");
  if (job.start > Duration() || job.repeats)
    if (has_jobs(job.program))
      return refuse_option(job.name, "holds several jobs, which have their own starts and repetitions",
                           "name the jobs that it was made of");
  if (!job.repeats) return {};
  if (has_threads(job.program))
    return refuse_option(job.name, "has ranks of several threads, and cannot be repeated",
                         "leave out 'repeat'");
  if (const auto rank = rank_with_open_request(job.program))
    return refuse_option(
        job.name,
        fmt::format("cannot be repeated: its rank {} ends without the wait for one of its requests", *rank),
        "leave out 'repeat'");
  return {};
}

Expected<void> check_jobs(std::span<const Job> jobs) {
  std::uint64_t ranks = 0, channels = 0, wildcards = 0, requests = 0;
  for (const auto& job : jobs) {
    if (auto good = check_job(job); !good) return good;
    ranks += job.program.ranks();
    channels += job.program.channels().size();
    wildcards += job.program.wildcards().size();
    const auto slots = job.program.request_slots();
    requests += std::accumulate(slots.begin(), slots.end(), std::uint64_t{job.program.strands().size()});
    if (ranks > 0x7fff'ffff || channels > kAnyChannel || wildcards > kAnyChannel || requests >= kNoRequest)
      return refuse_option(job.name, "makes the jobs together too large for one simulation",
                           "simulate fewer jobs at once");
  }
  if (std::none_of(jobs.begin(), jobs.end(),
                   [](const Job& j) { return !j.repeats && !j.program.strands().empty(); }))
    return refuse_option(jobs.empty() ? "" : jobs.front().name,
                         "every job is repeated, so the run has no end",
                         "leave out 'repeat' for the job whose time you want to know");
  return {};
}

class JobMerger {
 public:
  explicit JobMerger(std::span<const Job> jobs) : made_(std::make_shared<MergedTables>()) {
    std::size_t operations = 0;
    std::uint32_t ranks = 0;
    for (const auto& job : jobs) {
      operations += job.program.operations().size() + 2 * job.program.strands().size();
      ranks += job.program.ranks();
    }
    made_->operations.reserve(operations);
    made_->call_names.emplace_back("compute");
    names_["compute"] = 0;
    made_->communicators.emplace_back();
    auto& all = made_->communicators.back().members;
    all.resize(ranks);
    std::iota(all.begin(), all.end(), 0U);
  }

  /// False: there are too many names of calls.
  bool add(const Job& job) {
    const auto& t = job.program.tables();
    const auto size = [](const auto& table) { return static_cast<std::uint32_t>(table.size()); };
    rank_ = size(made_->request_slots);
    channel_ = size(made_->channels);
    wildcard_ = size(made_->wildcards);
    communicator_ = size(made_->communicators);
    collective_ = size(made_->collectives);
    if (!add_names(t)) return false;
    add_tables(t);
    for (const auto& strand : t.strands) {
      const auto begin = made_->operations.size();
      if (job.start > Duration()) emit(OpKind::start).amount = job.start.count();
      for (const auto& op : job.program.operations(strand)) made_->operations.push_back(moved(op));
      if (job.repeats) emit(OpKind::again).detail = communicator_;
      made_->strands.push_back({strand.rank + rank_, begin, made_->operations.size()});
    }
    return true;
  }

  Program finish() {
    const auto& m = *made_;
    const ProgramTables tables{m.strands,
                               m.operations,
                               m.channels,
                               m.wildcards,
                               m.communicators,
                               m.collectives,
                               {m.list_ends, m.list_bytes},
                               m.call_names,
                               m.event_labels,
                               m.request_slots,
                               std::nullopt};
    return {tables, std::shared_ptr<const void>(std::move(made_))};
  }

 private:
  Operation& emit(OpKind kind) {
    auto& op = made_->operations.emplace_back();
    op.kind = kind;
    return op;
  }

  bool add_names(const ProgramTables& t) {
    calls_.clear();
    for (const auto& name : t.call_names) {
      const auto [at, fresh] = names_.try_emplace(name, static_cast<std::uint32_t>(made_->call_names.size()));
      if (fresh) made_->call_names.push_back(name);
      calls_.push_back(static_cast<std::uint16_t>(at->second));
    }
    // Two jobs may mean different things by an event.
    for (const auto& label : t.event_labels) {
      const auto [at, fresh] = labels_.try_emplace({label.type, label.value}, made_->event_labels.size());
      if (fresh)
        made_->event_labels.push_back(label);
      else if (auto& text = made_->event_labels[at->second].text; text != label.text)
        text += " | " + label.text;
    }
    return made_->call_names.size() <= 0x1'0000;
  }

  void add_tables(const ProgramTables& t) {
    for (auto c : t.channels) {
      c.source += rank_;
      c.destination += rank_;
      c.communicator += communicator_;
      made_->channels.push_back(c);
    }
    for (auto w : t.wildcards) {
      if (w.source != kAnySource) w.source += rank_;
      w.destination += rank_;
      w.communicator += communicator_;
      made_->wildcards.push_back(w);
    }
    for (const auto& c : t.communicators) {
      auto& members = made_->communicators.emplace_back(c).members;
      for (auto& rank : members) rank += rank_;
    }
    const auto lists = static_cast<std::uint32_t>(made_->list_ends.size());
    for (auto c : t.collectives) {
      c.communicator += communicator_;
      if (c.sync == CollectiveArgs::Sync::root_synchronised) c.root += rank_;
      if (c.block_list != 0) c.block_list += lists;
      made_->collectives.push_back(c);
    }
    const auto bytes = made_->list_bytes.size();
    for (const auto end : t.block_lists.ends) made_->list_ends.push_back(end + bytes);
    made_->list_bytes.insert(made_->list_bytes.end(), t.block_lists.bytes.begin(), t.block_lists.bytes.end());
    made_->request_slots.insert(made_->request_slots.end(), t.request_slots.begin(), t.request_slots.end());
  }

  Operation moved(Operation op) const {
    op.call = calls_[op.call];
    switch (op.kind) {
      case OpKind::compute:
      case OpKind::noop:
      case OpKind::event:
      case OpKind::mark:
      case OpKind::local:
      case OpKind::start:
      case OpKind::part_send:
      case OpKind::part_receive:
        return op;
      case OpKind::collective:
      case OpKind::collective_start:
      case OpKind::collective_wait:
        op.detail += collective_;
        return op;
      case OpKind::again:
        op.detail += communicator_;
        return op;
      case OpKind::repeat:
        op.detail += channel_;
        return op;
      default:
        break;
    }
    if (op.peer != kAnySource) op.peer += rank_;
    op.detail += (op.detail & kAnyChannel) != 0 ? wildcard_ : channel_;
    return op;
  }

  std::shared_ptr<MergedTables> made_;
  std::map<std::string, std::uint32_t> names_;
  std::map<std::pair<std::uint32_t, std::int64_t>, std::size_t> labels_;
  // The numbers that the job being added gets: of its calls, and its first rank, channel and so on.
  std::vector<std::uint16_t> calls_;
  std::uint32_t rank_ = 0, channel_ = 0, wildcard_ = 0, communicator_ = 0, collective_ = 0;
};

}  // namespace

Expected<MergedJobs> merge_jobs(std::span<const Job> jobs) {
  if (auto good = check_jobs(jobs); !good) return tl::unexpected(std::move(good.error()));
  MergedJobs merged;
  merged.first_rank.push_back(0);
  JobMerger merger(jobs);
  for (const auto& job : jobs) {
    if (!merger.add(job))
      return refuse_option(job.name, "makes the jobs together call more than 65,536 different functions",
                           "simulate fewer jobs at once");
    merged.first_rank.push_back(merged.first_rank.back() + job.program.ranks());
  }
  merged.program = merger.finish();
  return merged;
}

}  // namespace busline
