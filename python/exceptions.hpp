// The library's errors as exceptions of Python, and its warnings as texts.
#pragma once
#include <pybind11/pybind11.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"

namespace busline::python {

/// Throws the exception of busline/_errors.py that fits, with the members of `error` as attributes. Needs the
/// GIL.
[[noreturn]] void throw_as_exception(const Error& error);

template <class T>
T value_of(Expected<T>&& expected) {
  if (!expected) throw_as_exception(expected.error());
  return *std::move(expected);
}
inline void check(const Expected<void>& expected) {
  if (!expected) throw_as_exception(expected.error());
}

/// "trace.dim:12: ...", one text for each.
std::vector<std::string> texts_of(const Diagnostics& diagnostics);

}  // namespace busline::python
