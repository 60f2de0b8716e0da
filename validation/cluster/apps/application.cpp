#include "validation/cluster/apps/application.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace busline::cluster {
namespace {

constexpr int kBadOption = 2, kCannotWrite = 5;

// Ends all ranks; rank 0 says why.
[[noreturn]] void give_up(int rank, int code, const std::string& why) {
  if (rank == 0) std::fprintf(stderr, "%s\n", why.c_str());
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  std::exit(code);
}

bool read(std::string_view text, int& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && value >= 0;
}

bool read(std::string_view text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && value >= 0 && value <= 1e9;
}

bool set_option(ApplicationOptions& o, std::string_view key, std::string_view value) {
  if (key == "iters") return read(value, o.iterations);
  if (key == "size") return read(value, o.bytes);
  if (key == "comp") return read(value, o.compute_us);
  if (key == "out") return o.out = value, !value.empty();
  if (key != "mode" || (value != "sleep" && value != "busy")) return false;
  o.work = value == "sleep" ? ApplicationOptions::Work::sleep : ApplicationOptions::Work::busy;
  return true;
}

void busy_steps(double steps) {
  volatile double x = 1;
  for (double i = 0; i < steps; ++i) x = x * 0.999999 + 1e-6;
}

void sleep_for(double us) {
  constexpr long kSecond = 1'000'000'000;
  timespec until{};
  clock_gettime(CLOCK_MONOTONIC, &until);
  const auto ns = static_cast<long>(us * 1e3);
  until.tv_sec += (until.tv_nsec + ns) / kSecond;
  until.tv_nsec = (until.tv_nsec + ns) % kSecond;
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) != 0) {
  }
}

}  // namespace

Application::Application(std::string name, int argc, char** argv) : name_(std::move(name)) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const auto equals = std::min(word.find('='), word.size());
    if (!set_option(options_, word.substr(0, equals), word.substr(std::min(equals + 1, word.size()))))
      give_up(rank_, kBadOption,
              name_ + ": " + std::string(word) +
                  ": expected iters=N, size=BYTES, comp=MICROSECONDS, mode=sleep|busy or out=FILE");
  }
  if (options_.work == ApplicationOptions::Work::busy) calibrate();
  std::vector<char> all(static_cast<std::size_t>(ranks_) * 64), from_all(all.size());
  MPI_Alltoall(all.data(), 64, MPI_CHAR, from_all.data(), 64, MPI_CHAR, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  start_s_ = MPI_Wtime();
}

Application::~Application() {
  MPI_Finalize();
}

// The fastest of a few attempts: the others were interrupted.
void Application::calibrate() {
  constexpr double kSteps = 200'000;
  double best_s = std::numeric_limits<double>::max();
  for (int i = 0; i < 5; ++i) {
    const double begin = MPI_Wtime();
    busy_steps(kSteps);
    best_s = std::min(best_s, MPI_Wtime() - begin);
  }
  steps_per_us_ = kSteps / (best_s * 1e6);
}

void Application::compute(double us) {
  const double begin = MPI_Wtime();
  if (options_.work == ApplicationOptions::Work::sleep)
    sleep_for(us);
  else
    busy_steps(us * steps_per_us_);
  computed_s_ += MPI_Wtime() - begin;
}

int Application::finish() {
  const double took = MPI_Wtime() - start_s_;
  double longest = 0, computed_sum = 0, computed_most = 0;
  MPI_Reduce(&took, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Reduce(&computed_s_, &computed_sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&computed_s_, &computed_most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank_ != 0) return 0;
  std::FILE* file = options_.out.empty() ? stdout : std::fopen(options_.out.c_str(), "a");
  if (file == nullptr) {
    std::perror(options_.out.c_str());
    return kCannotWrite;
  }
  std::fprintf(
      file,
      "{\"app\":\"%s\",\"ranks\":%d,\"iters\":%d,\"size\":%d,\"comp_us\":%.1f,\"mode\":\"%s\",\"extra\":0,"
      "\"time_s\":%.6f,\"comp_mean_s\":%.6f,\"comp_max_s\":%.6f}\n",
      name_.c_str(), ranks_, options_.iterations, options_.bytes, options_.compute_us,
      options_.work == ApplicationOptions::Work::sleep ? "sleep" : "busy", longest, computed_sum / ranks_,
      computed_most);
  const bool written = std::fflush(file) == 0;
  if (file != stdout) std::fclose(file);
  return written ? 0 : kCannotWrite;
}

}  // namespace busline::cluster
