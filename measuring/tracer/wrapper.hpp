// What stands around each call of MPI: its record is made from the parameters as a Binding says.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "measuring/tracer/binding.hpp"
#include "measuring/tracer/constants.hpp"
#include "measuring/tracer/topology.hpp"
#include "measuring/tracer/tracer.hpp"
#include "workloads/dumpi/format/blocking_form.hpp"

namespace busline::tracer {

/// Numbers in memory as the record has them.
template <class Element, class Convert>
struct ListView {
  const Element* data;
  std::size_t length;
  const Convert& convert;
  std::size_t size() const { return length; }
  auto operator[](std::size_t i) const { return convert(data[i]); }
};
template <class Element, class Convert>
ListView(const Element*, std::size_t, const Convert&) -> ListView<Element, Convert>;

// Without the error: MPI sets that only where the call fails (MPI 4.0, 3.2.5), and then there is no record.
inline dumpi::Status status_of(const MPI_Status& s) {
  int bytes = 0, cancelled = 0;
  PMPI_Get_count(&s, MPI_BYTE, &bytes);
  PMPI_Test_cancelled(&s, &cancelled);
  return {.bytes = bytes,
          .source = rank_of(s.MPI_SOURCE),
          .tag = tag_of(s.MPI_TAG),
          .cancelled = static_cast<std::uint8_t>(cancelled != 0)};
}

/// How many ranks a collective on this communicator has counts for.
inline int peers_in(MPI_Comm comm) {
  int inter = 0, peers = 0;
  PMPI_Comm_test_inter(comm, &inter);
  if (inter != 0)
    PMPI_Comm_remote_size(comm, &peers);
  else
    PMPI_Comm_size(comm, &peers);
  return peers;
}

constexpr std::string_view kind_of(const dumpi::ArgumentLayout& argument) {
  auto type = argument.type;
  while (type.ends_with("[]")) type.remove_suffix(2);
  return type;
}

constexpr bool needs_mpi(const dumpi::Layout& layout) {
  for (std::size_t i = 0; i < layout.arguments; ++i)
    if (layout.all[i].shape != dumpi::Shape::text && kind_of(layout.all[i]) != "i32") return true;
  return false;
}

// Whether the call ends the life of the handle that is its first argument. For a group the MPI library may
// give the same handle several times, and others are not worth it.
constexpr bool frees(std::uint16_t function) {
  const auto name = dumpi::kFunctionTable[function].name;
  const auto type = dumpi::kLayouts[function].all[0].type;
  return (type == "comm" || type == "dtype" || type == "win" || type == "file") &&
         (name.ends_with("_free") || name.ends_with("_disconnect") || name.ends_with("_close"));
}

/// One call: what it was given, and the arguments of its record.
template <std::uint16_t kFunction, Binding kBinding, class... P>
class Call {
 public:
  Call(Handles* handles, P&... parameters) : handles_(handles), parameters_(parameters...) {}

  /// Reads what the call changes.
  void before(bool own_statuses) {
    each_argument([this]<std::size_t i>() {
      if constexpr (!kBinding.from[i].before)
        return;
      else if constexpr (is_list(i))
        keep_list<i>();
      else
        saved_[i] = convert<i>(value<i>());
    });
    forget_freed();
    if (own_statuses)
      each_argument([this]<std::size_t i>() {
        if constexpr (kLayout.all[i].shape == dumpi::Shape::statuses) lend_statuses<i>();
      });
  }

  /// If the call ends the life of a handle.
  void forget_freed() {
    if constexpr (kFrees) handles_->of(kLayout.all[0].type).forget(bits_of(value<0>()));
  }

  /// Whether it achieved what it was called for.
  bool successful() const {
    if constexpr (kFlag != kNone)
      return value<kFlag>() != 0;
    else
      return true;
  }

  void put(dumpi::RecordWriter& to) {
    each_argument([this, &to]<std::size_t i>() { put_argument<i>(to); });
  }

