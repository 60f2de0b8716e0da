// Lists in a file whose elements vary in length. They are views, so a list takes no memory, whatever length
// it claims. The reader of the file or record has already checked them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "workloads/dumpi/format/big_endian.hpp"

namespace busline::dumpi {

/// `size()` elements one after the other, read forward. `Element::take(at)` returns the element at `at` and
/// moves `at` past it.
template <class Element>
class Sequence {
 public:
  using Value = typename Element::Value;

  class Iterator {
   public:
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using pointer = void;
    using reference = Value;

    Iterator() = default;
    Iterator(const char* at, std::size_t left) : at_(at), left_(left) {}
    Value operator*() const {
      const char* at = at_;
      return Element::take(at);
    }
    Iterator& operator++() {
      Element::take(at_);
      --left_;
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return left_ == 0; }

   private:
    const char* at_ = nullptr;
    std::size_t left_ = 0;
  };

  Sequence() = default;
  Sequence(const char* data, std::size_t size) : data_(data), size_(size) {}
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Iterator begin() const { return {data_, size_}; }
  std::default_sentinel_t end() const { return {}; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A number of a given type at `at`, which moves past it.
template <class Int>
Int take_number(const char*& at) {
  const auto v = load_big_endian<Int>(at);
  at += sizeof(Int);
  return v;
}

/// A text after its length: 2 bytes around the records, 4 within.
template <class Length>
struct TextAfter {
  using Value = std::string_view;
  static Value take(const char*& at) {
    const auto n = static_cast<std::size_t>(take_number<Length>(at));
    const std::string_view text(at, n);
    at += n;
    return text;
  }
};

struct Int32List {
  using Value = IntegerView<std::int32_t>;
  static Value take(const char*& at) {
    const auto n = static_cast<std::size_t>(take_number<std::uint32_t>(at));
    const Value list(at, n);
    at += n * sizeof(std::int32_t);
    return list;
  }
};

/// A list of such elements after its length. Costs a pass over them.
template <class Element>
struct ListOf {
  using Value = Sequence<Element>;
  static Value take(const char*& at) {
    const auto n = static_cast<std::size_t>(take_number<std::uint32_t>(at));
    const Value list(at, n);
    for (std::size_t i = 0; i < n; ++i) Element::take(at);
    return list;
  }
};

using Texts = Sequence<TextAfter<std::uint32_t>>;
using TextLists = Sequence<ListOf<TextAfter<std::uint32_t>>>;
using Int32Lists = Sequence<Int32List>;
using Labels = Sequence<TextAfter<std::uint16_t>>;

}  // namespace busline::dumpi
