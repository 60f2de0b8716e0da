// The calls of MPI-3 and later of which a trace can hold the arguments. The format has no function ids for
// them: their records, which are made like those of the format, lie in annotations (docs/reference/dumpi.md,
// "MPI-3"). The ids are part of the layout: rows are only ever added, at the end.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace busline::dumpi {

/// One kind of record: `arguments` is a list of name:type, separated by blanks.
struct FunctionRow {
  std::string_view name;
  std::string_view arguments;
};

inline constexpr std::string_view kAnnotationPrefix = "ANNOTATION: ";  ///< of a label that is not a function
inline constexpr std::string_view kMpi3Prefix = "MPI-3: ";             ///< behind it: the label of a call

inline constexpr std::uint16_t kFirstMpi3 = 300;  ///< the function id of the first row

inline constexpr std::array<FunctionRow, 77> kMpi3Table{{
    // 300: non-blocking collectives, with the arguments of the blocking ones
    {"MPI_Ibarrier", "comm:comm request:req"},
    {"MPI_Ibcast", "count:i32 datatype:dtype root:i32 comm:comm request:req"},
    {"MPI_Igather",
     "commrank:i32 sendcount:i32 sendtype:dtype root:i32 comm:comm recvcount:i32? recvtype:dtype? "
     "request:req"},
    {"MPI_Igatherv",
     "commrank:i32 commsize:i32 sendcount:i32 sendtype:dtype root:i32 comm:comm recvcounts:i32[]? "
     "displs:i32[]? recvtype:dtype request:req"},
    {"MPI_Iscatter",
     "commrank:i32 recvcount:i32 recvtype:dtype root:i32 comm:comm sendcount:i32? sendtype:dtype? "
     "request:req"},
    {"MPI_Iscatterv",
     "commrank:i32 commsize:i32 sendtype:dtype recvcount:i32 recvtype:dtype root:i32 comm:comm "
     "sendcounts:i32[]? displs:i32[]? request:req"},
    {"MPI_Iallgather", "sendcount:i32 sendtype:dtype recvcount:i32 recvtype:dtype comm:comm request:req"},
    {"MPI_Iallgatherv",
     "commsize:i32 sendcount:i32 sendtype:dtype recvcounts:i32[] displs:i32[] recvtype:dtype comm:comm "
     "request:req"},
    {"MPI_Ialltoall", "sendcount:i32 sendtype:dtype recvcount:i32 recvtype:dtype comm:comm request:req"},
    {"MPI_Ialltoallv",
     "commsize:i32 sendcounts:i32[] senddispls:i32[] sendtype:dtype recvcounts:i32[] recvdispls:i32[] "
     "recvtype:dtype comm:comm request:req"},
    {"MPI_Ialltoallw",
     "commsize:i32 sendcounts:i32[] senddispls:i32[] sendtypes:dtype[] recvcounts:i32[] recvdispls:i32[] "
     "recvtypes:dtype[] comm:comm request:req"},
    {"MPI_Ireduce", "count:i32 datatype:dtype op:op root:i32 comm:comm request:req"},
    {"MPI_Iallreduce", "count:i32 datatype:dtype op:op comm:comm request:req"},
    {"MPI_Ireduce_scatter", "commsize:i32 recvcounts:i32[] datatype:dtype op:op comm:comm request:req"},
    {"MPI_Ireduce_scatter_block", "count:i32 datatype:dtype op:op comm:comm request:req"},
    {"MPI_Iscan", "count:i32 datatype:dtype op:op comm:comm request:req"},
    {"MPI_Iexscan", "count:i32 datatype:dtype op:op comm:comm request:req"},
    {"MPI_Reduce_scatter_block", "count:i32 datatype:dtype op:op comm:comm"},
    // 318: communicators; "ranks" are the members, as ranks of the old communicator
    {"MPI_Comm_idup", "oldcomm:comm newcomm:comm request:req"},
    {"MPI_Comm_dup_with_info", "oldcomm:comm newcomm:comm"},
    {"MPI_Comm_split_type", "oldcomm:comm splittype:i32 key:i32 newcomm:comm ranks:i32[]"},
    {"MPI_Comm_create_group", "oldcomm:comm group:group tag:tag newcomm:comm ranks:i32[]"},
    {"MPI_Dist_graph_create",
     "oldcomm:comm reorder:i32 newcomm:comm ranks:i32[] sources:i32[] destinations:i32[]"},
    {"MPI_Dist_graph_create_adjacent",
     "oldcomm:comm reorder:i32 newcomm:comm ranks:i32[] sources:i32[] destinations:i32[]"},
    // 324: neighbourhood collectives; a neighbour that is MPI_PROC_NULL is negative
    {"MPI_Neighbor_allgather",
     "sendcount:i32 sendtype:dtype recvcount:i32 recvtype:dtype comm:comm sources:i32[] "
     "destinations:i32[]"},
    {"MPI_Neighbor_allgatherv",
     "sendcount:i32 sendtype:dtype recvcounts:i32[] recvtype:dtype comm:comm sources:i32[] "
     "destinations:i32[]"},
    {"MPI_Neighbor_alltoall",
     "sendcount:i32 sendtype:dtype recvcount:i32 recvtype:dtype comm:comm sources:i32[] "
     "destinations:i32[]"},
    {"MPI_Neighbor_alltoallv",
     "sendcounts:i32[] sendtype:dtype recvcounts:i32[] recvtype:dtype comm:comm sources:i32[] "
     "destinations:i32[]"},
    {"MPI_Neighbor_alltoallw",
     "sendcounts:i32[] sendtypes:dtype[] recvcounts:i32[] recvtypes:dtype[] comm:comm sources:i32[] "
     "destinations:i32[]"},
    {"MPI_Ineighbor_allgather",
     "sendcount:i32 sendtype:dtype recvcount:i32 recvtype:dtype comm:comm sources:i32[] "
     "destinations:i32[] request:req"},
    {"MPI_Ineighbor_allgatherv",
     "sendcount:i32 sendtype:dtype recvcounts:i32[] recvtype:dtype comm:comm sources:i32[] "
     "destinations:i32[] request:req"},
    {"MPI_Ineighbor_alltoall",
     "sendcount:i32 sendtype:dtype recvcount:i32 recvtype:dtype comm:comm sources:i32[] "
     "destinations:i32[] request:req"},
    {"MPI_Ineighbor_alltoallv",
     "sendcounts:i32[] sendtype:dtype recvcounts:i32[] recvtype:dtype comm:comm sources:i32[] "
     "destinations:i32[] request:req"},
    {"MPI_Ineighbor_alltoallw",
     "sendcounts:i32[] sendtypes:dtype[] recvcounts:i32[] recvtypes:dtype[] comm:comm sources:i32[] "
     "destinations:i32[] request:req"},
    // 334: matched messages; "message" numbers them
    {"MPI_Mprobe", "source:source tag:tag comm:comm message:req status:status"},
    {"MPI_Improbe", "source:source tag:tag comm:comm flag:i32 message:req status:status"},
    {"MPI_Mrecv", "count:i32 datatype:dtype message:req status:status"},
    {"MPI_Imrecv", "count:i32 datatype:dtype message:req request:req"},
    // 338: windows and epochs
    {"MPI_Win_allocate", "size:i64 dispunit:i32 info:info comm:comm win:win"},
    {"MPI_Win_allocate_shared", "size:i64 dispunit:i32 info:info comm:comm win:win"},
    {"MPI_Win_create_dynamic", "info:info comm:comm win:win"},
    {"MPI_Win_lock_all", "assertion:winassert win:win"},
    {"MPI_Win_unlock_all", "win:win"},
    {"MPI_Win_flush", "winrank:i32 win:win"},
    {"MPI_Win_flush_all", "win:win"},
    {"MPI_Win_flush_local", "winrank:i32 win:win"},
    {"MPI_Win_flush_local_all", "win:win"},
    // 347: one-sided transfers
    {"MPI_Rput",
     "origincount:i32 origintype:dtype targetrank:i32 targetdisp:i64 targetcount:i32 targettype:dtype "
     "win:win request:req"},
    {"MPI_Rget",
     "origincount:i32 origintype:dtype targetrank:i32 targetdisp:i64 targetcount:i32 targettype:dtype "
     "win:win request:req"},
    {"MPI_Raccumulate",
     "origincount:i32 origintype:dtype targetrank:i32 targetdisp:i64 targetcount:i32 targettype:dtype "
     "op:op win:win request:req"},
    {"MPI_Get_accumulate",
     "origincount:i32 origintype:dtype targetrank:i32 resultcount:i32 resulttype:dtype targetdisp:i64 "
     "targetcount:i32 targettype:dtype op:op win:win"},
    {"MPI_Rget_accumulate",
     "origincount:i32 origintype:dtype targetrank:i32 resultcount:i32 resulttype:dtype targetdisp:i64 "
     "targetcount:i32 targettype:dtype op:op win:win request:req"},
    {"MPI_Fetch_and_op", "datatype:dtype targetrank:i32 targetdisp:i64 op:op win:win"},
    {"MPI_Compare_and_swap", "datatype:dtype targetrank:i32 targetdisp:i64 win:win"},
    // 354: persistent collectives
    {"MPI_Barrier_init", "comm:comm request:req"},
    {"MPI_Bcast_init", "count:i32 datatype:dtype root:i32 comm:comm request:req"},
    {"MPI_Gather_init",
     "commrank:i32 sendcount:i32 sendtype:dtype root:i32 comm:comm recvcount:i32? recvtype:dtype? "
     "request:req"},
    {"MPI_Gatherv_init",
     "commrank:i32 commsize:i32 sendcount:i32 sendtype:dtype root:i32 comm:comm recvcounts:i32[]? "
     "displs:i32[]? recvtype:dtype request:req"},
    {"MPI_Scatter_init",
     "commrank:i32 recvcount:i32 recvtype:dtype root:i32 comm:comm sendcount:i32? sendtype:dtype? "
     "request:req"},
    {"MPI_Scatterv_init",
     "commrank:i32 commsize:i32 sendtype:dtype recvcount:i32 recvtype:dtype root:i32 comm:comm "
     "sendcounts:i32[]? displs:i32[]? request:req"},
    {"MPI_Allgather_init", "sendcount:i32 sendtype:dtype recvcount:i32 recvtype:dtype comm:comm request:req"},
    {"MPI_Allgatherv_init",
     "commsize:i32 sendcount:i32 sendtype:dtype recvcounts:i32[] displs:i32[] recvtype:dtype comm:comm "
     "request:req"},
    {"MPI_Alltoall_init", "sendcount:i32 sendtype:dtype recvcount:i32 recvtype:dtype comm:comm request:req"},
    {"MPI_Alltoallv_init",
     "commsize:i32 sendcounts:i32[] senddispls:i32[] sendtype:dtype recvcounts:i32[] recvdispls:i32[] "
     "recvtype:dtype comm:comm request:req"},
    {"MPI_Alltoallw_init",
     "commsize:i32 sendcounts:i32[] senddispls:i32[] sendtypes:dtype[] recvcounts:i32[] recvdispls:i32[] "
     "recvtypes:dtype[] comm:comm request:req"},
    {"MPI_Reduce_init", "count:i32 datatype:dtype op:op root:i32 comm:comm request:req"},
    {"MPI_Allreduce_init", "count:i32 datatype:dtype op:op comm:comm request:req"},
    {"MPI_Reduce_scatter_init", "commsize:i32 recvcounts:i32[] datatype:dtype op:op comm:comm request:req"},
    {"MPI_Reduce_scatter_block_init", "count:i32 datatype:dtype op:op comm:comm request:req"},
    {"MPI_Scan_init", "count:i32 datatype:dtype op:op comm:comm request:req"},
    {"MPI_Exscan_init", "count:i32 datatype:dtype op:op comm:comm request:req"},
    {"MPI_Neighbor_allgather_init",
     "sendcount:i32 sendtype:dtype recvcount:i32 recvtype:dtype comm:comm sources:i32[] "
     "destinations:i32[] request:req"},
    {"MPI_Neighbor_allgatherv_init",
     "sendcount:i32 sendtype:dtype recvcounts:i32[] recvtype:dtype comm:comm sources:i32[] "
     "destinations:i32[] request:req"},
    {"MPI_Neighbor_alltoall_init",
     "sendcount:i32 sendtype:dtype recvcount:i32 recvtype:dtype comm:comm sources:i32[] "
     "destinations:i32[] request:req"},
    {"MPI_Neighbor_alltoallv_init",
     "sendcounts:i32[] sendtype:dtype recvcounts:i32[] recvtype:dtype comm:comm sources:i32[] "
     "destinations:i32[] request:req"},
    {"MPI_Neighbor_alltoallw_init",
     "sendcounts:i32[] sendtypes:dtype[] recvcounts:i32[] recvtypes:dtype[] comm:comm sources:i32[] "
     "destinations:i32[] request:req"},
    {"MPI_Comm_idup_with_info", "oldcomm:comm newcomm:comm request:req"},
}};

}  // namespace busline::dumpi
