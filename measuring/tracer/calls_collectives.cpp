// Collective communication.
#include "measuring/tracer/define.hpp"

BUSLINE_TRACED(Barrier, comm)
BUSLINE_TRACED(Bcast, _, count, datatype, root, comm)
BUSLINE_TRACED(Gather, sendbuf, sendcount, sendtype, _, recvcount, recvtype, root, comm)
BUSLINE_TRACED(Gatherv, sendbuf, sendcount, sendtype, _, recvcounts[commsize], displs[commsize], recvtype,
               root, comm)
BUSLINE_TRACED(Scatter, _, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm)
BUSLINE_TRACED(Scatterv, _, sendcounts[commsize], displs[commsize], sendtype, recvbuf, recvcount, recvtype,
               root, comm)
BUSLINE_TRACED(Allgather, sendbuf, sendcount, sendtype, _, recvcount, recvtype, comm)
BUSLINE_TRACED(Allgatherv, sendbuf, sendcount, sendtype, _, recvcounts[commsize], displs[commsize], recvtype,
               comm)
BUSLINE_TRACED(Alltoall, sendbuf, sendcount, sendtype, _, recvcount, recvtype, comm)
BUSLINE_TRACED(Alltoallv, sendbuf, sendcounts[commsize], senddispls[commsize], sendtype,  //
               _, recvcounts[commsize], recvdispls[commsize], recvtype, comm)
BUSLINE_TRACED(Alltoallw, sendbuf, sendcounts[commsize], senddispls[commsize], sendtypes[commsize],  //
               _, recvcounts[commsize], recvdispls[commsize], recvtypes[commsize], comm)
BUSLINE_TRACED(Reduce, _, _, count, datatype, op, root, comm)
BUSLINE_TRACED(Allreduce, _, _, count, datatype, op, comm)
BUSLINE_TRACED(Reduce_scatter, _, _, recvcounts[commsize], datatype, op, comm)
BUSLINE_TRACED(Scan, _, _, count, datatype, op, comm)
BUSLINE_TRACED(Exscan, _, _, count, datatype, op, comm)
BUSLINE_TRACED(Op_create, _, commute, op)
BUSLINE_TRACED(Op_free, op !)