  static constexpr const dumpi::Layout& kLayout = dumpi::kLayouts[kFunction];
  /// Whether its record can be made before MPI runs.
  static constexpr bool kNeedsMpi = needs_mpi(kLayout);

 private:
  static constexpr int find(std::string_view name) {
    for (int i = 0; i < kLayout.arguments; ++i)
      if (kLayout.all[static_cast<std::size_t>(i)].name == name) return i;
    return kNone;
  }
  static constexpr bool is_list(std::size_t i) { return kLayout.all[i].type.ends_with("[]"); }
  static constexpr int kFlag = find("flag");
  static constexpr bool kFrees = frees(kFunction);

  template <class Do>
  static void each_argument(Do&& act) {
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      (act.template operator()<i>(), ...);
    }
    (std::make_index_sequence<kLayout.arguments>());
  }

  // The parameter that gives an argument.
  template <std::size_t i>
  auto& parameter() const {
    constexpr int kFrom = kBinding.from[i].parameter;
    static_assert(kFrom != kNone);
    return std::get<static_cast<std::size_t>(kFrom)>(parameters_);
  }

  // The parameter, or what it points to.
  template <std::size_t i>
  auto value() const {
    const auto& given = parameter<i>();
    using Given = std::remove_cvref_t<decltype(given)>;
    if constexpr (std::is_pointer_v<Given> && !kIsHandle<Given>)
      return given == nullptr ? std::remove_cvref_t<decltype(*given)>{} : *given;
    else
      return given;
  }

  // A value or an element of a list as the record has it.
  template <std::size_t i, class Value>
  std::int64_t convert(const Value& value) const {
    constexpr auto kKind = kind_of(kLayout.all[i]);
    if constexpr (kKind == "dtype")
      return handles_->datatype(value);
    else if constexpr (kKind == "comm" || kKind == "req" || kKind == "group" || kKind == "op" ||
                       kKind == "ioreq" || kKind == "errh" || kKind == "file" || kKind == "info" ||
                       kKind == "win")
      return handles_->of(kKind).number(bits_of(value)).first;
    else if constexpr (kKind == "source" || kKind == "dest")
      return rank_of(value);
    else if constexpr (kKind == "tag" || kLayout.all[i].name == "tag")  // the table has MPI_Isend's as i32
      return tag_of(value);
    else if constexpr (kKind == "i32" || kKind == "i64" || kKind == "keyval")
      return static_cast<std::int64_t>(value);
    else
      return constant(kKind, value);
  }

  template <std::size_t i>
  std::size_t length() const {
    constexpr int kLength = kBinding.from[i].length;
    static_assert(kLength != kNone, "the list's length must be told");
    constexpr auto kArgument = static_cast<std::size_t>(kLength);
    if constexpr (is_list(kArgument)) {
      return computed_list<kArgument>().size();
    } else {
      const auto n = number<kArgument>();
      return n < 0 ? 0 : static_cast<std::size_t>(n);  // MPI_UNDEFINED, if there is nothing to wait for
    }
  }

  template <std::size_t i>
  std::int64_t number() const {
    if constexpr (kBinding.from[i].parameter == kNone)
      return computed<i>();
    else if constexpr (kBinding.from[i].before)
      return saved_[i];
    else
      return convert<i>(value<i>());
  }

