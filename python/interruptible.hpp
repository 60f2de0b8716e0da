// Work without the GIL that Ctrl-C ends within a tenth of a second.
#pragma once
#include <pybind11/pybind11.h>

#include <atomic>
#include <functional>
#include <memory>
#include <utility>

namespace busline::python {

/// What is agreed with a piece of work that runs on a thread of its own.
struct Supervision {
  std::atomic<bool> stop{false};
  std::atomic<double> share{0};  ///< of the work that is done

  /// For the library's functions. It outlives this.
  static std::function<bool(double)> progress(std::shared_ptr<Supervision> self) {
    return [self = std::move(self)](double share) {
      self->share = share;
      return !self->stop;
    };
  }
};
using Work = std::function<void(const std::shared_ptr<Supervision>&)>;

/// Whether the calling thread is the one whose work signals interrupt.
bool on_main_thread();

/// Runs `work` without the GIL and returns when it is done. `progress` is None, or is called with the share
/// that is done from time to time. After a signal whose handler raises, or an exception of `progress`, that
/// is thrown at once; work that is not over by then goes on in the background: it must own all that it uses.
/// On another thread than the main one, and without `progress`, no signal can come, and the work runs where
/// it is called.
void interruptibly(const Work& work, const pybind11::object& progress = pybind11::none());

/// The same for a short piece of work that calls `progress` often: on this thread. True from `progress` lets
/// it go on; afterwards the exception of a signal is thrown.
class SignalWatch {
 public:
  SignalWatch() : watches_(on_main_thread()) {}
  std::function<bool(double)> progress();
  /// Needs the GIL.
  void throw_if_signalled() const;

 private:
  bool watches_ = false;
  bool signalled_ = false;
};

/// Waits for work that was interrupted and goes on: before the interpreter ends.
void wait_for_abandoned_work();

/// Calls `make` as interruptible work and returns what it made. A Work as above.
template <class T, class Make>
T made_interruptibly(Make make, const pybind11::object& progress = pybind11::none()) {
  const auto box = std::make_shared<std::unique_ptr<T>>();
  interruptibly(
      [box, make = std::move(make)](const std::shared_ptr<Supervision>& supervision) {
        *box = std::make_unique<T>(make(supervision));
      },
      progress);
  return std::move(**box);
}

}  // namespace busline::python
