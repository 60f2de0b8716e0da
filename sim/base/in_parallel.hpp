// Independent pieces of work on several threads.
#pragma once
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace busline {

/// Calls work(i) once for every i below `count`, on at most `threads` threads, of which the caller's is one.
/// They begin in order of i. Where the system allows fewer threads, those do the work. The first exception
/// ends the work that has not begun, and is thrown again here.
template <class Work>
void in_parallel(std::size_t count, unsigned threads, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  const auto run = [&] {
    try {
      for (auto i = next.fetch_add(1); i < count; i = next.fetch_add(1)) work(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> others;
    const auto most = std::min<std::size_t>(std::max(1U, threads), count);
    try {
      for (std::size_t i = 1; i < most; ++i) others.emplace_back(run);
    } catch (const std::system_error&) {
    }
    run();
  }
  if (failure) std::rethrow_exception(failure);
}

/// Calls make(i) for every i below `count` on several threads, and take(result) in order of i, one at a time.
/// `take` returns whether to go on. Holds as many results as there are threads. Exceptions as for
/// in_parallel.
template <class Make, class Take>
void in_parallel_in_order(std::size_t count, unsigned threads, const Make& make, const Take& take) {
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t next = 0;
  bool ended = false;
  in_parallel(count, threads, [&](std::size_t i) {
    {
      const std::lock_guard lock(mutex);
      if (ended) return;
    }
    try {
      auto made = make(i);
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return next == i || ended; });
      ended = ended || !take(std::move(made));
      ++next;
    } catch (...) {
      const std::lock_guard lock(mutex);
      ended = true;
      changed.notify_all();
      throw;
    }
    changed.notify_all();
  });
}

}  // namespace busline
