// Measures the network of an emulated cluster: ping-pongs, concurrent messages out of one rank, into one and
// between pairs, and collectives. `network FILE LABEL [tests=pingpong,fan,pairs,collectives] [max=1048576]
// [reps=20] [seconds=2] [comp=30000]` writes all samples, in microseconds. `tests=overlap` starts
// non-blocking collectives, sleeps for nothing or `comp` us, and waits for them.
//
// The hosts are one machine with one clock, so times are taken across ranks, and the file says "clock":
// "common". Messages: from the start of the first that sends to the end of the last that receives.
// Collectives: from the last to enter to the last to leave.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

constexpr int kSizesOfTests = 3, kSizesOfCollectives = 5;
constexpr std::array<int, 17> kPingPongBytes{0,    1,     8,     64,    256,    1024,   1400,   2048,   4096,
                                             8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576};
constexpr std::array<int, kSizesOfTests> kConcurrentBytes{65536, 262144, 1048576};
constexpr std::array<int, kSizesOfCollectives> kCollectiveBytes{8, 1024, 8192, 65536, 262144};
constexpr int kFewest = 4;  // samples, however long they take

struct Options {
  std::string file, label, tests = "pingpong,fan,pairs,collectives";
  int most_bytes = 1 << 20;
  int repetitions = 20;
  double seconds = 2;       // of one point
  double compute_us = 3e4;  // between the start of a collective and its wait
};

Options read_options(int argc, char** argv) {
  Options o;
  if (argc < 3) return o;
  o.file = argv[1];
  o.label = argv[2];
  for (int i = 3; i < argc; ++i) {
    const std::string word = argv[i];
    const auto equals = std::min(word.find('='), word.size() - 1);
    const auto key = word.substr(0, equals), value = word.substr(equals + 1);
    if (key == "tests") o.tests = value;
    if (key == "max") o.most_bytes = std::max(0, std::atoi(value.c_str()));
    if (key == "reps") o.repetitions = std::max(kFewest, std::atoi(value.c_str()));
    if (key == "seconds") o.seconds = std::atof(value.c_str());
    if (key == "comp") o.compute_us = std::atof(value.c_str());
  }
  return o;
}

