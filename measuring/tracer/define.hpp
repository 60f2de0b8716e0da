// Defines functions with the names and parameters of MPI's, which the application then calls in their place:
//
//     BUSLINE_TRACED(Send, _, count, datatype, dest, tag, comm)
//
// makes an MPI_Send that calls PMPI_Send and records it; what stands for the parameters is explained at
// bind(). Their types are those that mpi.h declares.
#pragma once
#include "measuring/tracer/mpi_function.hpp"
#include "measuring/tracer/wrapper.hpp"

#define BUSLINE_ID(name) busline::dumpi::function_id("MPI_" #name)

#define BUSLINE_TRACED(name, ...)       \
  BUSLINE_DEFINE(                       \
      name, BUSLINE_COUNT(__VA_ARGS__), \
      busline::tracer::traced<BUSLINE_ID(name), busline::tracer::bind(BUSLINE_ID(name), #__VA_ARGS__)>)

/// One without parameters.
#define BUSLINE_TRACED_0(name) \
  BUSLINE_DEFINE(name, 0, busline::tracer::traced<BUSLINE_ID(name), busline::tracer::Binding{}>)
