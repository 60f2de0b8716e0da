// Types for the numbers that name the parts of a run: the compiler rejects a rank where a strand is expected,
// or a message where its request is. Ids are indices and count from 0. They cost nothing.
//
// Bare numbers remain where ids come from files or leave for them: in the Program (Operation::peer, Channel,
// CollectiveArgs, Strand::rank) and the code that builds or writes one, in results and documents, and in
// timelines. Solvers (models/sharing/max_min.hpp, models/flow/flows.hpp) number flows and resources
// themselves, and an Event holds its subject as a number. Convert explicitly: RankId{op.peer}, raw(rank).
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace busline {

enum class RankId : std::uint32_t {};          ///< of the job, not of a communicator
enum class StrandId : std::uint32_t {};        ///< Program::strands(), and those that a replay adds
enum class NodeId : std::uint32_t {};          ///< Machine::nodes
enum class MessageId : std::uint32_t {};       ///< reused after the message is received
enum class RequestId : std::uint32_t {};       ///< RequestLayout
enum class CollectiveId : std::uint32_t {};    ///< an instance in progress; reused after it
enum class ChannelId : std::uint32_t {};       ///< Program::channels()
enum class CommunicatorId : std::uint32_t {};  ///< Program::communicators()

template <class T>
concept Id = std::same_as<T, RankId> || std::same_as<T, StrandId> || std::same_as<T, NodeId> ||
    std::same_as<T, MessageId> || std::same_as<T, RequestId> || std::same_as<T, CollectiveId> ||
    std::same_as<T, ChannelId> || std::same_as<T, CommunicatorId>;

constexpr std::uint32_t raw(Id auto id) {
  return static_cast<std::uint32_t>(id);
}

/// Converts to the id of any type, or the bare number, that names nothing.
struct NoId {
  static constexpr std::uint32_t kValue = 0xffff'ffff;
  template <Id I>
  constexpr operator I() const {
    return I{kValue};
  }
  constexpr operator std::uint32_t() const { return kValue; }
  friend constexpr bool operator==(Id auto id, NoId) { return raw(id) == kValue; }
};
inline constexpr NoId kNone;

/// The ids 0 .. count - 1.
template <Id I>
struct IdRange {
  struct Iterator {
    std::uint32_t at = 0;
    constexpr I operator*() const { return I{at}; }
    constexpr Iterator& operator++() {
      ++at;
      return *this;
    }
    constexpr bool operator==(const Iterator&) const = default;
  };
  std::uint32_t count = 0;
  constexpr Iterator begin() const { return {0}; }
  constexpr Iterator end() const { return {count}; }
};
template <Id I>
constexpr IdRange<I> ids(std::size_t count) {
  return {static_cast<std::uint32_t>(count)};
}

/// A vector that is indexed by ids.
template <Id I, class T>
class IdVector : public std::vector<T> {
  using Base = std::vector<T>;

 public:
  using Base::Base;
  typename Base::reference operator[](I id) { return Base::operator[](raw(id)); }
  typename Base::const_reference operator[](I id) const { return Base::operator[](raw(id)); }
  bool has(I id) const { return raw(id) < Base::size(); }
  /// Grows if necessary until it has the id.
  void reach(I id) {
    if (!has(id)) Base::resize(std::size_t{raw(id)} + 1);
  }
  /// The id of the next element to be added.
  I next() const { return I{static_cast<std::uint32_t>(Base::size())}; }
  IdRange<I> ids() const { return {static_cast<std::uint32_t>(Base::size())}; }
};

}  // namespace busline