  // Arguments that are not parameters.
  template <std::size_t i>
  std::int64_t computed() const {
    constexpr auto kName = kLayout.all[i].name;
    constexpr int kComm = find("comm") != kNone ? find("comm") : find("oldcomm");
    static_assert(kComm != kNone);
    const auto comm = value<static_cast<std::size_t>(kComm)>();
    int n = 0, others = 0;
    if constexpr (kName == "commsize") {
      n = peers_in(comm);
    } else if constexpr (kName == "commrank") {
      PMPI_Comm_rank(comm, &n);
    } else if constexpr (kName == "ndim") {
      PMPI_Cartdim_get(comm, &n);
    } else if constexpr (kName == "totnodes") {
      PMPI_Graphdims_get(comm, &n, &others);
    } else if constexpr (kName == "totedges") {
      PMPI_Graphdims_get(comm, &others, &n);
    } else if constexpr (kName == "nneigh") {
      PMPI_Graph_neighbors_count(comm, value<find("rank")>(), &n);
    } else {
      static_assert(kName == "numedges");  // the last of the index's partial sums
      const auto nodes = value<find("nodes")>();
      if (nodes > 0) n = parameter<find("index")>()[nodes - 1];
    }
    return n;
  }

  template <std::size_t i>
  const std::vector<int>& computed_list() const {
    constexpr auto kName = kLayout.all[i].name;
    if constexpr (kName == "ranks") {
      members_ = members_in(value<find("newcomm")>(), value<find("oldcomm")>());
      return members_;
    } else {
      static_assert(kName == "sources" || kName == "destinations");
      constexpr int kComm = find("newcomm") != kNone ? find("newcomm") : find("comm");
      if (!neighbours_) neighbours_ = neighbours_in(value<kComm>());
      return kName == "sources" ? neighbours_->sources : neighbours_->destinations;
    }
  }

  // Whether this rank's root-only arguments are in the record, and whether they mean anything there: the
  // format takes the rank of that number in the other group of an inter-communicator for the root.
  bool is_root() const { return number<kLayout.rank>() == number<kLayout.root>(); }
  bool is_meaningful_root() const {
    int inter = 0;
    PMPI_Comm_test_inter(value<find("comm")>(), &inter);
    return inter == 0 && is_root();
  }

  // Whether the program's value of an argument is one that MPI does not look at, and that may be anything.
  template <std::size_t i>
  bool is_ignored() const {
    constexpr auto kName = kLayout.all[i].name;
    if constexpr (kBinding.send_buffer != kNone && kName.starts_with("send"))
      if (std::get<kBinding.send_buffer>(parameters_) == MPI_IN_PLACE) return true;
    if constexpr (kBinding.receive_buffer != kNone && kName.starts_with("recv"))
      if (std::get<kBinding.receive_buffer>(parameters_) == MPI_IN_PLACE) return true;
    // For these the format does not say that they are root-only.
    constexpr auto kForm = dumpi::blocking_form(kFunction);
    constexpr bool kRoots = (kForm == dumpi::function_id("MPI_Gatherv") && kName == "recvtype") ||
                            (kForm == dumpi::function_id("MPI_Scatterv") && kName == "sendtype");
    if constexpr (kRoots || kLayout.all[i].root_only)
      return !is_meaningful_root();
    else
      return false;
  }

  template <std::size_t i>
  void keep_list() {
    const auto* const from = parameter<i>();
    saved_list_.resize(from == nullptr ? 0 : length<i>());
    for (std::size_t k = 0; k < saved_list_.size(); ++k)
      saved_list_[k] = static_cast<std::int32_t>(convert<i>(from[k]));
  }

