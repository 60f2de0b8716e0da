#include "models/flow/result_bytes.hpp"

#include <cstring>
#include <optional>
#include <type_traits>
#include <vector>

namespace busline {
namespace {

// Every type's fields are named once, for both directions: `a` is a Writer or a Reader.
template <class A>
void fields(A& a, RankTimes& t) {
  a(t.compute, t.latency, t.wait, t.collective_wait, t.collective, t.cpu_wait);
}
template <class A>
void fields(A& a, RankResult& r) {
  a(r.node, r.end, r.times, r.link_wait, r.bus_wait, r.messages_sent, r.bytes_sent, r.collective_messages,
    r.collective_bytes);
}
template <class A>
void fields(A& a, ResourceResult& r) {
  a(r.name, r.capacity, r.busy, r.wait, r.messages, r.peak_queue);
}
template <class A>
void fields(A& a, BlockedRank& b) {
  a(b.rank, b.call_number, b.call, b.waits_for);
}
template <class A>
void fields(A& a, RegionResult& r) {
  a(r.run_time, r.ranks, r.call_times);
}
template <class A>
void fields(A& a, Result& r) {
  a(r.status, r.run_time, r.operations, r.events, r.messages, r.bytes, r.collective_messages,
    r.collective_bytes, r.ranks, r.resources, r.blocked, r.region, r.marks);
}
template <class A>
void fields(A& a, Error& e) {
  a(e.kind, e.path, e.offset, e.line, e.column, e.where, e.message, e.hint);
}

class Writer {
 public:
  template <class... T>
  void operator()(T&... values) {
    (write(values), ...);
  }
  std::string bytes;

 private:
  template <class T>
  void write(T& value) {
    if constexpr (std::is_trivially_copyable_v<T> && !requires { fields(*this, value); }) {
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);  // NOLINT(*-reinterpret-cast)
    } else {
      fields(*this, value);
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

class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}
  template <class... T>
  void operator()(T&... values) {
    (read(values), ...);
  }
  bool good() const { return good_ && left_.empty(); }

 private:
  template <class T>
  void read(T& value) {
    if constexpr (std::is_trivially_copyable_v<T> && !requires { fields(*this, value); }) {
      if (has(sizeof value)) std::memcpy(&value, left_.data(), sizeof value);
      take(sizeof value);
    } else {
      fields(*this, value);
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

}  // namespace

std::string to_bytes(const Expected<Result>& result) {
  Writer writer;
  auto copy = result;  // the fields are the reader's to change
  bool there = copy.has_value();
  writer(there);
  if (there)
    writer(*copy);
  else
    writer(copy.error());
  return std::move(writer.bytes);
}

Expected<Result> from_bytes(std::string_view bytes) {
  Reader reader(bytes);
  bool there = false;
  Result result;
  Error error;
  reader(there);
  if (there)
    reader(result);
  else
    reader(error);
  if (!reader.good()) {
    error = {};
    error.kind = Error::Kind::unsupported;
    error.message = "a result was cut on its way between two processes";
  } else if (there) {
    return result;
  }
  return tl::unexpected(std::move(error));
}

}  // namespace busline
