// The calls that a DUMPI trace can hold and the arguments that each record stores, in the order on disk.
// docs/reference/dumpi.md explains the types. Root-only arguments (marked ?) are present if the first rank
// argument equals the root.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "workloads/dumpi/format/mpi3_table.hpp"

namespace busline::dumpi {

inline constexpr std::string_view kNeverRecorded = "-";
inline constexpr std::size_t kFileFunctions = 293;     ///< ids 0 .. 292: those of records in files
inline constexpr std::size_t kCountedFunctions = 290;  ///< those with entries in the footer
inline constexpr std::uint16_t kEndOfStream = 293;
/// With those of kMpi3Table, whose records lie in annotations.
inline constexpr std::size_t kFunctions = kFirstMpi3 + kMpi3Table.size();

namespace detail {

/// By function id.
inline constexpr std::array<FunctionRow, kFileFunctions> kFileTable{{
    // 0
    {"MPI_Send", "count:i32 datatype:dtype dest:dest tag:tag comm:comm"},
    {"MPI_Recv", "count:i32 datatype:dtype source:source tag:tag comm:comm status:status"},
    {"MPI_Get_count", "status:status datatype:dtype count:i32"},
    {"MPI_Bsend", "count:i32 datatype:dtype dest:dest tag:tag comm:comm"},
    {"MPI_Ssend", "count:i32 datatype:dtype dest:dest tag:tag comm:comm"},
    {"MPI_Rsend", "count:i32 datatype:dtype dest:dest tag:tag comm:comm"},
    {"MPI_Buffer_attach", "size:i32"},
    {"MPI_Buffer_detach", "size:i32"},
    {"MPI_Isend", "count:i32 datatype:dtype dest:dest tag:i32 comm:comm request:req"},
    {"MPI_Ibsend", "count:i32 datatype:dtype dest:dest tag:tag comm:comm request:req"},
    // 10
    {"MPI_Issend", "count:i32 datatype:dtype dest:dest tag:tag comm:comm request:req"},
    {"MPI_Irsend", "count:i32 datatype:dtype dest:dest tag:tag comm:comm request:req"},
    {"MPI_Irecv", "count:i32 datatype:dtype source:source tag:tag comm:comm request:req"},
    {"MPI_Wait", "request:req status:status"},
    {"MPI_Test", "request:req flag:i32 status:status"},
    {"MPI_Request_free", "request:req"},
    {"MPI_Waitany", "count:i32 requests:req[] index:i32 status:status"},
    {"MPI_Testany", "count:i32 requests:req[] index:i32 flag:i32 status:status"},
    {"MPI_Waitall", "count:i32 requests:req[] statuses:status[]"},
    {"MPI_Testall", "count:i32 requests:req[] flag:i32 statuses:status[]"},
    // 20
    {"MPI_Waitsome", "count:i32 requests:req[] outcount:i32 indices:i32[] statuses:status[]"},
    {"MPI_Testsome", "count:i32 requests:req[] outcount:i32 indices:i32[] statuses:status[]"},
    {"MPI_Iprobe", "source:source tag:tag comm:comm flag:i32 status:status"},
    {"MPI_Probe", "source:source tag:tag comm:comm status:status"},
    {"MPI_Cancel", "request:req"},
    {"MPI_Test_cancelled", "status:status cancelled:i32"},
    {"MPI_Send_init", "count:i32 datatype:dtype dest:dest tag:tag comm:comm request:req"},
    {"MPI_Bsend_init", "count:i32 datatype:dtype dest:dest tag:tag comm:comm request:req"},
    {"MPI_Ssend_init", "count:i32 datatype:dtype dest:dest tag:tag comm:comm request:req"},
    {"MPI_Rsend_init", "count:i32 datatype:dtype dest:dest tag:tag comm:comm request:req"},
    // 30
    {"MPI_Recv_init", "count:i32 datatype:dtype source:source tag:tag comm:comm request:req"},
    {"MPI_Start", "request:req"},
    {"MPI_Startall", "count:i32 requests:req[]"},
    {"MPI_Sendrecv",
     "sendcount:i32 sendtype:dtype dest:dest sendtag:tag recvcount:i32 recvtype:dtype source:source "
     "recvtag:tag comm:comm status:status"},
    {"MPI_Sendrecv_replace",
     "count:i32 datatype:dtype dest:dest sendtag:tag source:source recvtag:tag comm:comm status:status"},
    {"MPI_Type_contiguous", "count:i32 oldtype:dtype newtype:dtype"},
    {"MPI_Type_vector", "count:i32 blocklength:i32 stride:i32 oldtype:dtype newtype:dtype"},
    {"MPI_Type_hvector", "count:i32 blocklength:i32 stride:i32 oldtype:dtype newtype:dtype"},
    {"MPI_Type_indexed", "count:i32 lengths:i32[] indices:i32[] oldtype:dtype newtype:dtype"},
    {"MPI_Type_hindexed", "count:i32 lengths:i32[] indices:i32[] oldtype:dtype newtype:dtype"},
    // 40
    {"MPI_Type_struct", "count:i32 lengths:i32[] indices:i32[] oldtypes:dtype[] newtype:dtype"},
    {"MPI_Address", "address:i32"},
    {"MPI_Type_extent", "datatype:dtype extent:i32"},
    {"MPI_Type_size", "datatype:dtype size:i32"},
    {"MPI_Type_lb", "datatype:dtype lb:i32"},
    {"MPI_Type_ub", "datatype:dtype ub:i32"},
    {"MPI_Type_commit", "datatype:dtype"},
    {"MPI_Type_free", "datatype:dtype"},
    {"MPI_Get_elements", "status:status datatype:dtype elements:i32"},
    {"MPI_Pack", "incount:i32 datatype:dtype outcount:i32 position_in:i32 position_out:i32 comm:comm"},
    // 50
    {"MPI_Unpack", "incount:i32 position_in:i32 position_out:i32 outcount:i32 datatype:dtype comm:comm"},
    {"MPI_Pack_size", "incount:i32 datatype:dtype comm:comm size:i32"},
    {"MPI_Barrier", "comm:comm"},
    {"MPI_Bcast", "count:i32 datatype:dtype root:i32 comm:comm"},
    {"MPI_Gather",
     "commrank:i32 sendcount:i32 sendtype:dtype root:i32 comm:comm recvcount:i32? recvtype:dtype?"},
    {"MPI_Gatherv",
     "commrank:i32 commsize:i32 sendcount:i32 sendtype:dtype root:i32 comm:comm recvcounts:i32[]? "
     "displs:i32[]? recvtype:dtype"},
    {"MPI_Scatter",
     "commrank:i32 recvcount:i32 recvtype:dtype root:i32 comm:comm sendcount:i32? sendtype:dtype?"},
    {"MPI_Scatterv",
     "commrank:i32 commsize:i32 sendtype:dtype recvcount:i32 recvtype:dtype root:i32 comm:comm "
     "sendcounts:i32[]? displs:i32[]?"},
    {"MPI_Allgather", "sendcount:i32 sendtype:dtype recvcount:i32 recvtype:dtype comm:comm"},
    {"MPI_Allgatherv",
     "commsize:i32 sendcount:i32 sendtype:dtype recvcounts:i32[] displs:i32[] recvtype:dtype comm:comm"},
    // 60
    {"MPI_Alltoall", "sendcount:i32 sendtype:dtype recvcount:i32 recvtype:dtype comm:comm"},
    {"MPI_Alltoallv",
     "commsize:i32 sendcounts:i32[] senddispls:i32[] sendtype:dtype recvcounts:i32[] recvdispls:i32[] "
     "recvtype:dtype comm:comm"},
    {"MPI_Reduce", "count:i32 datatype:dtype op:op root:i32 comm:comm"},
    {"MPI_Op_create", "commute:i32 op:op"},
    {"MPI_Op_free", "op:op"},
    {"MPI_Allreduce", "count:i32 datatype:dtype op:op comm:comm"},
    {"MPI_Reduce_scatter", "commsize:i32 recvcounts:i32[] datatype:dtype op:op comm:comm"},
    {"MPI_Scan", "count:i32 datatype:dtype op:op comm:comm"},
    {"MPI_Group_size", "group:group size:i32"},
    {"MPI_Group_rank", "group:group rank:i32"},
    // 70
    {"MPI_Group_translate_ranks", "group1:group count:i32 ranks1:i32[] group2:group ranks2:i32[]"},
    {"MPI_Group_compare", "group1:group group2:group result:cmp"},
    {"MPI_Comm_group", "comm:comm group:group"},
    {"MPI_Group_union", "group1:group group2:group newgroup:group"},
    {"MPI_Group_intersection", "group1:group group2:group newgroup:group"},
    {"MPI_Group_difference", "group1:group group2:group newgroup:group"},
    {"MPI_Group_incl", "group:group count:i32 ranks:i32[] newgroup:group"},
    {"MPI_Group_excl", "group:group count:i32 ranks:i32[] newgroup:group"},
    {"MPI_Group_range_incl", "group:group count:i32 ranges:i32[][] newgroup:group"},
    {"MPI_Group_range_excl", "group:group count:i32 ranges:i32[][] newgroup:group"},
    // 80
    {"MPI_Group_free", "group:group"},
    {"MPI_Comm_size", "comm:comm size:i32"},
    {"MPI_Comm_rank", "comm:comm rank:i32"},
    {"MPI_Comm_compare", "comm1:comm comm2:comm result:cmp"},
    {"MPI_Comm_dup", "oldcomm:comm newcomm:comm"},
    {"MPI_Comm_create", "oldcomm:comm group:group newcomm:comm"},
    {"MPI_Comm_split", "oldcomm:comm color:i32 key:i32 newcomm:comm"},
    {"MPI_Comm_free", "comm:comm"},
    {"MPI_Comm_test_inter", "comm:comm inter:i32"},
    {"MPI_Comm_remote_size", "comm:comm size:i32"},
    // 90
    {"MPI_Comm_remote_group", "comm:comm group:group"},
    {"MPI_Intercomm_create",
     "localcomm:comm localleader:i32 remotecomm:comm remoteleader:i32 tag:tag newcomm:comm"},
    {"MPI_Intercomm_merge", "comm:comm high:i32 newcomm:comm"},
    {"MPI_Keyval_create", "key:keyval"},
    {"MPI_Keyval_free", "key:keyval"},
    {"MPI_Attr_put", "comm:comm key:i32"},
    {"MPI_Attr_get", "comm:comm key:i32 flag:i32"},
    {"MPI_Attr_delete", "comm:comm key:i32"},
    {"MPI_Topo_test", "comm:comm topo:topo"},
    {"MPI_Cart_create", "oldcomm:comm ndim:i32 dims:i32[] periods:i32[] reorder:i32 newcomm:comm"},
    // 100
    {"MPI_Dims_create", "nodes:i32 ndim:i32 dims_in:i32[] dims_out:i32[]"},
    {"MPI_Graph_create",
     "numedges:i32 oldcomm:comm nodes:i32 index:i32[] edges:i32[] reorder:i32 newcomm:comm"},
    {"MPI_Graphdims_get", "comm:comm nodes:i32 edges:i32"},
    {"MPI_Graph_get",
     "totedges:i32 totnodes:i32 comm:comm maxindex:i32 maxedges:i32 index:i32[] edges:i32[]"},
    {"MPI_Cartdim_get", "comm:comm ndim:i32"},
    {"MPI_Cart_get", "ndim:i32 comm:comm maxdims:i32 dims:i32[] periods:i32[] coords:i32[]"},
    {"MPI_Cart_rank", "ndim:i32 comm:comm coords:i32[] rank:i32"},
    {"MPI_Cart_coords", "ndim:i32 comm:comm rank:i32 maxdims:i32 coords:i32[]"},
    {"MPI_Graph_neighbors_count", "comm:comm rank:i32 nneigh:i32"},
    {"MPI_Graph_neighbors", "nneigh:i32 comm:comm rank:i32 maxneighbors:i32 neighbors:i32[]"},
    // 110
    {"MPI_Cart_shift", "comm:comm direction:i32 displ:i32 source:source dest:dest"},
    {"MPI_Cart_sub", "ndim:i32 oldcomm:comm remain_dims:i32[] newcomm:comm"},
    {"MPI_Cart_map", "comm:comm ndim:i32 dims:i32[] period:i32[] newrank:i32"},
    {"MPI_Graph_map", "numedges:i32 comm:comm nodes:i32 index:i32[] edges:i32[] newrank:i32"},
    {"MPI_Get_processor_name", "name:str resultlen:i32"},
    {"MPI_Get_version", "version:i32 subversion:i32"},
    {"MPI_Errhandler_create", "errhandler:errh"},
    {"MPI_Errhandler_set", "comm:comm errhandler:errh"},
    {"MPI_Errhandler_get", "comm:comm errhandler:errh"},
    {"MPI_Errhandler_free", "errhandler:errh"},
    // 120
    {"MPI_Error_string", "errorcode:i32 errorstring:str resultlen:i32"},
    {"MPI_Error_class", "errorcode:i32 errorclass:i32"},
    {"MPI_Wtime", ""},
    {"MPI_Wtick", ""},
    {"MPI_Init", "argv:str[]"},
    {"MPI_Finalize", ""},
    {"MPI_Initialized", "result:i32"},
    {"MPI_Abort", "comm:comm errorcode:i32"},
    {"MPI_Pcontrol", kNeverRecorded},
    {"MPI_Close_port", "portname:str"},
    // 130
    {"MPI_Comm_accept", "portname:str info:info root:i32 oldcomm:comm newcomm:comm"},
    {"MPI_Comm_connect", "portname:str info:info root:i32 oldcomm:comm newcomm:comm"},
    {"MPI_Comm_disconnect", "comm:comm"},
    {"MPI_Comm_get_parent", "parent:comm"},
    {"MPI_Comm_join", "fd:i32 comm:comm"},
    {"MPI_Comm_spawn",
     "oldcommrank:i32 root:i32 oldcomm:comm newcomm:comm command:str? argv:str[]? maxprocs:i32? info:info? "
     "errcodes:i32[]?"},
    {"MPI_Comm_spawn_multiple",
     "totprocs:i32 oldcommrank:i32 root:i32 oldcomm:comm newcomm:comm count:i32? commands:str[]? "
     "argvs:str[][]? maxprocs:i32[]? info:info[]? errcodes:i32[]?"},
    {"MPI_Lookup_name", "servicename:str info:info portname:str"},
    {"MPI_Open_port", "info:info portname:str"},
    {"MPI_Publish_name", "servicename:str info:info portname:str"},
    // 140
    {"MPI_Unpublish_name", "servicename:str info:info portname:str"},
    {"MPI_Accumulate",
     "origincount:i32 origintype:dtype targetrank:i32 targetdisp:i32 targetcount:i32 targettype:dtype op:op "
     "win:win"},
    {"MPI_Get",
     "origincount:i32 origintype:dtype targetrank:i32 targetdisp:i32 targetcount:i32 targettype:dtype "
     "win:win"},
    {"MPI_Put",
     "origincount:i32 origintype:dtype targetrank:i32 targetdisp:i32 targetcount:i32 targettype:dtype "
     "win:win"},
    {"MPI_Win_complete", "win:win"},
    {"MPI_Win_create", "size:i32 dispunit:i32 info:info comm:comm win:win"},
    {"MPI_Win_fence", "assertion:winassert win:win"},
    {"MPI_Win_free", "win:win"},
    {"MPI_Win_get_group", "win:win group:group"},
    {"MPI_Win_lock", "locktype:locktype winrank:i32 assertion:winassert win:win"},
    // 150
    {"MPI_Win_post", "group:group assertion:winassert win:win"},
    {"MPI_Win_start", "group:group assertion:winassert win:win"},
    {"MPI_Win_test", "win:win flag:i32"},
    {"MPI_Win_unlock", "winrank:i32 win:win"},
    {"MPI_Win_wait", "win:win"},
    {"MPI_Alltoallw",
     "commsize:i32 sendcounts:i32[] senddispls:i32[] sendtypes:dtype[] recvcounts:i32[] recvdispls:i32[] "
     "recvtypes:dtype[] comm:comm"},
    {"MPI_Exscan", "count:i32 datatype:dtype op:op comm:comm"},
    {"MPI_Add_error_class", "errorclass:i32"},
    {"MPI_Add_error_code", "errorclass:i32 errorcode:i32"},
    {"MPI_Add_error_string", "errorcode:i32 errorstring:str"},
    // 160
    {"MPI_Comm_call_errhandler", "comm:comm errorcode:i32"},
    {"MPI_Comm_create_keyval", "keyval:keyval"},
    {"MPI_Comm_delete_attr", "comm:comm keyval:keyval"},
    {"MPI_Comm_free_keyval", "keyval:keyval"},
    {"MPI_Comm_get_attr", "comm:comm keyval:keyval flag:i32"},
    {"MPI_Comm_get_name", "comm:comm name:str resultlen:i32"},
    {"MPI_Comm_set_attr", "comm:comm keyval:keyval"},
    {"MPI_Comm_set_name", "comm:comm name:str"},
    {"MPI_File_call_errhandler", "file:file errorcode:i32"},
    {"MPI_Grequest_complete", "request:req"},
    // 170
    {"MPI_Grequest_start", "request:req"},
    {"MPI_Init_thread", "argv:str[] required:thrlevel provided:thrlevel"},
    {"MPI_Is_thread_main", "flag:i32"},
    {"MPI_Query_thread", "supported:thrlevel"},
    {"MPI_Status_set_cancelled", "status:status flag:i32"},
    {"MPI_Status_set_elements", "status:status datatype:dtype count:i32"},
    {"MPI_Type_create_keyval", "keyval:keyval"},
    {"MPI_Type_delete_attr", "datatype:dtype keyval:keyval"},
    {"MPI_Type_dup", "oldtype:dtype newtype:dtype"},
    {"MPI_Type_free_keyval", "keyval:keyval"},
    // 180
    {"MPI_Type_get_attr", "datatype:dtype keyval:keyval flag:i32"},
    {"MPI_Type_get_contents",
     "numdatatypes:i32 numaddresses:i32 numintegers:i32 datatype:dtype maxintegers:i32 maxaddresses:i32 "
     "maxdatatypes:i32 arrintegers:i32[] arraddresses:i32[] arrdatatypes:dtype[]"},
    {"MPI_Type_get_envelope",
     "datatype:dtype numintegers:i32 numaddresses:i32 numdatatypes:i32 combiner:combiner"},
    {"MPI_Type_get_name", "datatype:dtype name:str resultlen:i32"},
    {"MPI_Type_set_attr", "datatype:dtype keyval:keyval"},
    {"MPI_Type_set_name", "datatype:dtype name:str"},
    {"MPI_Type_match_size", "typeclass:typeclass size:i32 datatype:dtype"},
    {"MPI_Win_call_errhandler", "win:win errorcode:i32"},
    {"MPI_Win_create_keyval", "keyval:keyval"},
    {"MPI_Win_delete_attr", "win:win keyval:keyval"},
    // 190
    {"MPI_Win_free_keyval", "keyval:keyval"},
    {"MPI_Win_get_attr", "win:win keyval:keyval flag:i32"},
    {"MPI_Win_get_name", "win:win name:str resultlen:i32"},
    {"MPI_Win_set_attr", "win:win keyval:keyval"},
    {"MPI_Win_set_name", "win:win name:str"},
    {"MPI_Alloc_mem", "size:i32 info:info"},
    {"MPI_Comm_create_errhandler", "errhandler:errh"},
    {"MPI_Comm_get_errhandler", "comm:comm errhandler:errh"},
    {"MPI_Comm_set_errhandler", "comm:comm errhandler:errh"},
    {"MPI_File_create_errhandler", "errhandler:errh"},
    // 200
    {"MPI_File_get_errhandler", "file:file errhandler:errh"},
    {"MPI_File_set_errhandler", "file:file errhandler:errh"},
    {"MPI_Finalized", "flag:i32"},
    {"MPI_Free_mem", ""},
    {"MPI_Get_address", "address:i32"},
    {"MPI_Info_create", "info:info"},
    {"MPI_Info_delete", "info:info key:str"},
    {"MPI_Info_dup", "oldinfo:info newinfo:info"},
    {"MPI_Info_free", "info:info"},
    {"MPI_Info_get", "info:info key:str valuelength:i32 value:str flag:i32"},
    // 210
    {"MPI_Info_get_nkeys", "info:info nkeys:i32"},
    {"MPI_Info_get_nthkey", "info:info n:i32 key:str"},
    {"MPI_Info_get_valuelen", "info:info key:str valuelen:i32 flag:i32"},
    {"MPI_Info_set", "info:info key:str value:str"},
    {"MPI_Pack_external",
     "datarep:str incount:i32 intype:dtype outcount:i32 position_in:i32 position_out:i32"},
    {"MPI_Pack_external_size", "datarep:str incount:i32 datatype:dtype size:i32"},
    {"MPI_Request_get_status", "request:req flag:i32 status:status"},
    {"MPI_Type_create_darray",
     "size:i32 rank:i32 ndims:i32 gsizes:i32[] distribs:distrib[] dargs:i32[] psizes:i32[] order:order "
     "oldtype:dtype newtype:dtype"},
    {"MPI_Type_create_hindexed",
     "count:i32 blocklengths:i32[] displacements:i32[] oldtype:dtype newtype:dtype"},
    {"MPI_Type_create_hvector", "count:i32 blocklength:i32 stride:i32 oldtype:dtype newtype:dtype"},
    // 220
    {"MPI_Type_create_indexed_block",
     "count:i32 blocklength:i32 displacments:i32[] oldtype:dtype newtype:dtype"},
    {"MPI_Type_create_resized", "oldtype:dtype lb:i32 extent:i32 newtype:dtype"},
    {"MPI_Type_create_struct",
     "count:i32 blocklengths:i32[] displacements:i32[] oldtypes:dtype[] newtype:dtype"},
    {"MPI_Type_create_subarray",
     "ndims:i32 sizes:i32[] subsizes:i32[] starts:i32[] order:order oldtype:dtype newtype:dtype"},
    {"MPI_Type_get_extent", "datatype:dtype lb:i32 extent:i32"},
    {"MPI_Type_get_true_extent", "datatype:dtype lb:i32 extent:i32"},
    {"MPI_Unpack_external",
     "datarep:str insize:i32 position_in:i32 position_out:i32 outcount:i32 datatype:dtype"},
    {"MPI_Win_create_errhandler", "errhandler:errh"},
    {"MPI_Win_get_errhandler", "win:win errhandler:errh"},
    {"MPI_Win_set_errhandler", "win:win errhandler:errh"},
    // 230
    {"MPI_File_open", "comm:comm filename:str amode:filemode info:info file:file"},
    {"MPI_File_close", "file:file"},
    {"MPI_File_delete", "filename:str info:info"},
    {"MPI_File_set_size", "file:file size:i64"},
    {"MPI_File_preallocate", "file:file size:i64"},
    {"MPI_File_get_size", "file:file size:i64"},
    {"MPI_File_get_group", "file:file group:group"},
    {"MPI_File_get_amode", "file:file amode:filemode"},
    {"MPI_File_set_info", "file:file info:info"},
    {"MPI_File_get_info", "file:file info:info"},
    // 240
    {"MPI_File_set_view", "file:file offset:i64 hosttype:dtype filetype:dtype datarep:str info:info"},
    {"MPI_File_get_view", "file:file offset:i64 hosttype:dtype filetype:dtype datarep:str"},
    {"MPI_File_read_at", "file:file offset:i64 count:i32 datatype:dtype status:status"},
    {"MPI_File_read_at_all", "file:file offset:i64 count:i32 datatype:dtype status:status"},
    {"MPI_File_write_at", "file:file offset:i64 count:i32 datatype:dtype status:status"},
    {"MPI_File_write_at_all", "file:file offset:i64 count:i32 datatype:dtype status:status"},
    {"MPI_File_iread_at", "file:file offset:i64 count:i32 datatype:dtype request:ioreq"},
    {"MPI_File_iwrite_at", "file:file offset:i64 count:i32 datatype:dtype request:ioreq"},
    {"MPI_File_read", "file:file count:i32 datatype:dtype status:status"},
    {"MPI_File_read_all", "file:file count:i32 datatype:dtype status:status"},
    // 250
    {"MPI_File_write", "file:file count:i32 datatype:dtype status:status"},
    {"MPI_File_write_all", "file:file count:i32 datatype:dtype status:status"},
    {"MPI_File_iread", "file:file count:i32 datatype:dtype request:ioreq"},
    {"MPI_File_iwrite", "file:file count:i32 datatype:dtype request:ioreq"},
    {"MPI_File_seek", "file:file offset:i64 whence:whence"},
    {"MPI_File_get_position", "file:file offset:i64"},
    {"MPI_File_get_byte_offset", "file:file offset:i64 bytes:i64"},
    {"MPI_File_read_shared", "file:file count:i32 datatype:dtype status:status"},
    {"MPI_File_write_shared", "file:file count:i32 datatype:dtype status:status"},
    {"MPI_File_iread_shared", "file:file count:i32 datatype:dtype request:ioreq"},
    // 260
    {"MPI_File_iwrite_shared", "file:file count:i32 datatype:dtype request:ioreq"},
    {"MPI_File_read_ordered", "file:file count:i32 datatype:dtype status:status"},
    {"MPI_File_write_ordered", "file:file count:i32 datatype:dtype status:status"},
    {"MPI_File_seek_shared", "file:file offset:i64 whence:whence"},
    {"MPI_File_get_position_shared", "file:file offset:i64"},
    {"MPI_File_read_at_all_begin", "file:file offset:i64 count:i32 datatype:dtype"},
    {"MPI_File_read_at_all_end", "file:file status:status"},
    {"MPI_File_write_at_all_begin", "file:file offset:i64 count:i32 datatype:dtype"},
    {"MPI_File_write_at_all_end", "file:file status:status"},
    {"MPI_File_read_all_begin", "file:file count:i32 datatype:dtype"},
    // 270
    {"MPI_File_read_all_end", "file:file status:status"},
    {"MPI_File_write_all_begin", "file:file count:i32 datatype:dtype"},
    {"MPI_File_write_all_end", "file:file status:status"},
    {"MPI_File_read_ordered_begin", "file:file count:i32 datatype:dtype"},
    {"MPI_File_read_ordered_end", "file:file status:status"},
    {"MPI_File_write_ordered_begin", "file:file count:i32 datatype:dtype"},
    {"MPI_File_write_ordered_end", "file:file status:status"},
    {"MPI_File_get_type_extent", "file:file datatype:dtype extent:i32"},
    {"MPI_Register_datarep", "name:str"},
    {"MPI_File_set_atomicity", "file:file flag:i32"},
    // 280
    {"MPI_File_get_atomicity", "file:file flag:i32"},
    {"MPI_File_sync", "file:file"},
    {"MPIO_Test", "request:ioreq flag:i32 status:status"},
    {"MPIO_Wait", "request:ioreq status:status"},
    {"MPIO_Testall", "count:i32 requests:ioreq[] flag:i32 statuses:status[]"},
    {"MPIO_Waitall", "count:i32 requests:ioreq[] statuses:status[]"},
    {"MPIO_Testany", "count:i32 requests:ioreq[] flag:i32 index:i32 statuses:status[]"},
    {"MPIO_Waitany", "count:i32 requests:ioreq[] index:i32 statuses:status[]"},
    {"MPIO_Waitsome", "count:i32 requests:ioreq[] outcount:i32 indices:i32[] statuses:status[]"},
    {"MPIO_Testsome", "count:i32 requests:ioreq[] outcount:i32 indices:i32[] statuses:status[]"},
    // 290
    {"", kNeverRecorded},
    {"Function_enter", "fn:i64"},
    {"Function_exit", "fn:i64"},
}};

consteval std::array<FunctionRow, kFunctions> make_function_table() {
  std::array<FunctionRow, kFunctions> all{};
  all.fill({"", kNeverRecorded});
  for (std::size_t i = 0; i < kFileFunctions; ++i) all[i] = kFileTable[i];
  for (std::size_t i = 0; i < kMpi3Table.size(); ++i) all[kFirstMpi3 + i] = kMpi3Table[i];
  return all;
}

}  // namespace detail

/// By function id.
inline constexpr auto kFunctionTable = detail::make_function_table();

/// The id of a function, at compile time: `case function_id("MPI_Send"):`.
consteval std::uint16_t function_id(std::string_view name) {
  for (std::size_t i = 0; i < kFunctions; ++i)
    if (kFunctionTable[i].name == name) return static_cast<std::uint16_t>(i);
  throw "no such function";
}

/// The index of an argument in the records of a function, at compile time: `argument("MPI_Send", "dest")`.
consteval std::size_t argument(std::string_view function, std::string_view name) {
  std::string_view rest = kFunctionTable[function_id(function)].arguments;
  for (std::size_t i = 0; !rest.empty(); ++i) {
    const auto word = rest.substr(0, rest.find(' '));
    if (word.substr(0, word.find(':')) == name) return i;
    rest.remove_prefix(word.size() == rest.size() ? word.size() : word.size() + 1);
  }
  throw "no such argument";
}

}  // namespace busline::dumpi
