#include "workloads/liballprof/rank_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "sim/base/text_parts.hpp"

namespace busline::liballprof {
namespace {

constexpr std::int64_t kMostInt = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kAnyTagHere = -1;  // in MPICH and Open MPI

constexpr std::string_view kLibraryHint = "say which library was traced: --mpi mpich or --mpi open-mpi";

}  // namespace

// Calls without an operation are not in this table: their names are in has_no_operation().
const std::vector<RankCalls::Call>& RankCalls::calls() {
  using R = RankCalls;
  static const std::vector<Call> table{
      {"MPI_Init", &R::read_init},
      {"MPI_Init_thread", &R::read_init},
      {"MPI_Finalize", &R::read_finalize},
      {"MPI_Send", &R::read_send},
      {"MPI_Ssend", &R::read_send},
      {"MPI_Bsend", &R::read_send},
      {"MPI_Rsend", &R::read_send},
      {"MPI_Isend", &R::read_isend},
      {"MPI_Issend", &R::read_isend},
      {"MPI_Ibsend", &R::read_isend},
      {"MPI_Irsend", &R::read_isend},
      {"MPI_Recv", &R::read_receive},
      {"MPI_Irecv", &R::read_ireceive},
      {"MPI_Sendrecv", &R::read_sendrecv},
      {"MPI_Sendrecv_replace", &R::read_sendrecv_replace},
      {"MPI_Wait", &R::read_wait},
      {"MPI_Waitall", &R::read_waitall},
      {"MPI_Test", &R::read_test},
      {"MPI_Testall", &R::read_test},
      {"MPI_Waitany", &R::refuse_completion},
      {"MPI_Waitsome", &R::refuse_completion},
      {"MPI_Testany", &R::refuse_completion},
      {"MPI_Testsome", &R::refuse_completion},
      {"MPI_Probe", &R::read_probe},
      {"MPI_Iprobe", &R::ignore},
      {"MPI_Send_init", &R::read_send_init},
      {"MPI_Ssend_init", &R::read_send_init},
      {"MPI_Bsend_init", &R::read_send_init},
      {"MPI_Rsend_init", &R::read_send_init},
      {"MPI_Recv_init", &R::read_receive_init},
      {"MPI_Start", &R::read_start},
      {"MPI_Startall", &R::read_startall},
      {"MPI_Request_free", &R::read_request_free},
      {"MPI_Barrier", &R::read_barrier},
      {"MPI_Bcast", &R::read_bcast},
      {"MPI_Reduce", &R::read_reduce},
      {"MPI_Allreduce", &R::read_reduction},
      {"MPI_Scan", &R::read_reduction},
      {"MPI_Exscan", &R::read_reduction},
      {"MPI_Reduce_scatter", &R::read_reduce_scatter},
      {"MPI_Gather", &R::read_gather},
      {"MPI_Scatter", &R::read_scatter},
      {"MPI_Allgather", &R::read_allgather},
      {"MPI_Alltoall", &R::read_alltoall},
      {"MPI_Gatherv", &R::read_gatherv},
      {"MPI_Scatterv", &R::read_scatterv},
      {"MPI_Allgatherv", &R::read_allgatherv},
      {"MPI_Alltoallv", &R::read_alltoallv},
      {"MPI_Comm_dup", &R::read_constructor},
      {"MPI_Comm_create", &R::read_constructor},
      {"MPI_Cart_create", &R::read_constructor},
      {"MPI_Graph_create", &R::read_constructor},
      {"MPI_Comm_split", &R::read_split},
  };
  return table;
}

namespace {

/// Calls that concern their rank alone.
bool has_no_operation(std::string_view name) {
  constexpr std::array kFamilies{"MPI_Type_",   "MPI_Group_", "MPI_Attr_",   "MPI_Errhandler_",
                                 "MPI_Op_",     "MPI_Info_",  "MPI_Keyval_", "MPI_Error_",
                                 "MPI_Buffer_", "MPI_Pack",   "MPI_Unpack"};
  constexpr std::array kNames{
      "MPI_Comm_rank",     "MPI_Comm_size",     "MPI_Comm_free",          "MPI_Comm_group",
      "MPI_Comm_compare",  "MPI_Get_count",     "MPI_Get_elements",       "MPI_Wtime",
      "MPI_Wtick",         "MPI_Address",       "MPI_Get_address",        "MPI_Initialized",
      "MPI_Finalized",     "MPI_Get_version",   "MPI_Get_processor_name", "MPI_Query_thread",
      "MPI_Cart_coords",   "MPI_Cart_rank",     "MPI_Cart_shift",         "MPI_Cart_get",
      "MPI_Cartdim_get",   "MPI_Dims_create",   "MPI_Topo_test",          "MPI_Comm_set_errhandler",
      "MPI_Comm_get_attr", "MPI_Comm_set_attr", "MPI_Comm_test_inter",    "MPI_Test_cancelled"};
  return std::any_of(kFamilies.begin(), kFamilies.end(),
                     [&](std::string_view family) { return name.starts_with(family); }) ||
         std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

}  // namespace

/// For the operations of the call, which may have none.
ProgramBuilder& RankCalls::out() {
  if (std::exchange(call_is_new_, false)) program_.begin_call(program_.call_name(f_.name()));
  return program_;
}

RankCalls::RankCalls(ProgramBuilder& program, SharedCommunicators& shared, std::uint32_t rank,
                     const LiballprofOptions& options)
    : program_(program), shared_(shared), rank_(rank), options_(options) {
  using enum LiballprofOptions::Library;
  if (options.library == mpich) width_ = 4;
  if (options.library == open_mpi) width_ = 8;
  program_.begin_strand(rank);
}

void RankCalls::read_comment(std::string_view line, std::uint64_t number) {
  for (const auto& [text, clock] : {std::pair{std::string_view("# Init clockdiff:"), &clock_begin_},
                                    std::pair{std::string_view("# Finalize clockdiff:"), &clock_end_}}) {
    if (!line.starts_with(text)) continue;
    line.remove_prefix(text.size());
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    constexpr double kMost = 1e18;
    const auto value = decimal_number(line);
    if (value && *value > -kMost && *value < kMost) {
      *clock = *value;
    } else {
      f_.split(text, number);
      f_.fail("expected microseconds");
    }
  }
}

bool RankCalls::read(std::uint64_t number, std::string_view line) {
  if (line.starts_with('#')) {
    read_comment(line, number);
    return !f_.error();
  }
  f_.split(line.substr(0, line.find_last_not_of(" \t\r") + 1), number);
  const auto name = f_.name();
  if (!name.starts_with("MPI_") || f_.size() < 3) {
    f_.fail("expected a call, as in MPI_Barrier:START:0,1,4:END");
    return false;
  }
  const bool begins = name == "MPI_Init" || name == "MPI_Init_thread", ends = name == "MPI_Finalize";
  if (ended_ || begun_ == begins) {
    f_.fail(ended_   ? "a call after MPI_Finalize"
            : begun_ ? "MPI_Init for the second time"
                     : "a call before MPI_Init");
    return false;
  }
  const auto& table = calls();
  const auto known = std::find_if(table.begin(), table.end(), [&](const Call& c) { return c.name == name; });
  if (known == table.end() && !has_no_operation(name)) {
    f_.fail("this call is not read from liballprof traces", Error::Kind::unsupported);
    return false;
  }
  if (!begins) {
    const auto start = f_.time(1);
    if (f_.error()) return false;
    if (start < before_) ++clamped_;
    if (start > before_) {
      constexpr std::int64_t kPicoseconds = 1'000'000;
      if (start - before_ > std::numeric_limits<std::int64_t>::max() / kPicoseconds) {
        f_.fail("begins so long after the call before that it does not fit in a run's time");
        return false;
      }
      program_.compute(Duration::picoseconds((start - before_) * kPicoseconds));
    }
    end_ = start;
  }
  if (!ends) before_ = std::max(before_, f_.time(f_.size() - 1));
  if (f_.error()) return false;
  if (known != table.end()) {
    call_is_new_ = true;
    (this->*known->read)();
  }
  return !f_.error();
}

bool RankCalls::finish() {
  if (f_.error()) return false;
  if (ended_) return true;
  f_.split("MPI_Finalize", std::max<std::uint64_t>(f_.line(), 1));
  f_.fail("the trace is cut: this call does not come");
  return false;
}

void RankCalls::read_init() {
  begun_ = true;
  begin_ = end_ = before_;
  out().collective({.kind = CollectiveKind::init});
}

void RankCalls::read_finalize() {
  ended_ = true;
  out().collective({.kind = CollectiveKind::finalize});
  const auto refuse = [&](std::uint64_t line) {
    f_.split("MPI_Test", line);
    f_.fail("what a test completed is not recorded, and no wait for it follows", Error::Kind::unsupported);
  };
  for (const auto& [address, slot] : requests_) {
    if (!slot) continue;
    if (const auto test = tested_.find(address); test != tested_.end()) return refuse(test->second);
    if (tested_array_) return refuse(*tested_array_);
  }
}

// ---- arguments

/// The number in the Program; sets last_.
std::uint32_t RankCalls::communicator(std::int64_t* size) {
  last_ = f_.communicator();
  if (size != nullptr) *size = last_.size;
  if (f_.error()) return 0;
  if (last_.size == program_.ranks()) {
    if (last_.rank != rank_) {
      f_.fail(fmt::format("rank {} of a communicator of all ranks, whose order the trace does not record",
                          last_.rank),
              Error::Kind::unsupported);
      return 0;
    }
    const auto known = std::find(of_all_.begin(), of_all_.end(), last_.handle);
    const auto number = static_cast<std::size_t>(known - of_all_.begin());
    if (known == of_all_.end()) of_all_.push_back(last_.handle);
    if (number == shared_.of_all.size()) {
      const auto all = program_.members(0);
      shared_.of_all.push_back(program_.add_communicator({all.begin(), all.end()}));
    }
    return shared_.of_all[number];
  }
  if (last_.size == 1) {
    if (!alone_) alone_ = program_.add_communicator({rank_});
    return *alone_;
  }
  f_.fail(fmt::format("a communicator of {} ranks of {}, whose members the trace does not record", last_.size,
                      program_.ranks()),
          Error::Kind::unsupported,
          "trace the program with busline-measure record or as OTF2, which record them");
  return 0;
}

void RankCalls::check_peer(Message& m, std::int64_t number, std::int64_t size, bool sends) {
  using enum LiballprofOptions::Library;
  if (number >= size) {
    f_.fail(fmt::format("peer is rank {} of a communicator of {}", number, size));
  } else if (number >= 0) {
    m.peer = size == 1 && program_.ranks() > 1 ? rank_ : static_cast<std::uint32_t>(number);
  } else if (options_.library == unknown) {
    f_.fail(fmt::format("peer is {}, which means any source in one MPI library and none in another", number),
            Error::Kind::unsupported, std::string(kLibraryHint));
  } else if (number == (options_.library == mpich ? -1 : -2)) {
    m.is_null = true;
  } else if (number == (options_.library == mpich ? -2 : -1) && !sends) {
    m.peer = kAnySource;
  } else {
    f_.fail(fmt::format("peer is {}, expected a rank", number));
  }
}

/// "buf : count : type : peer : tag : comm", or only the last three.
RankCalls::Message RankCalls::message(bool sends, bool with_bytes) {
  Message m;
  if (with_bytes) {
    f_.address();
    m.bytes = f_.bytes();
  }
  const auto peer = f_.number("a rank", -kMostInt, kMostInt);
  m.tag = tag(sends);
  std::int64_t size = 0;
  m.communicator = communicator(&size);
  if (!f_.error()) check_peer(m, peer, size, sends);
  return m;
}

std::int32_t RankCalls::tag(bool sends) {
  const auto tag = f_.number("a tag", sends ? 0 : kAnyTagHere, kMostInt);
  return tag == kAnyTagHere ? kAnyTag : static_cast<std::int32_t>(tag);
}

SendMode RankCalls::mode() const {
  const auto name = f_.name();
  if (name.starts_with("MPI_Ss") || name.starts_with("MPI_Iss")) return SendMode::synchronous;
  if (name.starts_with("MPI_Bs") || name.starts_with("MPI_Ibs")) return SendMode::buffered;
  return SendMode::standard;
}

// ---- messages

void RankCalls::read_send() {
  const auto m = message(true);
  if (!f_.error() && !m.is_null) out().send(m.envelope(), Bytes{m.bytes}, mode());
}

void RankCalls::read_receive() {
  const auto m = message(false);
  if (!f_.error() && !m.is_null) out().recv(m.envelope(), Bytes{m.bytes});
}

void RankCalls::read_isend() {
  const auto m = message(true);
  start(m, true, mode(), f_.address());
}

void RankCalls::read_ireceive() {
  const auto m = message(false);
  start(m, false, SendMode::standard, f_.address());
}

void RankCalls::start(const Message& m, bool sends, SendMode mode, std::uint64_t address) {
  if (f_.error()) return;
  // A request in use means that the variable got a new one: nothing waits for the old one.
  auto& slot = requests_[address];
  tested_.erase(address);
  if (m.is_null)
    slot.reset();
  else
    slot =
        sends ? out().isend(m.envelope(), Bytes{m.bytes}, mode) : out().irecv(m.envelope(), Bytes{m.bytes});
}

/// Takes the communicator, too.
void RankCalls::exchange(Message& to, std::int64_t destination, Message& from, std::int64_t source) {
  std::int64_t size = 0;
  to.communicator = from.communicator = communicator(&size);
  if (!f_.error()) check_peer(to, destination, size, true);
  if (!f_.error()) check_peer(from, source, size, false);
  if (f_.error()) return;
  std::optional<std::uint32_t> slot;
  if (!to.is_null) slot = out().isend(to.envelope(), Bytes{to.bytes});
  if (!from.is_null) out().recv(from.envelope(), Bytes{from.bytes});
  if (slot) out().wait(*slot);
}

void RankCalls::read_sendrecv() {
  f_.address();
  Message to, from;
  to.bytes = f_.bytes();
  const auto destination = f_.number("a rank", -kMostInt, kMostInt);
  to.tag = tag(true);
  f_.address();
  from.bytes = f_.bytes();
  const auto source = f_.number("a rank", -kMostInt, kMostInt);
  from.tag = tag(false);
  exchange(to, destination, from, source);
}

void RankCalls::read_sendrecv_replace() {
  f_.address();
  Message to, from;
  to.bytes = from.bytes = f_.bytes();
  const auto destination = f_.number("a rank", -kMostInt, kMostInt);
  to.tag = tag(true);
  const auto source = f_.number("a rank", -kMostInt, kMostInt);
  from.tag = tag(false);
  exchange(to, destination, from, source);
}

void RankCalls::read_probe() {
  const auto m = message(false, false);
  if (!f_.error() && !m.is_null) out().probe(m.envelope());
}

// ---- requests

void RankCalls::wait_for(std::uint64_t address) {
  const auto request = requests_.find(address);
  if (request == requests_.end()) return;  // MPI_REQUEST_NULL
  if (request->second) out().wait(*request->second);
  requests_.erase(request);
  tested_.erase(address);
}

void RankCalls::read_wait() {
  const auto address = f_.address();
  if (!f_.error()) wait_for(address);
}

/// The distance of the requests of an array: that at which all are there. Once it is known, they need not be.
std::optional<std::uint64_t> RankCalls::width(std::uint64_t array, std::uint64_t count,
                                              bool (RankCalls::*is_there)(std::uint64_t) const) {
  if (count <= 1) return width_.value_or(8);
  if (width_) return width_;
  for (const std::uint64_t w : {4U, 8U}) {
    bool all = true;
    for (std::uint64_t i = 0; i < count && all; ++i) all = (this->*is_there)(array + i * w);
    if (!all) continue;
    width_ = w;
    return w;
  }
  f_.fail(fmt::format("{} requests in an array, which are not all known, whether they take 4 or 8 bytes each",
                      count),
          Error::Kind::unsupported, std::string(kLibraryHint));
  return std::nullopt;
}

void RankCalls::read_waitall() {
  const auto count = f_.count();
  const auto array = f_.address();
  if (f_.error()) return;
  const auto w = width(array, count, &RankCalls::is_open);
  if (!w) return;
  // Of the array, those that are open; the others are MPI_REQUEST_NULL.
  std::vector<std::uint64_t> open;
  for (auto r = requests_.lower_bound(array); r != requests_.end() && r->first - array < count * *w; ++r)
    if ((r->first - array) % *w == 0) open.push_back(r->first);
  for (const auto address : open) wait_for(address);
}

void RankCalls::read_test() {
  if (f_.name() == "MPI_Test")
    tested_[f_.address()] = f_.line();
  else if (!tested_array_)
    tested_array_ = f_.line();
}

void RankCalls::refuse_completion() {
  f_.fail("which of the requests it completed is not recorded", Error::Kind::unsupported,
          "trace the program with busline-measure record or as OTF2, which record it");
}

void RankCalls::read_send_init() {
  const auto m = message(true);
  const auto address = f_.address();
  if (!f_.error()) persistent_[address] = {m, true, mode()};
}

void RankCalls::read_receive_init() {
  const auto m = message(false);
  const auto address = f_.address();
  if (!f_.error()) persistent_[address] = {m, false, SendMode::standard};
}

void RankCalls::read_start() {
  const auto address = f_.address();
  const auto known = persistent_.find(address);
  if (known == persistent_.end()) return f_.fail("starts a request that no call made");
  start(known->second.message, known->second.sends, known->second.mode, address);
}

void RankCalls::read_startall() {
  const auto count = f_.count();
  const auto array = f_.address();
  if (f_.error()) return;
  const auto w = width(array, count, &RankCalls::is_persistent);
  if (w && count > persistent_.size()) return f_.fail("starts a request that no call made");
  for (std::uint64_t i = 0; w && i < count; ++i) {
    const auto known = persistent_.find(array + i * *w);
    if (known == persistent_.end()) return f_.fail("starts a request that no call made");
    start(known->second.message, known->second.sends, known->second.mode, known->first);
  }
}

void RankCalls::read_request_free() {
  const auto address = f_.address();
  persistent_.erase(address);
  requests_.erase(address);
  tested_.erase(address);
}

}  // namespace busline::liballprof
