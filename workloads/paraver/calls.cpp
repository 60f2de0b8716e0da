#include "workloads/paraver/calls.hpp"

#include <algorithm>
#include <array>

#include "workloads/dim/record_codes.hpp"
#include "workloads/paraver/mpi_codes.hpp"

namespace busline::paraver {
namespace {

struct CallRow {
  std::string_view name;
  Role role;
  SendMode mode = SendMode::standard;
  bool nonblocking = false;
};

constexpr std::array kCallRows{
    CallRow{"MPI_Send", Role::send},
    CallRow{"MPI_Rsend", Role::send},
    CallRow{"MPI_Ssend", Role::send, SendMode::synchronous},
    CallRow{"MPI_Bsend", Role::send, SendMode::buffered},
    CallRow{"MPI_Isend", Role::send, SendMode::standard, true},
    CallRow{"MPI_Irsend", Role::send, SendMode::standard, true},
    CallRow{"MPI_Issend", Role::send, SendMode::synchronous, true},
    CallRow{"MPI_Ibsend", Role::send, SendMode::buffered, true},
    CallRow{"MPI_Recv", Role::receive},
    CallRow{"MPI_Mrecv", Role::receive},
    CallRow{"MPI_Irecv", Role::receive, SendMode::standard, true},
    CallRow{"MPI_Imrecv", Role::receive, SendMode::standard, true},
    CallRow{"MPI_Sendrecv", Role::sendrecv},
    CallRow{"MPI_Sendrecv_replace", Role::sendrecv},
    CallRow{"MPI_Start", Role::start},
    CallRow{"MPI_Startall", Role::start},
    CallRow{"MPI_Wait", Role::wait},
    CallRow{"MPI_Waitall", Role::wait},
    CallRow{"MPI_Waitany", Role::wait},
    CallRow{"MPI_Waitsome", Role::wait},
    CallRow{"MPI_Test", Role::wait},
    CallRow{"MPI_Testall", Role::wait},
    CallRow{"MPI_Testany", Role::wait},
    CallRow{"MPI_Testsome", Role::wait},
    CallRow{"MPI_Probe", Role::noop},
    CallRow{"MPI_Iprobe", Role::noop},
    CallRow{"MPI_Mprobe", Role::noop},
    CallRow{"MPI_Improbe", Role::noop},
    CallRow{"MPI_Cancel", Role::local},
    CallRow{"MPI_Request_free", Role::local},
    CallRow{"MPI_Put", Role::one_sided},
    CallRow{"MPI_Get", Role::one_sided},
    CallRow{"MPI_Accumulate", Role::one_sided},
    CallRow{"MPI_Rput", Role::one_sided},
    CallRow{"MPI_Rget", Role::one_sided},
    CallRow{"MPI_Raccumulate", Role::one_sided},
    CallRow{"MPI_Get_accumulate", Role::one_sided},
    CallRow{"MPI_Fetch_and_op", Role::one_sided},
    CallRow{"MPI_Compare_and_swap", Role::one_sided},
};

struct MeetingRow {
  std::string_view name;
  CollectiveKind kind;
};

// Collective calls whose records have no communicator.
constexpr std::array kMeetingRows{
    MeetingRow{"MPI_Cart_sub", CollectiveKind::comm_split},
    MeetingRow{"MPI_Comm_split_type", CollectiveKind::comm_split},
    MeetingRow{"MPI_Comm_dup_with_info", CollectiveKind::comm_dup},
    MeetingRow{"MPI_Dist_graph_create", CollectiveKind::graph_create},
    MeetingRow{"MPI_Dist_graph_create_adjacent", CollectiveKind::graph_create},
    MeetingRow{"MPI_Win_allocate", CollectiveKind::win_create},
    MeetingRow{"MPI_File_open", CollectiveKind::file},
    MeetingRow{"MPI_File_close", CollectiveKind::file},
    MeetingRow{"MPI_File_read_all", CollectiveKind::file},
    MeetingRow{"MPI_File_write_all", CollectiveKind::file},
    MeetingRow{"MPI_File_read_at_all", CollectiveKind::file},
    MeetingRow{"MPI_File_write_at_all", CollectiveKind::file},
};

}  // namespace

Call call_named(std::string_view name, std::uint32_t type) {
  Call c;
  c.name = name;
  const auto* const row =
      std::find_if(kCallRows.begin(), kCallRows.end(), [&](const CallRow& r) { return r.name == name; });
  if (row != kCallRows.end()) {
    c.role = row->role;
    c.mode = row->mode;
    c.nonblocking = row->nonblocking;
    return c;
  }
  const auto* const meeting = std::find_if(kMeetingRows.begin(), kMeetingRows.end(),
                                           [&](const MeetingRow& r) { return r.name == name; });
  if (meeting != kMeetingRows.end()) {
    c.role = Role::meeting;
    c.kind = meeting->kind;
    return c;
  }
  if (const auto kind = find_collective(name == "MPI_Init_thread" ? "MPI_Init" : name)) {
    c.kind = *kind;
    if (*kind == CollectiveKind::init)
      c.role = Role::init;
    else if (*kind == CollectiveKind::finalize)
      c.role = Role::noop;  // ranks need not meet in it, and the published efficiencies of traces let them
                            // end alone
    else
      c.role = *kind >= CollectiveKind::comm_dup ? Role::meeting : Role::collective;
    return c;
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(CollectiveKind::comm_dup); ++k) {
    const auto kind = static_cast<CollectiveKind>(k);
    if (name != dim::nonblocking_name(kind)) continue;
    c.kind = kind;
    c.role = Role::collective;
    c.nonblocking = true;
    return c;
  }
  // Other calls on windows and files, and persistent requests before they start, move nothing that is
  // replayed.
  const bool known = find_mpi_code(name) != nullptr;
  if (type == kOther || type == kFile || known) c.role = Role::local;
  return c;
}

}  // namespace busline::paraver
