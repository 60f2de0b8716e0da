// The progress of runs on several threads, as that of one.
#pragma once
#include <cstddef>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace busline {

class ProgressOfRuns {
 public:
  /// `report` gets the mean share of all `runs` runs, from any of their threads but one at a time; false ends
  /// them all. It may be empty, and must outlive this.
  ProgressOfRuns(const std::function<bool(double)>& report, std::size_t runs)
      : report_(report), shares_(runs) {}

  /// Run number `run` has done this share. False: it is to end.
  bool set(std::size_t run, double share) {
    const std::lock_guard lock(mutex_);
    done_ += share - std::exchange(shares_[run], share);
    ended_ = ended_ || (report_ && !report_(done_ / static_cast<double>(shares_.size())));
    return !ended_;
  }
  bool ended() const { return ended_; }  ///< once all threads are done

 private:
  std::mutex mutex_;
  const std::function<bool(double)>& report_;
  std::vector<double> shares_;
  double done_ = 0;
  bool ended_ = false;
};

}  // namespace busline
