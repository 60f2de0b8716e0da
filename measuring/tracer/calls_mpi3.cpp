// The calls of MPI-3 and later whose records annotations hold (workloads/dumpi/format/mpi3_table.hpp).
#include "measuring/tracer/define.hpp"

BUSLINE_TRACED(Ibarrier, comm, request)
BUSLINE_TRACED(Ibcast, _, count, datatype, root, comm, request)
BUSLINE_TRACED(Igather, sendbuf, sendcount, sendtype, _, recvcount, recvtype, root, comm, request)
BUSLINE_TRACED(Igatherv, sendbuf, sendcount, sendtype, _, recvcounts[commsize], displs[commsize], recvtype,
               root, comm, request)
BUSLINE_TRACED(Iscatter, _, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request)
BUSLINE_TRACED(Iscatterv, _, sendcounts[commsize], displs[commsize], sendtype, recvbuf, recvcount, recvtype,
               root, comm, request)
BUSLINE_TRACED(Iallgather, sendbuf, sendcount, sendtype, _, recvcount, recvtype, comm, request)
BUSLINE_TRACED(Iallgatherv, sendbuf, sendcount, sendtype, _, recvcounts[commsize], displs[commsize], recvtype,
               comm, request)
BUSLINE_TRACED(Ialltoall, sendbuf, sendcount, sendtype, _, recvcount, recvtype, comm, request)
BUSLINE_TRACED(Ialltoallv, sendbuf, sendcounts[commsize], senddispls[commsize], sendtype,  //
               _, recvcounts[commsize], recvdispls[commsize], recvtype, comm, request)
BUSLINE_TRACED(Ialltoallw, sendbuf, sendcounts[commsize], senddispls[commsize], sendtypes[commsize],  //
               _, recvcounts[commsize], recvdispls[commsize], recvtypes[commsize], comm, request)
BUSLINE_TRACED(Ireduce, _, _, count, datatype, op, root, comm, request)
BUSLINE_TRACED(Iallreduce, _, _, count, datatype, op, comm, request)
BUSLINE_TRACED(Ireduce_scatter, _, _, recvcounts[commsize], datatype, op, comm, request)
BUSLINE_TRACED(Ireduce_scatter_block, _, _, count, datatype, op, comm, request)
BUSLINE_TRACED(Iscan, _, _, count, datatype, op, comm, request)
BUSLINE_TRACED(Iexscan, _, _, count, datatype, op, comm, request)
BUSLINE_TRACED(Reduce_scatter_block, _, _, count, datatype, op, comm)

BUSLINE_TRACED(Comm_idup, oldcomm, newcomm, request)
BUSLINE_TRACED(Comm_dup_with_info, oldcomm, _, newcomm)
BUSLINE_TRACED(Comm_split_type, oldcomm, splittype, key, _, newcomm)
BUSLINE_TRACED(Comm_create_group, oldcomm, group, tag, newcomm)
BUSLINE_TRACED(Dist_graph_create, oldcomm, _, _, _, _, _, _, reorder, newcomm)
BUSLINE_TRACED(Dist_graph_create_adjacent, oldcomm, _, _, _, _, _, _, _, reorder, newcomm)

BUSLINE_TRACED(Neighbor_allgather, _, sendcount, sendtype, _, recvcount, recvtype, comm)
BUSLINE_TRACED(Neighbor_allgatherv, _, sendcount, sendtype, _, recvcounts[sources], _, recvtype, comm)
BUSLINE_TRACED(Neighbor_alltoall, _, sendcount, sendtype, _, recvcount, recvtype, comm)
BUSLINE_TRACED(Neighbor_alltoallv, _, sendcounts[destinations], _, sendtype, _, recvcounts[sources], _,
               recvtype, comm)
BUSLINE_TRACED(Neighbor_alltoallw, _, sendcounts[destinations], _, sendtypes[destinations],  //
               _, recvcounts[sources], _, recvtypes[sources], comm)
BUSLINE_TRACED(Ineighbor_allgather, _, sendcount, sendtype, _, recvcount, recvtype, comm, request)
BUSLINE_TRACED(Ineighbor_allgatherv, _, sendcount, sendtype, _, recvcounts[sources], _, recvtype, comm,
               request)
BUSLINE_TRACED(Ineighbor_alltoall, _, sendcount, sendtype, _, recvcount, recvtype, comm, request)
BUSLINE_TRACED(Ineighbor_alltoallv, _, sendcounts[destinations], _, sendtype,  //
               _, recvcounts[sources], _, recvtype, comm, request)
BUSLINE_TRACED(Ineighbor_alltoallw, _, sendcounts[destinations], _, sendtypes[destinations],  //
               _, recvcounts[sources], _, recvtypes[sources], comm, request)

BUSLINE_TRACED(Mprobe, source, tag, comm, message, status)
BUSLINE_TRACED(Improbe, source, tag, comm, flag, message, status)
BUSLINE_TRACED(Mrecv, _, count, datatype, message !, status)
BUSLINE_TRACED(Imrecv, _, count, datatype, message !, request)

