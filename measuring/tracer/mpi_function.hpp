// Defines functions with the names and parameters of MPI's, which a program then calls in their place:
//
//     BUSLINE_DEFINE(Barrier, 1, around_call<7>)
//
// makes an MPI_Barrier of one parameter that returns around_call<7>(barrier, comm), where `barrier` is the
// MPI library's PMPI_Barrier. It also makes a PMPI_Barrier: calls that a Fortran program made come there,
// with arguments that the MPI library has converted to C
// (docs/decisions/086-fortran-is-seen-behind-its-binding.md). Parameters have the types that mpi.h declares.
#pragma once
#include <dlfcn.h>

#include <cstddef>
#include <tuple>

#include "measuring/tracer/fortran.hpp"
#include "measuring/tracer/mpi.hpp"

namespace busline::tracer {

template <class Function>
struct Signature;
template <class R, class... P>
struct Signature<R(P...)> {
  using Result = R;
  template <std::size_t i>
  using Parameter = std::tuple_element_t<i, std::tuple<P...>>;
};

/// The function of that name in the MPI library, behind this library's own.
template <class Function>
Function* library_function(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

template <class Result, class... P>
Result pass_on(Result (*call)(P...), P... parameters) {
  return call(parameters...);
}

}  // namespace busline::tracer

// Lists are not code:
// clang-format off
#define BUSLINE_P(name, i) busline::tracer::Signature<decltype(PMPI_##name)>::Parameter<i> p##i
#define BUSLINE_PARAMETERS_0(n)
#define BUSLINE_PARAMETERS_1(n) BUSLINE_P(n, 0)
#define BUSLINE_PARAMETERS_2(n) BUSLINE_PARAMETERS_1(n), BUSLINE_P(n, 1)
#define BUSLINE_PARAMETERS_3(n) BUSLINE_PARAMETERS_2(n), BUSLINE_P(n, 2)
#define BUSLINE_PARAMETERS_4(n) BUSLINE_PARAMETERS_3(n), BUSLINE_P(n, 3)
#define BUSLINE_PARAMETERS_5(n) BUSLINE_PARAMETERS_4(n), BUSLINE_P(n, 4)
#define BUSLINE_PARAMETERS_6(n) BUSLINE_PARAMETERS_5(n), BUSLINE_P(n, 5)
#define BUSLINE_PARAMETERS_7(n) BUSLINE_PARAMETERS_6(n), BUSLINE_P(n, 6)
#define BUSLINE_PARAMETERS_8(n) BUSLINE_PARAMETERS_7(n), BUSLINE_P(n, 7)
#define BUSLINE_PARAMETERS_9(n) BUSLINE_PARAMETERS_8(n), BUSLINE_P(n, 8)
#define BUSLINE_PARAMETERS_10(n) BUSLINE_PARAMETERS_9(n), BUSLINE_P(n, 9)
#define BUSLINE_PARAMETERS_11(n) BUSLINE_PARAMETERS_10(n), BUSLINE_P(n, 10)
#define BUSLINE_PARAMETERS_12(n) BUSLINE_PARAMETERS_11(n), BUSLINE_P(n, 11)
#define BUSLINE_PARAMETERS_13(n) BUSLINE_PARAMETERS_12(n), BUSLINE_P(n, 12)
#define BUSLINE_PASSED_0
#define BUSLINE_PASSED_1 , p0
#define BUSLINE_PASSED_2 BUSLINE_PASSED_1, p1
#define BUSLINE_PASSED_3 BUSLINE_PASSED_2, p2
#define BUSLINE_PASSED_4 BUSLINE_PASSED_3, p3
#define BUSLINE_PASSED_5 BUSLINE_PASSED_4, p4
#define BUSLINE_PASSED_6 BUSLINE_PASSED_5, p5
#define BUSLINE_PASSED_7 BUSLINE_PASSED_6, p6
#define BUSLINE_PASSED_8 BUSLINE_PASSED_7, p7
#define BUSLINE_PASSED_9 BUSLINE_PASSED_8, p8
#define BUSLINE_PASSED_10 BUSLINE_PASSED_9, p9
#define BUSLINE_PASSED_11 BUSLINE_PASSED_10, p10
#define BUSLINE_PASSED_12 BUSLINE_PASSED_11, p11
#define BUSLINE_PASSED_13 BUSLINE_PASSED_12, p12
#define BUSLINE_COUNT(...) BUSLINE_COUNT_FROM(__VA_ARGS__, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
#define BUSLINE_COUNT_FROM(a, b, c, d, e, f, g, h, i, j, k, l, m, n, ...) n
#define BUSLINE_JOIN(a, b) a##b
#define BUSLINE_WITH(macro, n) BUSLINE_JOIN(macro, n)
// clang-format on

#define BUSLINE_LIBRARY(name)                                                                              \
  [] {                                                                                                     \
    static auto* const function = busline::tracer::library_function<decltype(PMPI_##name)>("PMPI_" #name); \
    return function;                                                                                       \
  }()
#define BUSLINE_RESULT(name) busline::tracer::Signature<decltype(PMPI_##name)>::Result

// The last argument, which may have commas, is what is called with the library's function and the parameters.
#define BUSLINE_DEFINE(name, n, ...)                                                         \
  extern "C" [[gnu::visibility("default")]] BUSLINE_RESULT(name)                             \
      MPI_##name(BUSLINE_WITH(BUSLINE_PARAMETERS_, n)(name)) {                               \
    return __VA_ARGS__(BUSLINE_LIBRARY(name) BUSLINE_WITH(BUSLINE_PASSED_, n));              \
  }                                                                                          \
  extern "C" [[gnu::visibility("default")]] BUSLINE_RESULT(name)                             \
      PMPI_##name(BUSLINE_WITH(BUSLINE_PARAMETERS_, n)(name)) {                              \
    if (busline::tracer::is_fortran_site(__builtin_return_address(0), #name))                \
      return __VA_ARGS__(BUSLINE_LIBRARY(name) BUSLINE_WITH(BUSLINE_PASSED_, n));            \
    return busline::tracer::pass_on(BUSLINE_LIBRARY(name) BUSLINE_WITH(BUSLINE_PASSED_, n)); \
  }
