#include "workloads/otf2/regions.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace busline::otf2 {
namespace {

struct CallsOfClass {
  RegionClass of;
  std::string_view names;  // without "MPI_", each between blanks
};
constexpr std::array kCallsOfClasses{
    CallsOfClass{RegionClass::send, " Send Rsend Ssend Bsend "},
    CallsOfClass{RegionClass::start, " Isend Irsend Issend Ibsend Start Startall "},
    CallsOfClass{RegionClass::receive, " Recv Irecv "},
    CallsOfClass{RegionClass::sendrecv, " Sendrecv Sendrecv_replace "},
    CallsOfClass{RegionClass::wait, " Wait Waitall Waitany Waitsome "},
    CallsOfClass{RegionClass::request_free, " Request_free "},
    CallsOfClass{RegionClass::init, " Init Init_thread "},
    CallsOfClass{RegionClass::finalize, " Finalize "},
    CallsOfClass{RegionClass::creation,
                 " Comm_dup Comm_dup_with_info Comm_split Comm_split_type Comm_create Comm_create_group "
                 "Cart_create Cart_sub Graph_create Dist_graph_create Dist_graph_create_adjacent "
                 "Intercomm_create Intercomm_merge "},
    CallsOfClass{RegionClass::collective,
                 " Barrier Bcast Gather Gatherv Scatter Scatterv Allgather Allgatherv Alltoall Alltoallv "
                 "Alltoallw Reduce Allreduce Reduce_scatter Reduce_scatter_block Scan Exscan "},
    CallsOfClass{RegionClass::nonblocking_collective,
                 " Ibarrier Ibcast Igather Igatherv Iscatter Iscatterv Iallgather Iallgatherv Ialltoall "
                 "Ialltoallv Ialltoallw Ireduce Iallreduce Ireduce_scatter Ireduce_scatter_block Iscan "
                 "Iexscan Comm_idup "},
    CallsOfClass{RegionClass::not_simulated,
                 " Comm_accept Comm_connect Comm_join Comm_spawn Comm_spawn_multiple "},
    CallsOfClass{RegionClass::matched_receive, " Mrecv Imrecv "},
};

std::optional<CollectiveKind> creation_kind(std::string_view call) {
  using enum CollectiveKind;
  if (call.starts_with("Comm_dup")) return comm_dup;
  if (call.starts_with("Comm_split") || call == "Cart_sub") return comm_split;
  if (call.starts_with("Comm_create")) return comm_create;
  if (call == "Cart_create") return cart_create;
  if (call.ends_with("raph_create") || call.ends_with("raph_create_adjacent")) return graph_create;
  if (call == "Intercomm_create") return intercomm_create;
  return intercomm_merge;
}

// "MPI_Isend" for "mpi_isend_", and nothing for other names than those of MPI.
std::optional<std::string> mpi_name(std::string_view name) {
  constexpr std::string_view kPrefix = "MPI_";
  if (name.starts_with(kPrefix) && name.size() > kPrefix.size()) return std::string(name);
  if (!name.starts_with("mpi_")) return std::nullopt;
  while (name.ends_with('_')) name.remove_suffix(1);
  if (name.size() <= kPrefix.size()) return std::nullopt;
  std::string call(kPrefix);
  call += static_cast<char>(std::toupper(static_cast<unsigned char>(name[kPrefix.size()])));
  for (const char c : name.substr(kPrefix.size() + 1))
    call += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return call;
}

}  // namespace

Region region_of(std::string_view name) {
  Region r;
  const auto call = mpi_name(name);
  r.name = call ? *call : std::string(name);
  if (!call) {
    if (name == "TRACE BUFFER FLUSH") r.of = RegionClass::flush;
    return r;
  }
  const auto short_name = std::string_view(r.name).substr(4);
  const auto padded = " " + std::string(short_name) + " ";
  const auto* const row =
      std::find_if(kCallsOfClasses.begin(), kCallsOfClasses.end(),
                   [&](const CallsOfClass& c) { return c.names.find(padded) != c.names.npos; });
  r.of = row != kCallsOfClasses.end()      ? row->of
         : short_name.starts_with("File_") ? RegionClass::file
         : short_name.starts_with("Neighbor_") || short_name.starts_with("Ineighbor_")
             ? RegionClass::neighbour
             : RegionClass::local;
  if (short_name == "Ssend" || short_name == "Issend") r.mode = SendMode::synchronous;
  if (short_name == "Bsend" || short_name == "Ibsend") r.mode = SendMode::buffered;
  r.tests = short_name.starts_with("Test") && short_name != "Test_cancelled";
  if (r.of == RegionClass::creation) r.kind = creation_kind(short_name);
  return r;
}

}  // namespace busline::otf2
