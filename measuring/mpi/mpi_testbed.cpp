#include "measuring/mpi/mpi_testbed.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <utility>

#include "measuring/method/clock.hpp"
#include "workloads/kernels/operations.hpp"

namespace busline::mpi {
namespace {

using measure::KernelSamples;
using measure::Span;

enum Command : int { kRun, kSynchronise, kStop };

// Clocks drift by some microseconds a second: after this long their offsets are measured again.
constexpr double kSynchroniseEvery = 10;
// Before a common start: long enough for the message that says when it is.
constexpr double kMostSlack = 0.05;
constexpr double kRelaxes = 0.99;  // after each sample in time: about one in 70 is late and taken again
// A rank that sleeps comes back within this, and waits for the rest.
constexpr double kWakesWithin = 200e-6;

// A kernel as bytes, for a broadcast among ranks of the same program.
class Bytes64 {
 public:
  void put(std::uint64_t n) {
    bytes_.resize(bytes_.size() + sizeof n);
    std::memcpy(bytes_.data() + bytes_.size() - sizeof n, &n, sizeof n);
  }
  std::uint64_t take() {
    std::uint64_t n = 0;
    std::memcpy(&n, bytes_.data() + at_, sizeof n);
    at_ += sizeof n;
    return n;
  }
  std::vector<char>& bytes() { return bytes_; }

 private:
  std::vector<char> bytes_;
  std::size_t at_ = 0;
};

std::string first_line(std::string text) {
  return text.substr(0, text.find('\n'));
}

std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  return first_line(std::string(text.data()));
}

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return {};
}

Duration from_seconds(double s) {
  return Duration::seconds(s);
}

}  // namespace

MpiTestbed::MpiTestbed(MPI_Comm job) : job_(job), executor_(job), global_(job) {
  MPI_Comm_rank(job_, &rank_);
  MPI_Comm_size(job_, &ranks_);
  find_places();
  describe_clock();
  global_.synchronise();
  synchronised_ = began_ = MPI_Wtime();
}

MpiTestbed::~MpiTestbed() {
  if (is_root()) send_command(kStop);
}

// Nodes are counted in the order in which their first ranks come.
void MpiTestbed::find_places() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> mine{};
  int length = 0;
  MPI_Get_processor_name(mine.data(), &length);
  std::vector<char> hosts(mine.size() * static_cast<std::size_t>(ranks_));
  MPI_Allgather(mine.data(), static_cast<int>(mine.size()), MPI_CHAR, hosts.data(),
                static_cast<int>(mine.size()), MPI_CHAR, job_);
  const int my_core = sched_getcpu();
  std::vector<int> cores(static_cast<std::size_t>(ranks_));
  MPI_Allgather(&my_core, 1, MPI_INT, cores.data(), 1, MPI_INT, job_);
  std::map<std::string, std::uint32_t> nodes;
  for (std::size_t rank = 0; rank < cores.size(); ++rank) {
    const std::string host(hosts.data() + rank * mine.size());
    const auto [node, is_new] = nodes.emplace(host, static_cast<std::uint32_t>(nodes.size()));
    if (is_new) machine_.nodes.push_back(host);
    placement_.push_back({host, node->second, cores[rank]});
  }
  machine_.name = machine_.nodes.size() == 1 ? machine_.nodes.front() : "cluster";
  machine_.mpi = library_version();
  machine_.cpu_model = cpu_model();
  machine_.cpus_per_node = std::thread::hardware_concurrency();
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
    machine_.pinning = CPU_COUNT(&allowed) == 1 ? "one core for each rank" : "several cores for each rank";
  if (const char* id = std::getenv("SLURM_JOB_ID"); id != nullptr) machine_.scheduler_job = id;
}

void MpiTestbed::describe_clock() {
  const auto now = [begin = MPI_Wtime()] { return from_seconds(MPI_Wtime() - begin); };
  const auto found = measure::probe_clock(now);
  clock_.source = "MPI_Wtime";
  if (found) {
    clock_.tick = found->tick;
    clock_.overhead = found->overhead;
  }
}

Duration MpiTestbed::elapsed() const {
  return from_seconds(MPI_Wtime() - began_);
}

void MpiTestbed::send_command(int command) {
  MPI_Bcast(&command, 1, MPI_INT, 0, job_);
}

void MpiTestbed::serve() {
  for (int command = kRun; command != kStop;) {
    MPI_Bcast(&command, 1, MPI_INT, 0, job_);
    if (command == kSynchronise) global_.synchronise();
    if (command == kRun) {
      Task task;
      broadcast(task);
      perform(task);
    }
  }
}