class Measurement {
 public:
  explicit Measurement(Options options) : o_(std::move(options)) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    const auto room =
        static_cast<std::size_t>(o_.most_bytes) * static_cast<std::size_t>(std::max(ranks_, 2)) + 65'536;
    out_.resize(room);
    in_.resize(room);
  }

  // Hosts of an emulated cluster share a kernel, and so CLOCK_MONOTONIC; those of a real one do not.
  bool has_one_clock() const {
    std::array<char, 64> own{};
    if (auto* const file = std::fopen("/proc/sys/kernel/random/boot_id", "r")) {
      if (std::fgets(own.data(), static_cast<int>(own.size()), file) == nullptr) own.front() = '\0';
      std::fclose(file);
    }
    auto first = own;
    MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
    int same = own == first && own.front() != '\0' ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    if (same == 0 && rank_ == 0)
      std::fprintf(stderr,
                   "network: the ranks do not share one machine's clock, which this test needs\n  measure "
                   "real clusters with 'busline-measure calibration'\n");
    return same != 0;
  }

  bool open() {
    std::array<char, 64> name{};
    gethostname(name.data(), name.size() - 1);
    std::vector<char> names(name.size() * static_cast<std::size_t>(ranks_));
    MPI_Gather(name.data(), 64, MPI_CHAR, names.data(), 64, MPI_CHAR, 0, MPI_COMM_WORLD);
    int opened = 1;
    if (rank_ == 0) {
      file_ = std::fopen(o_.file.c_str(), "w");
      opened = file_ != nullptr ? 1 : 0;
      if (opened == 0) std::perror(o_.file.c_str());
    }
    MPI_Bcast(&opened, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (opened == 0) return false;
    if (rank_ == 0) {
      std::fprintf(file_, "{\"label\":\"%s\",\"clock\":\"common\",\"ranks\":%d,\"hosts\":[", o_.label.c_str(),
                   ranks_);
      for (int i = 0; i < ranks_; ++i)
        std::fprintf(file_, "%s\"%s\"", i == 0 ? "" : ",", &names[static_cast<std::size_t>(i) * name.size()]);
      std::fprintf(file_, "],\"results\":[");
    }
    // Opens all connections, and lets TCP's windows grow.
    for (int i = 0; i < 4; ++i)
      MPI_Alltoall(out_.data(), std::min(o_.most_bytes, 131'072), MPI_CHAR, in_.data(),
                   std::min(o_.most_bytes, 131'072), MPI_CHAR, MPI_COMM_WORLD);
    return true;
  }

  void run() {
    if (ranks_ < 2) return;
    if (wanted("pingpong")) ping_pong(0, ranks_ - 1);
    for (const bool into : {false, true})
      for (int k = 1; wanted("fan") && k < ranks_; ++k)
        for (const int bytes : kConcurrentBytes) fan(into, k, bytes);
    for (const bool both : {false, true})
      for (int k = 1; wanted("pairs") && k <= ranks_ / 2; ++k)
        for (const int bytes : kConcurrentBytes) pairs(both, k, bytes);
    for (int n = 2; wanted("collectives") && n <= ranks_; n = n == ranks_ ? n + 1 : std::min(ranks_, 2 * n))
      collectives(n);
    for (int n = 2; wanted("overlap") && n <= ranks_; n = n == ranks_ ? n + 1 : std::min(ranks_, 2 * n))
      overlap(n);
  }

  void close() {
    if (rank_ != 0) return;
    std::fprintf(file_, "\n]}\n");
    std::fclose(file_);
  }

 private:
  bool wanted(std::string_view test) const {
    return ("," + o_.tests + ",").find("," + std::string(test) + ",") != std::string::npos;
  }

  void record(const std::string& test, const std::string& members, int bytes,
              const std::vector<double>& samples_s) {
    if (rank_ != 0) return;
    std::fprintf(file_, "%s\n  {\"test\":\"%s\",%s\"bytes\":%d,\"samples_us\":[", first_ ? "" : ",",
                 test.c_str(), members.c_str(), bytes);
    first_ = false;
    for (std::size_t i = 0; i < samples_s.size(); ++i)
      std::fprintf(file_, "%s%.1f", i == 0 ? "" : ",", samples_s[i] * 1e6);
    std::fprintf(file_, "]}");
  }

  static std::string member(const char* name, int value) {
    return std::string("\"").append(name).append("\":").append(std::to_string(value)).append(",");
  }

  static double now_s() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
  }

  // Whether this rank's clock reading is the start of the measurement.
  enum class Start { first_sender_here, first_sender_elsewhere, last_to_enter };

  template <class Operation>
  std::vector<double> timed(MPI_Comm communicator, Start start, const Operation& operation) {
    // The first start is found as the largest of negated ones.
    std::vector<double> starts, ends;
    operation();
    double spent = 0;
    for (int i = 0, go_on = 1; i < o_.repetitions && go_on != 0; ++i) {
      MPI_Barrier(communicator);
      const double begin = now_s();
      operation();
      ends.push_back(now_s());
      starts.push_back(start == Start::last_to_enter       ? begin
                       : start == Start::first_sender_here ? -begin
                                                           : std::numeric_limits<double>::lowest());
      spent += ends.back() - begin;
      go_on = spent < o_.seconds || i + 1 < kFewest ? 1 : 0;
      MPI_Bcast(&go_on, 1, MPI_INT, 0, communicator);
    }
    const auto largest = [&](std::vector<double>& values) {
      MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX,
                    communicator);
    };
    largest(starts);
    largest(ends);
    for (std::size_t i = 0; i < ends.size(); ++i)
      ends[i] -= start == Start::last_to_enter ? starts[i] : -starts[i];
    return ends;
  }

  static Start sender_if(bool sends) {
    return sends ? Start::first_sender_here : Start::first_sender_elsewhere;
  }

  // Half of each round trip, after two that do not count. `a` tells `b` after each whether to go on.
  void ping_pong(int a, int b) {
    const auto send = [&](int bytes, int to) {
      MPI_Send(out_.data(), bytes, MPI_CHAR, to, 0, MPI_COMM_WORLD);
    };
    const auto receive = [&](int bytes, int from) {
      MPI_Recv(in_.data(), bytes, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    };
    for (const int bytes : kPingPongBytes) {
      if (bytes > o_.most_bytes) continue;
      std::vector<double> samples;
      double spent = 0;
      MPI_Barrier(MPI_COMM_WORLD);
      for (int i = -2, go_on = 1; i < o_.repetitions && go_on != 0; ++i) {
        if (rank_ == a) {
          const double begin = now_s();
          send(bytes, b);
          receive(bytes, b);
          const double took = now_s() - begin;
          if (i >= 0) samples.push_back(took / 2);
          spent += took;
          go_on = spent < o_.seconds || i + 1 < kFewest ? 1 : 0;
          MPI_Send(&go_on, 1, MPI_INT, b, 1, MPI_COMM_WORLD);
        } else if (rank_ == b) {
          receive(bytes, a);
          send(bytes, a);
          MPI_Recv(&go_on, 1, MPI_INT, a, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
          break;
        }
      }
      record("pingpong", member("a", a) + member("b", b), bytes, samples);
    }
  }

  // Rank 0 sends to k others at once, or they to it.
  void fan(bool into, int k, int bytes) {
    if (bytes > o_.most_bytes) return;
    const auto samples = timed(MPI_COMM_WORLD, sender_if(into ? rank_ >= 1 && rank_ <= k : rank_ == 0), [&] {
      std::vector<MPI_Request> requests;
      if (rank_ == 0)
        for (int other = 1; other <= k; ++other) post(!into, other, bytes, requests, other - 1);
      else if (rank_ <= k)
        post(into, 0, bytes, requests);
      MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    });
    record(into ? "fan_in" : "fan_out", member("k", k), bytes, samples);
  }

  // k ranks of the lower half send to their partners in the upper half, or both to each other.
  void pairs(bool both, int k, int bytes) {
    if (bytes > o_.most_bytes) return;
    const int half = ranks_ / 2;
    const bool lower = rank_ < half, takes_part = rank_ < 2 * half && rank_ % half < k;
    const int partner = lower ? rank_ + half : rank_ - half;
    const auto samples = timed(MPI_COMM_WORLD, sender_if(takes_part && (both || lower)), [&] {
      std::vector<MPI_Request> requests;
      if (takes_part && (both || !lower)) post(false, partner, bytes, requests);
      if (takes_part && (both || lower)) post(true, partner, bytes, requests);
      MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    });
    record(both ? "pairs_both" : "pairs_one", member("pairs", k), bytes, samples);
  }

  void post(bool send, int partner, int bytes, std::vector<MPI_Request>& requests, int place = 0) {
    char* buffer =
        (send ? out_ : in_).data() + static_cast<std::size_t>(place) * static_cast<std::size_t>(bytes);
    requests.emplace_back();
    if (send)
      MPI_Isend(buffer, bytes, MPI_CHAR, partner, 0, MPI_COMM_WORLD, &requests.back());
    else
      MPI_Irecv(buffer, bytes, MPI_CHAR, partner, 0, MPI_COMM_WORLD, &requests.back());
  }

  void collectives(int n) {
    MPI_Comm c = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank_ < n ? 0 : 1, rank_, &c);
    const auto members = member("n", n);
    if (rank_ < n) {
      record("barrier", members, 0, timed(c, Start::last_to_enter, [&] { MPI_Barrier(c); }));
      char *out = out_.data(), *in = in_.data();
      for (const int b : kCollectiveBytes) {
        if (b > o_.most_bytes) continue;
        const auto measure = [&](const char* test, const auto& operation) {
          record(test, members, b, timed(c, Start::last_to_enter, operation));
        };
        const int d = b / static_cast<int>(sizeof(double));
        measure("bcast", [&] { MPI_Bcast(out, b, MPI_CHAR, 0, c); });
        measure("reduce", [&] { MPI_Reduce(out, in, d, MPI_DOUBLE, MPI_SUM, 0, c); });
        measure("allreduce", [&] { MPI_Allreduce(out, in, d, MPI_DOUBLE, MPI_SUM, c); });
        measure("allgather", [&] { MPI_Allgather(out, b, MPI_CHAR, in, b, MPI_CHAR, c); });
        measure("alltoall", [&] { MPI_Alltoall(out, b, MPI_CHAR, in, b, MPI_CHAR, c); });
      }
    }
    MPI_Comm_free(&c);
    MPI_Barrier(MPI_COMM_WORLD);
  }

  void overlap(int n) {
    MPI_Comm c = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank_ < n ? 0 : 1, rank_, &c);
    if (rank_ < n) {
      char *out = out_.data(), *in = in_.data();
      const auto measure = [&](const char* test, int bytes, const auto& begin) {
        if (bytes > o_.most_bytes) return;
        for (const double us : {0.0, o_.compute_us})
          record(test, member("n", n) + member("compute_us", static_cast<int>(us)), bytes,
                 timed(c, Start::last_to_enter, [&] {
                   MPI_Request request = MPI_REQUEST_NULL;
                   begin(&request);
                   if (us > 0) usleep(static_cast<useconds_t>(us));
                   MPI_Wait(&request, MPI_STATUS_IGNORE);
                 }));
      };
      measure("ibarrier", 0, [&](MPI_Request* r) { MPI_Ibarrier(c, r); });
      for (const int b : kCollectiveBytes) {
        const int d = b / static_cast<int>(sizeof(double));
        measure("ibcast", b, [&](MPI_Request* r) { MPI_Ibcast(out, b, MPI_CHAR, 0, c, r); });
        measure("iallreduce", b,
                [&](MPI_Request* r) { MPI_Iallreduce(out, in, d, MPI_DOUBLE, MPI_SUM, c, r); });
        measure("ialltoall", b,
                [&](MPI_Request* r) { MPI_Ialltoall(out, b, MPI_CHAR, in, b, MPI_CHAR, c, r); });
      }
    }
    MPI_Comm_free(&c);
    MPI_Barrier(MPI_COMM_WORLD);
  }

  Options o_;
  int rank_ = 0, ranks_ = 1;
  std::vector<char> out_, in_;
  std::FILE* file_ = nullptr;
  bool first_ = true;
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  auto options = read_options(argc, argv);
  int code = 2;
  if (options.file.empty()) {
    std::fprintf(stderr, "network: expected FILE LABEL [tests=...] [max=BYTES] [reps=N] [seconds=S]\n");
  } else {
    Measurement m(std::move(options));
    code = m.has_one_clock() ? 0 : 4;
    if (code == 0 && !m.open()) code = 5;
    if (code == 0) {
      m.run();
      m.close();
    }
  }
  MPI_Finalize();
  return code;
}
