// Functions that are counted: those of MPI-3, which the format does not know, and those of MPI-2 that tell
// nothing about time.
#include "measuring/tracer/define.hpp"

namespace busline::tracer {
namespace {

/// A call of MPI-3: an annotation when it begins and one when it returns.
template <Mpi3Call kCall, class Result, class... P>
Result mpi3(Result (*call)(P...), std::type_identity_t<P>... parameters) {
  const Nesting nesting;
  auto& tracer = Tracer::of_process();
  if (!nesting.outermost() || !tracer.started()) return call(parameters...);
  Interval interval;
  {
    const auto lock = tracer.lock();
    tracer.enter(interval);
    tracer.mark_mpi3(kCall, true, interval);
  }
  const Result result = call(parameters...);
  const auto lock = tracer.lock();
  tracer.leave(interval);
  tracer.mark_mpi3(kCall, false, interval);
  return result;
}

template <std::uint16_t kFunction, class Result, class... P>
Result unrecorded(Result (*call)(P...), std::type_identity_t<P>... parameters) {
  const Nesting nesting;
  auto& tracer = Tracer::of_process();
  {
    const auto lock = tracer.lock();
    tracer.ignore(kFunction);
  }
  return call(parameters...);
}

}  // namespace
}  // namespace busline::tracer

#define BUSLINE_MPI3(name, n) BUSLINE_DEFINE(name, n, busline::tracer::mpi3<busline::tracer::Mpi3Call::name>)
BUSLINE_MPI3_CALLS(BUSLINE_MPI3)
#if MPI_VERSION >= 4
BUSLINE_MPI4_CALLS(BUSLINE_MPI3)
#endif

#define BUSLINE_UNRECORDED(name, n) BUSLINE_DEFINE(name, n, busline::tracer::unrecorded<BUSLINE_ID(name)>)
BUSLINE_UNRECORDED(Comm_accept, 5)
BUSLINE_UNRECORDED(Comm_connect, 5)
BUSLINE_UNRECORDED(Comm_join, 2)
BUSLINE_UNRECORDED(Comm_spawn, 8)
BUSLINE_UNRECORDED(Comm_spawn_multiple, 9)
BUSLINE_UNRECORDED(Open_port, 2)
BUSLINE_UNRECORDED(Close_port, 1)
BUSLINE_UNRECORDED(Publish_name, 3)
BUSLINE_UNRECORDED(Unpublish_name, 3)
BUSLINE_UNRECORDED(Lookup_name, 3)
BUSLINE_UNRECORDED(Pack_external, 7)
BUSLINE_UNRECORDED(Unpack_external, 7)
BUSLINE_UNRECORDED(Pack_external_size, 4)
BUSLINE_UNRECORDED(Type_get_contents, 7)
BUSLINE_UNRECORDED(Comm_create_keyval, 4)
BUSLINE_UNRECORDED(Comm_free_keyval, 1)
BUSLINE_UNRECORDED(Comm_set_attr, 3)
BUSLINE_UNRECORDED(Comm_get_attr, 4)
BUSLINE_UNRECORDED(Comm_delete_attr, 2)
BUSLINE_UNRECORDED(Type_create_keyval, 4)
BUSLINE_UNRECORDED(Type_free_keyval, 1)
BUSLINE_UNRECORDED(Type_set_attr, 3)
BUSLINE_UNRECORDED(Type_get_attr, 4)
BUSLINE_UNRECORDED(Type_delete_attr, 2)
BUSLINE_UNRECORDED(Win_create_keyval, 4)
BUSLINE_UNRECORDED(Win_free_keyval, 1)
BUSLINE_UNRECORDED(Win_set_attr, 3)
BUSLINE_UNRECORDED(Win_get_attr, 4)
BUSLINE_UNRECORDED(Win_delete_attr, 2)
BUSLINE_UNRECORDED(Win_set_name, 2)
BUSLINE_UNRECORDED(Win_get_name, 3)
BUSLINE_UNRECORDED(Comm_create_errhandler, 2)
BUSLINE_UNRECORDED(Comm_set_errhandler, 2)
BUSLINE_UNRECORDED(Comm_get_errhandler, 2)
BUSLINE_UNRECORDED(Comm_call_errhandler, 2)
BUSLINE_UNRECORDED(Win_create_errhandler, 2)
BUSLINE_UNRECORDED(Win_set_errhandler, 2)
BUSLINE_UNRECORDED(Win_get_errhandler, 2)
BUSLINE_UNRECORDED(Win_call_errhandler, 2)
BUSLINE_UNRECORDED(File_create_errhandler, 2)
BUSLINE_UNRECORDED(File_set_errhandler, 2)
BUSLINE_UNRECORDED(File_get_errhandler, 2)
BUSLINE_UNRECORDED(File_call_errhandler, 2)
BUSLINE_UNRECORDED(Errhandler_free, 1)
BUSLINE_UNRECORDED(Error_string, 3)
BUSLINE_UNRECORDED(Error_class, 2)
BUSLINE_UNRECORDED(Add_error_class, 1)
BUSLINE_UNRECORDED(Add_error_code, 2)
BUSLINE_UNRECORDED(Add_error_string, 2)
BUSLINE_UNRECORDED(Info_create, 1)
BUSLINE_UNRECORDED(Info_free, 1)
BUSLINE_UNRECORDED(Info_dup, 2)
BUSLINE_UNRECORDED(Info_set, 3)
BUSLINE_UNRECORDED(Info_get, 5)
BUSLINE_UNRECORDED(Info_delete, 2)
BUSLINE_UNRECORDED(Info_get_nkeys, 2)
BUSLINE_UNRECORDED(Info_get_nthkey, 3)
BUSLINE_UNRECORDED(Info_get_valuelen, 4)
BUSLINE_UNRECORDED(File_get_group, 2)
BUSLINE_UNRECORDED(File_get_amode, 2)
BUSLINE_UNRECORDED(File_set_info, 2)
BUSLINE_UNRECORDED(File_get_info, 2)
BUSLINE_UNRECORDED(File_get_view, 5)
BUSLINE_UNRECORDED(File_get_type_extent, 3)
BUSLINE_UNRECORDED(Register_datarep, 5)
BUSLINE_UNRECORDED(Status_set_cancelled, 2)
BUSLINE_UNRECORDED(Status_set_elements, 3)

// Deprecated by MPI-2, but still called.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
BUSLINE_UNRECORDED(Keyval_create, 4)
BUSLINE_UNRECORDED(Keyval_free, 1)
BUSLINE_UNRECORDED(Attr_put, 3)
BUSLINE_UNRECORDED(Attr_get, 4)
BUSLINE_UNRECORDED(Attr_delete, 2)
#ifndef OPEN_MPI  // whose mpi.h does not declare what MPI-3 has removed
BUSLINE_UNRECORDED(Errhandler_create, 2)
BUSLINE_UNRECORDED(Errhandler_set, 2)
BUSLINE_UNRECORDED(Errhandler_get, 2)
#endif
