#include "models/flow/worker.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "models/flow/result_bytes.hpp"

using namespace busline;

namespace {

Expected<Result> run_alone(const std::function<Expected<Result>(const Progress&)>& job,
                           const Progress& progress = {}) {
  auto result = run_in_worker(job, progress);
  // No child is left to wait for.
  CHECK(waitpid(-1, nullptr, WNOHANG) == -1);
  CHECK(errno == ECHILD);
  return result;
}

Result some_result() {
  Result r;
  r.status = Result::Status::deadlock;
  r.run_time = Time::at(Duration::picoseconds(12));
  r.events = 34;
  r.ranks.resize(2);
  r.ranks[1].times.cpu_wait = Duration::picoseconds(5);
  r.ranks[1].collective_bytes = 6;
  r.resources.push_back(
      {{ResourceKind::link_out, 3}, 7, Duration::picoseconds(8), Duration::picoseconds(9), 10, 11});
  r.blocked.push_back({1, 2, "MPI_Recv", "a message"});
  r.region.emplace();
  r.region->call_times = {{Duration::picoseconds(1)}, {}};
  r.marks.push_back({1, 2, Time::at(Duration::picoseconds(3))});
  return r;
}

void check_is_some_result(const Expected<Result>& r) {
  REQUIRE(r);
  CHECK(r->status == Result::Status::deadlock);
  CHECK(r->run_time.count() == 12);
  CHECK(r->events == 34);
  REQUIRE(r->ranks.size() == 2);
  CHECK(r->ranks[1].times.cpu_wait.count() == 5);
  CHECK(r->ranks[1].collective_bytes == 6);
  REQUIRE(r->resources.size() == 1);
  CHECK(r->resources[0].id == ResourceId{ResourceKind::link_out, 3});
  CHECK(r->resources[0].peak_queue == 11);
  REQUIRE(r->blocked.size() == 1);
  CHECK(r->blocked[0].waits_for == "a message");
  REQUIRE(r->region);
  CHECK(r->region->call_times == some_result().region->call_times);
  CHECK(r->marks == some_result().marks);
}

}  // namespace

TEST_CASE("a result survives conversion to bytes, and truncated bytes are an error") {
  const auto bytes = to_bytes(some_result());
  check_is_some_result(from_bytes(bytes));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK_FALSE(from_bytes(std::string_view(bytes).substr(0, size)));
  CHECK_FALSE(from_bytes(bytes + "x"));
  CHECK(from_bytes("").error().message == "a result was cut on its way between two processes");
  Error e;
  e.kind = Error::Kind::bad_option;
  e.line = 3;
  e.hint = "another";
  const auto back = from_bytes(to_bytes(tl::unexpected(e)));
  REQUIRE_FALSE(back);
  CHECK(back.error().kind == Error::Kind::bad_option);
  CHECK(back.error().line == 3U);
  CHECK(back.error().hint == "another");
}

TEST_CASE("a worker gives its job's result, or its error") {
  check_is_some_result(run_alone([](const Progress& progress) -> Expected<Result> {
    CHECK_FALSE(progress);
    std::puts("this is not seen");
    return some_result();
  }));
  Error e;
  e.message = "does not fit";
  const auto failed = run_alone([&](const Progress&) -> Expected<Result> { return tl::unexpected(e); });
  REQUIRE_FALSE(failed);
  CHECK(failed.error().message == "does not fit");
}

TEST_CASE("a worker stops when progress returns false") {
  int calls = 0;
  const auto job = [](const Progress& progress) -> Expected<Result> {
    Result r;
    while (progress(0.25 * static_cast<double>(r.events))) ++r.events;
    return r;
  };
  const auto result = run_alone(job, [&](double share) {
    CHECK(share == 0.25 * calls);
    return ++calls < 4;
  });
  REQUIRE(result);
  CHECK(result->events == 3);
}

TEST_CASE("the error of a worker that ends early has its last output") {
  const auto aborted = run_alone([](const Progress&) -> Expected<Result> {
    std::signal(SIGABRT, SIG_DFL);  // the test runner's handler is another one
    std::fputs("first\nthe links are gone\n", stderr);
    std::abort();
  });
  REQUIRE_FALSE(aborted);
  CHECK(aborted.error().message ==
        "the flow model's process ended by signal 6; its last line was: the links are gone");
  const auto left = run_alone([](const Progress&) -> Expected<Result> { _exit(3); });
  REQUIRE_FALSE(left);
  CHECK(left.error().message == "the flow model's process ended with exit code 3");
}

TEST_CASE("the error of a worker that cannot be started has the reason") {
  rlimit files{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &files) == 0);
  const rlimit none{0, files.rlim_max};
  REQUIRE(setrlimit(RLIMIT_NOFILE, &none) == 0);
  const auto result = run_in_worker([](const Progress&) -> Expected<Result> { return some_result(); }, {});
  REQUIRE(setrlimit(RLIMIT_NOFILE, &files) == 0);
  REQUIRE_FALSE(result);
  CHECK(result.error().kind == Error::Kind::unreadable);
  CHECK(result.error().message ==
        "cannot start a process for the flow model: socketpair: Too many open files");
}

TEST_CASE("a worker ends when its parent is gone") {
  const auto endless = [](const Progress& progress) -> Expected<Result> {
    for (;;) progress(0);
  };
  CHECK_THROWS_AS(run_in_worker(endless, [](double) -> bool { throw 1; }), int);
  CHECK(waitpid(-1, nullptr, WNOHANG) == -1);
}
