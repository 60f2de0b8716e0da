// The arguments of a call that determine its amount of data: a count or a list of counts, and a datatype or a
// list of datatypes.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "workloads/dumpi/format/layout.hpp"

namespace busline::dumpi {

/// Argument numbers.
struct Buffer {
  static constexpr std::uint8_t kNone = 0xff;
  std::uint8_t count = kNone, type = kNone;
  constexpr bool exists() const { return count != kNone; }
};

/// The data that a rank sends and receives. The single buffer of calls such as MPI_Bcast is `sent`.
struct Buffers {
  Buffer sent, received;
};

namespace detail {

constexpr std::uint8_t argument_named(const Layout& layout, std::string_view name) {
  for (std::uint8_t i = 0; i < layout.arguments; ++i)
    if (layout.all[i].name == name) return i;
  return Buffer::kNone;
}

constexpr Buffer buffer_named(const Layout& layout, std::string_view count, std::string_view type) {
  const Buffer b{argument_named(layout, count), argument_named(layout, type)};
  return b.type == Buffer::kNone ? Buffer{} : b;
}

constexpr Buffers buffers_in(const Layout& layout) {
  struct Names {
    std::string_view count, type;
  };
  constexpr Names kSent[] = {{"count", "datatype"},         {"sendcount", "sendtype"},
                             {"sendcounts", "sendtype"},    {"sendcounts", "sendtypes"},
                             {"origincount", "origintype"}, {"recvcounts", "datatype"}};
  constexpr Names kReceived[] = {
      {"recvcount", "recvtype"}, {"recvcounts", "recvtype"}, {"recvcounts", "recvtypes"}};
  Buffers b;
  for (const auto& n : kSent)
    if (!b.sent.exists()) b.sent = buffer_named(layout, n.count, n.type);
  for (const auto& n : kReceived)
    if (!b.received.exists()) b.received = buffer_named(layout, n.count, n.type);
  // MPI_Get_count and others whose result is a count name no data.
  if (b.sent.exists() && layout.all[b.sent.count].name == "count" && b.sent.type != b.sent.count + 1)
    b.sent = {};
  return b;
}

constexpr std::array<Buffers, kFunctions> make_buffers() {
  std::array<Buffers, kFunctions> all{};
  for (std::size_t f = 0; f < kFunctions; ++f) all[f] = buffers_in(kLayouts[f]);
  return all;
}

}  // namespace detail

/// By function id.
inline constexpr std::array<Buffers, kFunctions> kBuffers = detail::make_buffers();

}  // namespace busline::dumpi
