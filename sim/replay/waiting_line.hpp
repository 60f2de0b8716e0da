// A line of waiting elements: they join at the end, and mostly leave at or near the front.
#pragma once
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

namespace busline {

/// One vector, nothing more while it is empty; a rank has several. T is small.
template <class T>
class WaitingLine {
 public:
  using Iterator = typename std::vector<T>::iterator;

  bool empty() const { return first_ == elements_.size(); }
  auto begin() { return elements_.begin() + offset(); }
  auto end() { return elements_.end(); }
  auto begin() const { return elements_.begin() + offset(); }
  auto end() const { return elements_.end(); }
  const T& front() const { return elements_[first_]; }

  void push_back(const T& element) {
    // Moves as many elements at most as have left since the last time.
    if (first_ > kKept && 2 * first_ > elements_.size()) {
      elements_.erase(elements_.begin(), elements_.begin() + offset());
      first_ = 0;
    }
    elements_.push_back(element);
  }
  /// Cost: the elements before it.
  void erase(Iterator element) {
    if (element != begin()) std::move_backward(begin(), element, std::next(element));
    pop_front();
  }
  void pop_front() {
    if (++first_ < elements_.size()) return;
    elements_.clear();
    first_ = 0;
  }

 private:
  static constexpr std::size_t kKept = 16;  // that have left

  std::ptrdiff_t offset() const { return static_cast<std::ptrdiff_t>(first_); }

  std::vector<T> elements_;
  std::size_t first_ = 0;  // the others have left
};

}  // namespace busline
