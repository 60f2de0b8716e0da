// User events: functions and annotations that a program recorded through the tracer.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "sim/program/program_builder.hpp"
#include "workloads/dumpi/compile/mpi3.hpp"
#include "workloads/dumpi/compile/read_dumpi.hpp"

namespace busline::dumpi {

/// Numbers of the labels of a job, so that the same text is the same event on all ranks although the
/// addresses that records carry differ.
class EventNumbers {
 public:
  struct Event {
    std::uint32_t type = 0;
    std::int64_t value = 0;
  };
  /// The event of a label; a new text gets the next value of its type, from 1, and is added to the Program.
  Event of(std::string_view label, ProgramBuilder& builder) {
    const bool annotation = label.starts_with(kAnnotationPrefix);
    if (annotation) label.remove_prefix(kAnnotationPrefix.size());
    auto& values = annotation ? annotations_ : functions_;
    const auto type = annotation ? kDumpiAnnotationEvent : kDumpiFunctionEvent;
    const auto at = values.find(label);
    if (at != values.end()) return {type, at->second};
    const auto value = static_cast<std::int64_t>(values.size() + 1);
    values.emplace(label, value);
    builder.label_event(type, value, label);
    return {type, value};
  }

 private:
  std::map<std::string, std::int64_t, std::less<>> functions_, annotations_;
};

}  // namespace busline::dumpi
