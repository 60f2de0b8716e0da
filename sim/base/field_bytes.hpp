// Plain structs as bytes for another process of the same program. A type's fields are named once, for both
// directions, by a function beside it:
//     template <class A> void pass_fields(A& a, RankTimes& t) { a(t.compute, t.latency); }
#pragma once
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace busline {

/// Appends its arguments to `bytes`, without changing them.
class FieldWriter {
 public:
  template <class... T>
  void operator()(T&... values) {
    (write(values), ...);
  }
  std::string bytes;

 private:
  template <class T>
  void write(T& value) {
    if constexpr (std::is_trivially_copyable_v<T> && !requires { pass_fields(*this, value); }) {
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);  // NOLINT(*-reinterpret-cast)
    } else {
      pass_fields(*this, value);
    }
  }
  template <class T>
  void write(std::optional<T>& value) {
    bool there = value.has_value();
    write(there);
    if (there) write(*value);
  }
  void write(std::string& text) {
    auto size = text.size();
    write(size);
    bytes += text;
  }
  template <class T>
  void write(std::vector<T>& list) {
    auto size = list.size();
    write(size);
    for (auto& element : list) write(element);
  }
};

/// Reads them back. Truncated or excess data leaves good() false; it never allocates more than the bytes.
class FieldReader {
 public:
  explicit FieldReader(std::string_view bytes) : left_(bytes) {}
  template <class... T>
  void operator()(T&... values) {
    (read(values), ...);
  }
  bool good() const { return good_ && left_.empty(); }

 private:
  template <class T>
  void read(T& value) {
    if constexpr (std::is_trivially_copyable_v<T> && !requires { pass_fields(*this, value); }) {
      if (has(sizeof value)) std::memcpy(&value, left_.data(), sizeof value);
      take(sizeof value);
    } else {
      pass_fields(*this, value);
    }
  }
  template <class T>
  void read(std::optional<T>& value) {
    bool there = false;
    read(there);
    if (there) read(value.emplace());
  }
  void read(std::string& text) {
    const auto size = read_size();
    text = left_.substr(0, size);
    take(size);
  }
  template <class T>
  void read(std::vector<T>& list) {
    list.clear();
    for (auto size = read_size(); size > 0 && good_; --size) read(list.emplace_back());
  }
  // No element is smaller than a byte.
  std::size_t read_size() {
    std::size_t size = 0;
    read(size);
    return has(size) ? size : 0;
  }
  bool has(std::size_t size) { return good_ = good_ && size <= left_.size(); }
  void take(std::size_t size) {
    if (has(size)) left_.remove_prefix(size);
  }

  std::string_view left_;
  bool good_ = true;
};

}  // namespace busline
