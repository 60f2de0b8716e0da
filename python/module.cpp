// The extension module busline._core. busline/*.py makes of it what users see; busline/_core.pyi has its
// signatures.
#include <pybind11/pybind11.h>

#include "documents/command_line/version.hpp"
#include "python/interruptible.hpp"
#include "python/objects.hpp"

PYBIND11_MODULE(_core, m) {
  namespace python = busline::python;
  m.attr("version") = std::string(busline::kVersion);
  m.attr("commit") = std::string(busline::kCommit);
  m.def("wait_for_abandoned_work", &python::wait_for_abandoned_work);
  python::on_main_thread();  // remembers which one it is
  python::add_platforms(m);
  python::add_workloads(m);
  python::add_runs(m);
  python::add_studies(m);
  python::add_topologies(m);
  python::add_accuracy(m);
}