void MpiTestbed::broadcast(Task& task) {
  Bytes64 data;
  auto& [kernel, plan, slack] = task;
  if (is_root()) {
    for (const auto n :
         {kernel.bytes, kernel.chunks, std::uint64_t{kernel.messages}, std::uint64_t{plan.warmup},
          std::uint64_t{plan.samples}, static_cast<std::uint64_t>(slack * 1e9),
          std::uint64_t{kernel.buffers.count}, std::uint64_t{kernel.buffers.random ? 1U : 0U},
          kernel.buffers.seed, std::uint64_t{kernel.operation.size()}, std::uint64_t{kernel.ranks.size()}})
      data.put(n);
    for (const char c : kernel.operation) data.put(static_cast<unsigned char>(c));
    for (const auto rank : kernel.ranks) data.put(rank);
  }
  std::uint64_t size = data.bytes().size();
  MPI_Bcast(&size, 1, MPI_UINT64_T, 0, job_);
  data.bytes().resize(size);
  MPI_Bcast(data.bytes().data(), static_cast<int>(size), MPI_CHAR, 0, job_);
  if (is_root()) return;
  kernel.bytes = data.take();
  kernel.chunks = data.take();
  kernel.messages = static_cast<std::uint32_t>(data.take());
  plan.warmup = static_cast<std::uint32_t>(data.take());
  plan.samples = static_cast<std::uint32_t>(data.take());
  slack = static_cast<double>(data.take()) * 1e-9;
  kernel.buffers.count = static_cast<std::uint32_t>(data.take());
  kernel.buffers.random = data.take() != 0;
  kernel.buffers.seed = data.take();
  kernel.operation.resize(data.take());
  kernel.ranks.resize(data.take());
  for (auto& c : kernel.operation) c = static_cast<char>(data.take());
  for (auto& rank : kernel.ranks) rank = static_cast<std::uint32_t>(data.take());
  plan.lead_in = usual_lead_in(kernel);
}

Expected<KernelSamples> MpiTestbed::run(const Kernel& kernel, const measure::RunPlan& plan) {
  if (MPI_Wtime() - synchronised_ > kSynchroniseEvery && !global_.is_global()) {
    send_command(kSynchronise);
    global_.synchronise();
    synchronised_ = MPI_Wtime();
  }
  const bool together = usual_lead_in(kernel) == LeadIn::together;
  Task task{kernel,
            {.warmup = plan.warmup, .samples = plan.samples, .lead_in = usual_lead_in(kernel)},
            together ? slack_ : 0};
  for (;;) {
    send_command(kRun);
    broadcast(task);
    auto outcome = perform(task);
    if (outcome.error) return tl::unexpected(*std::move(outcome.error));
    if (outcome.late && task.slack < kMostSlack) {
      // Excludes the message that announces the time, whose delay depends on the network.
      ++late_starts_;
      task.slack = slack_ = std::min(2 * slack_, kMostSlack);
      continue;
    }
    if (together) slack_ = std::max(kLeastSlack, kRelaxes * slack_);
    KernelSamples samples;
    for (const auto rank : kernel.ranks) samples.push_back(std::move(outcome.spans[rank]));
    return samples;
  }
}

// All ranks come here with the same task, so that they agree on whether it can be done.
MpiTestbed::Outcome MpiTestbed::perform(const Task& task) {
  const auto program = kernel_program(task.kernel, task.plan, static_cast<std::uint32_t>(ranks_));
  if (!program) return {.error = program.error(), .spans = {}, .late = false};
  const auto list = call_list(*program, static_cast<std::uint32_t>(rank_));
  const auto ready = list ? executor_.prepare(*list, task.kernel.buffers) : tl::unexpected(list.error());
  // One rank alone may find that it cannot.
  int possible = ready ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &possible, 1, MPI_INT, MPI_MIN, job_);
  if (possible == 0) {
    Error e;
    e.kind = Error::Kind::unsupported;
    e.message = "is not supported with real MPI";
    if (!ready) e = ready.error();
    if (e.where.empty()) e.where = "kernel " + task.kernel.operation;
    return {.error = e, .spans = {}, .late = false};
  }
  late_ = false;
  Executor::Start start;
  if (task.slack > 0) start = [&](MPI_Comm communicator) { start_together(communicator, task.slack); };
  return collect(executor_.run(*program, *list, start), false);
}

// Its first rank sets the time; ranks that learn it after that time are late.
void MpiTestbed::start_together(MPI_Comm communicator, double slack) {
  MPI_Barrier(communicator);
  double when = global_.now() + slack;
  MPI_Bcast(&when, 1, MPI_DOUBLE, 0, communicator);
  if (global_.now() > when) late_ = true;
  // Ranks that share a core delay each other in learning the time.
  if (const double left = when - global_.now() - kWakesWithin; left > 0)
    std::this_thread::sleep_for(std::chrono::duration<double>(left));
  while (global_.now() < when) {
  }
}

// Marks of all ranks, on rank 0's clock, to rank 0.
MpiTestbed::Outcome MpiTestbed::collect(const std::vector<MarkTime>& marks, bool failed) {
  std::vector<double> mine;
  for (const auto& mark : marks) mine.push_back(global_.global(mark.seconds));
  mine.push_back(late_ ? 1 : 0);
  const int count = static_cast<int>(mine.size());
  std::vector<int> counts(static_cast<std::size_t>(ranks_)), offsets(counts.size());
  MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, job_);
  std::size_t total = 0;
  for (std::size_t i = 0; is_root() && i < counts.size(); ++i) {
    offsets[i] = static_cast<int>(total);
    total += static_cast<std::size_t>(counts[i]);
  }
  std::vector<double> all(total);
  MPI_Gatherv(mine.data(), count, MPI_DOUBLE, all.data(), counts.data(), offsets.data(), MPI_DOUBLE, 0, job_);
  Outcome outcome;
  if (!is_root() || failed) return outcome;
  outcome.spans.resize(counts.size());
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    const auto* times = all.data() + offsets[rank];
    const auto marked = static_cast<std::size_t>(counts[rank]) - 1;
    for (std::size_t i = 0; i + 1 < marked; i += 2)
      outcome.spans[rank].push_back({from_seconds(times[i] - began_), from_seconds(times[i + 1] - began_)});
    outcome.late = outcome.late || times[marked] != 0;
  }
  return outcome;
}

}  // namespace busline::mpi
