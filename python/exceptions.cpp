#include "python/exceptions.hpp"

#include <pybind11/stl.h>

#include <string_view>

namespace py = pybind11;

namespace busline::python {
namespace {

// Options of commands are arguments in Python: "--time-range" is time_range.
std::string as_argument(std::string where) {
  if (!where.starts_with("--")) return where;
  where.erase(0, 2);
  for (auto& c : where)
    if (c == '-') c = '_';
  return where;
}

const char* class_of(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::bad_input:
      return "InputError";
    case Error::Kind::bad_option:
      return "OptionError";
    case Error::Kind::unreadable:
      return "FileError";
    case Error::Kind::unsupported:
      return "UnsupportedError";
  }
  return "BuslineError";
}

}  // namespace

void throw_as_exception(const Error& error) {
  auto shown = error;
  shown.where = as_argument(error.where);
  constexpr std::string_view kSet = "--set ";  // of Platform.set()
  if (shown.path.starts_with(kSet)) shown.path.erase(0, kSet.size());
  const auto type = py::module_::import("busline._errors").attr(class_of(error.kind));
  const py::object exception = type(to_string(shown));
  exception.attr("path") = shown.path;
  exception.attr("offset") = error.offset;
  exception.attr("line") = error.line;
  exception.attr("column") = error.column;
  exception.attr("where") = shown.where;
  exception.attr("reason") = error.message;
  exception.attr("hint") = error.hint;
  PyErr_SetObject(type.ptr(), exception.ptr());
  throw py::error_already_set();
}

std::vector<std::string> texts_of(const Diagnostics& diagnostics) {
  std::vector<std::string> texts;
  for (const auto& d : diagnostics) {
    Error place;  // the same form as an error
    place.path = d.path;
    place.offset = d.offset;
    place.line = d.line;
    place.message = d.message;
    texts.push_back(to_string(place));
  }
  return texts;
}

}  // namespace busline::python