BUSLINE_TRACED(Win_allocate, size, dispunit, info, comm, _, win)
BUSLINE_TRACED(Win_allocate_shared, size, dispunit, info, comm, _, win)
BUSLINE_TRACED(Win_create_dynamic, info, comm, win)
BUSLINE_TRACED(Win_lock_all, assertion, win)
BUSLINE_TRACED(Win_unlock_all, win)
BUSLINE_TRACED(Win_flush, winrank, win)
BUSLINE_TRACED(Win_flush_all, win)
BUSLINE_TRACED(Win_flush_local, winrank, win)
BUSLINE_TRACED(Win_flush_local_all, win)

BUSLINE_TRACED(Rput, _, origincount, origintype, targetrank, targetdisp, targetcount, targettype, win,
               request)
BUSLINE_TRACED(Rget, _, origincount, origintype, targetrank, targetdisp, targetcount, targettype, win,
               request)
BUSLINE_TRACED(Raccumulate, _, origincount, origintype, targetrank, targetdisp, targetcount, targettype, op,
               win, request)
BUSLINE_TRACED(Get_accumulate, _, origincount, origintype, _, resultcount, resulttype, targetrank, targetdisp,
               targetcount, targettype, op, win)
BUSLINE_TRACED(Rget_accumulate, _, origincount, origintype, _, resultcount, resulttype, targetrank,
               targetdisp, targetcount, targettype, op, win, request)
BUSLINE_TRACED(Fetch_and_op, _, _, datatype, targetrank, targetdisp, op, win)
BUSLINE_TRACED(Compare_and_swap, _, _, _, datatype, targetrank, targetdisp, win)

#if MPI_VERSION >= 4
BUSLINE_TRACED(Comm_idup_with_info, oldcomm, _, newcomm, request)
BUSLINE_TRACED(Barrier_init, comm, _, request)
BUSLINE_TRACED(Bcast_init, _, count, datatype, root, comm, _, request)
BUSLINE_TRACED(Gather_init, sendbuf, sendcount, sendtype, _, recvcount, recvtype, root, comm, _, request)
BUSLINE_TRACED(Gatherv_init, sendbuf, sendcount, sendtype, _, recvcounts[commsize], displs[commsize],
               recvtype, root, comm, _, request)
BUSLINE_TRACED(Scatter_init, _, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, _, request)
BUSLINE_TRACED(Scatterv_init, _, sendcounts[commsize], displs[commsize], sendtype, recvbuf, recvcount,
               recvtype, root, comm, _, request)
BUSLINE_TRACED(Allgather_init, sendbuf, sendcount, sendtype, _, recvcount, recvtype, comm, _, request)
BUSLINE_TRACED(Allgatherv_init, sendbuf, sendcount, sendtype, _, recvcounts[commsize], displs[commsize],
               recvtype, comm, _, request)
BUSLINE_TRACED(Alltoall_init, sendbuf, sendcount, sendtype, _, recvcount, recvtype, comm, _, request)
BUSLINE_TRACED(Alltoallv_init, sendbuf, sendcounts[commsize], senddispls[commsize], sendtype,  //
               _, recvcounts[commsize], recvdispls[commsize], recvtype, comm, _, request)
BUSLINE_TRACED(Alltoallw_init, sendbuf, sendcounts[commsize], senddispls[commsize], sendtypes[commsize],  //
               _, recvcounts[commsize], recvdispls[commsize], recvtypes[commsize], comm, _, request)
BUSLINE_TRACED(Reduce_init, _, _, count, datatype, op, root, comm, _, request)
BUSLINE_TRACED(Allreduce_init, _, _, count, datatype, op, comm, _, request)
BUSLINE_TRACED(Reduce_scatter_init, _, _, recvcounts[commsize], datatype, op, comm, _, request)
BUSLINE_TRACED(Reduce_scatter_block_init, _, _, count, datatype, op, comm, _, request)
BUSLINE_TRACED(Scan_init, _, _, count, datatype, op, comm, _, request)
BUSLINE_TRACED(Exscan_init, _, _, count, datatype, op, comm, _, request)
BUSLINE_TRACED(Neighbor_allgather_init, _, sendcount, sendtype, _, recvcount, recvtype, comm, _, request)
BUSLINE_TRACED(Neighbor_allgatherv_init, _, sendcount, sendtype, _, recvcounts[sources], _, recvtype, comm, _,
               request)
BUSLINE_TRACED(Neighbor_alltoall_init, _, sendcount, sendtype, _, recvcount, recvtype, comm, _, request)
BUSLINE_TRACED(Neighbor_alltoallv_init, _, sendcounts[destinations], _, sendtype,  //
               _, recvcounts[sources], _, recvtype, comm, _, request)
BUSLINE_TRACED(Neighbor_alltoallw_init, _, sendcounts[destinations], _, sendtypes[destinations],  //
               _, recvcounts[sources], _, recvtypes[sources], comm, _, request)
#endif
