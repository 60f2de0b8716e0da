#include "python/interruptible.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace py = pybind11;

namespace busline::python {
namespace {

using namespace std::chrono_literals;

constexpr auto kBetweenLooks = 10ms;    // for signals, and to report progress
constexpr auto kUntilAbandoned = 50ms;  // work that asks its Supervision ends before that

// Work on threads of their own, to wait for at the end of the process: static objects are destroyed then.
std::mutex running_mutex;
std::condition_variable running_changed;
int running = 0;

class CountedAsRunning {
 public:
  CountedAsRunning() {
    const std::lock_guard lock(running_mutex);
    ++running;
  }
  ~CountedAsRunning() {
    const std::lock_guard lock(running_mutex);
    --running;
    running_changed.notify_all();
  }
  CountedAsRunning(const CountedAsRunning&) = delete;
  CountedAsRunning& operator=(const CountedAsRunning&) = delete;
};

struct Job {
  Work work;
  std::shared_ptr<Supervision> supervision = std::make_shared<Supervision>();
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::exception_ptr thrown{};

  void run() {
    try {
      work(supervision);
    } catch (...) {
      thrown = std::current_exception();
    }
    work = nullptr;  // what it owns ends on this thread
    const std::lock_guard lock(mutex);
    done = true;
    changed.notify_all();
  }
  bool done_within(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, time, [this] { return done; });
  }
};

bool start(const std::shared_ptr<Job>& job) {
  auto counted = std::make_shared<CountedAsRunning>();
  try {
    std::thread([job, counted] { job->run(); }).detach();
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

}  // namespace

bool on_main_thread() {
  static const auto main_thread =
      py::module_::import("threading").attr("main_thread")().attr("ident").cast<unsigned long>();
  return PyThread_get_thread_ident() == main_thread;
}

void interruptibly(const Work& work, const py::object& progress) {
  const auto job = std::make_shared<Job>();
  job->work = work;
  if ((!on_main_thread() && progress.is_none()) || !start(job)) {
    const py::gil_scoped_release release;
    job->run();
  } else {
    const auto waited = [&job](std::chrono::milliseconds time) {
      const py::gil_scoped_release release;
      return job->done_within(time);
    };
    double told = -1;
    while (!waited(kBetweenLooks)) {
      try {
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        if (const double share = job->supervision->share; !progress.is_none() && share != told)
          progress(told = share);
      } catch (...) {
        job->supervision->stop = true;
        waited(kUntilAbandoned);
        throw;
      }
    }
    if (!progress.is_none()) progress(1.0);
  }
  if (job->thrown) std::rethrow_exception(job->thrown);
}

std::function<bool(double)> SignalWatch::progress() {
  if (!watches_) return {};
  return [this](double) {
    const py::gil_scoped_acquire acquire;
    signalled_ = signalled_ || PyErr_CheckSignals() != 0;
    return !signalled_;
  };
}

void SignalWatch::throw_if_signalled() const {
  if (signalled_) throw py::error_already_set();
}

void wait_for_abandoned_work() {
  const py::gil_scoped_release release;
  std::unique_lock lock(running_mutex);
  running_changed.wait(lock, [] { return running == 0; });
}

}  // namespace busline::python
