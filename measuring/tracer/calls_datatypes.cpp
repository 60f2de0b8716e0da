// Datatypes and packing. Addresses are cut to 32 bits: the format has no more.
#include "measuring/tracer/define.hpp"

BUSLINE_TRACED(Type_contiguous, count, oldtype, newtype)
BUSLINE_TRACED(Type_vector, count, blocklength, stride, oldtype, newtype)
BUSLINE_TRACED(Type_create_hvector, count, blocklength, stride, oldtype, newtype)
BUSLINE_TRACED(Type_indexed, count, lengths[count], indices[count], oldtype, newtype)
BUSLINE_TRACED(Type_create_hindexed, count, blocklengths[count], displacements[count], oldtype, newtype)
BUSLINE_TRACED(Type_create_indexed_block, count, blocklength, displacments[count], oldtype, newtype)
BUSLINE_TRACED(Type_create_struct, count, blocklengths[count], displacements[count], oldtypes[count], newtype)
BUSLINE_TRACED(Type_create_subarray, ndims, sizes[ndims], subsizes[ndims], starts[ndims], order, oldtype,
               newtype)
BUSLINE_TRACED(Type_create_darray, size, rank, ndims, gsizes[ndims], distribs[ndims], dargs[ndims],
               psizes[ndims], order, oldtype, newtype)
BUSLINE_TRACED(Type_create_resized, oldtype, lb, extent, newtype)
BUSLINE_TRACED(Type_dup, oldtype, newtype)
BUSLINE_TRACED(Type_commit, datatype)
BUSLINE_TRACED(Type_free, datatype !)
BUSLINE_TRACED(Type_size, datatype, size)
BUSLINE_TRACED(Type_get_extent, datatype, lb, extent)
BUSLINE_TRACED(Type_get_true_extent, datatype, lb, extent)
BUSLINE_TRACED(Type_get_envelope, datatype, numintegers, numaddresses, numdatatypes, combiner)
BUSLINE_TRACED(Type_match_size, typeclass, size, datatype)
BUSLINE_TRACED(Type_get_name, datatype, name, resultlen)
BUSLINE_TRACED(Type_set_name, datatype, name)
BUSLINE_TRACED(Get_address, _, address)

BUSLINE_TRACED(Pack, _, incount, datatype, _, outcount, position_in ! | position_out, comm)
BUSLINE_TRACED(Unpack, _, incount, position_in ! | position_out, _, outcount, datatype, comm)
BUSLINE_TRACED(Pack_size, incount, datatype, comm, size)

#ifndef OPEN_MPI  // whose mpi.h does not declare what MPI-3 has removed
BUSLINE_TRACED(Type_hvector, count, blocklength, stride, oldtype, newtype)
BUSLINE_TRACED(Type_hindexed, count, lengths[count], indices[count], oldtype, newtype)
BUSLINE_TRACED(Type_struct, count, lengths[count], indices[count], oldtypes[count], newtype)
BUSLINE_TRACED(Address, _, address)
BUSLINE_TRACED(Type_extent, datatype, extent)
BUSLINE_TRACED(Type_lb, datatype, lb)
BUSLINE_TRACED(Type_ub, datatype, ub)
#endif