  // The program does not want to know how its receives ended, but the trace does.
  template <std::size_t i>
  void lend_statuses() {
    auto& given = parameter<i>();
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(given)>, MPI_Status*>) {
      if (given != MPI_STATUS_IGNORE && given != MPI_STATUSES_IGNORE) return;
      if constexpr (is_list(i)) {
        // Waitsome, Testsome: as many as could complete.
        own_statuses_.resize(static_cast<std::size_t>(std::max<std::int64_t>(1, number<find("count")>())));
        given = own_statuses_.data();
      } else {
        given = &own_status_;
      }
    }
  }

  template <std::size_t i>
  void put_statuses(dumpi::RecordWriter& to) const {
    const MPI_Status* const given = parameter<i>();
    std::size_t n = 1;
    if constexpr (is_list(i)) n = length<i>();
    if (given == MPI_STATUS_IGNORE || given == MPI_STATUSES_IGNORE || !successful()) n = 0;
    to.statuses(ListView{given, n, status_of});
  }

  template <std::size_t i>
  void put_argument(dumpi::RecordWriter& to) const {
    using enum dumpi::Shape;
    constexpr auto kShape = kLayout.all[i].shape;
    if constexpr (kLayout.all[i].root_only)
      if (!is_root()) return to.absent();
    if constexpr (kShape == statuses)
      put_statuses<i>(to);
    else if constexpr (kShape == text)
      to.text(parameter<i>() == nullptr ? std::string_view() : std::string_view(parameter<i>()));
    else if constexpr (kShape == int32_lists)
      put_ranges<i>(to);
    else if constexpr (is_list(i))
      put_list<i>(to);
    else
      to.number(is_ignored<i>() ? kind_of(kLayout.all[i]) == "dtype" ? kNullType : 0 : number<i>());
  }

  template <std::size_t i>
  void put_list(dumpi::RecordWriter& to) const {
    if constexpr (kBinding.from[i].before) {
      to.numbers(saved_list_);
    } else if constexpr (kBinding.from[i].parameter == kNone) {
      to.numbers(computed_list<i>());
    } else {
      const auto* const from = parameter<i>();
      const auto as_recorded = [this](const auto& element) { return convert<i>(element); };
      to.numbers(ListView{from, from == nullptr || is_ignored<i>() ? 0 : length<i>(), as_recorded});
    }
  }

  // Ranges of ranks: first, last, stride.
  template <std::size_t i>
  void put_ranges(dumpi::RecordWriter& to) const {
    std::vector<std::array<int, 3>> ranges(length<i>());
    for (std::size_t k = 0; k < ranges.size(); ++k)
      ranges[k] = {parameter<i>()[k][0], parameter<i>()[k][1], parameter<i>()[k][2]};
    to.number_lists(ranges);
  }

  static constexpr std::int64_t kNullType = 1;

  Handles* handles_;
  std::tuple<P&...> parameters_;
  std::array<std::int64_t, dumpi::kMostArguments> saved_{};
  std::vector<std::int32_t> saved_list_;
  mutable std::optional<Neighbours> neighbours_;
  mutable std::vector<int> members_;
  MPI_Status own_status_{};
  std::vector<MPI_Status> own_statuses_;
};

/// Makes a call and records it.
template <std::uint16_t kFunction, Binding kBinding, class Result, class... P>
Result traced(Result (*call)(P...), std::type_identity_t<P>... parameters) {
  const Nesting nesting;
  auto& tracer = Tracer::of_process();
  auto lock = tracer.lock();
  using Arguments = Call<kFunction, kBinding, P...>;
  if ((Arguments::kNeedsMpi && !tracer.started()) || !nesting.outermost() || !tracer.records(kFunction)) {
    tracer.ignore(kFunction);
    if (nesting.outermost() && tracer.started()) Arguments(tracer.handles(), parameters...).forget_freed();
    if (lock) lock.unlock();
    return call(parameters...);
  }
  Interval interval;
  tracer.enter(interval);
  Arguments arguments(tracer.handles(), parameters...);
  arguments.before(tracer.statuses() == Level::enable);
  if (lock) lock.unlock();
  const Result result = call(parameters...);
  lock = tracer.lock();
  tracer.leave(interval);
  bool recorded = tracer.level(kFunction) != Level::success || arguments.successful();
  // What a failed call gives may be anything.
  if constexpr (std::is_same_v<Result, int>) recorded = recorded && result == MPI_SUCCESS;
  if (!recorded) {
    tracer.ignore(kFunction);
    return result;
  }
  arguments.put(tracer.begin(kFunction, interval));
  tracer.end(interval);
  return result;
}

}  // namespace busline::tracer
