#include "measuring/skampi/ski_operation_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "measuring/skampi/ski_functions.hpp"
#include "measuring/skampi/ski_operations.hpp"

namespace busline::skampi {
namespace {

// SKaMPI 5 goes through its buffer from message to message, at least a line of a cache each time.
std::uint32_t buffers_in_turn(std::uint64_t there, std::uint64_t needed) {
  constexpr std::uint64_t kLine = 64;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(there / std::max(needed, kLine), 1,
                                                              std::numeric_limits<std::uint32_t>::max()));
}

// What the arguments say of the measurement.
Expected<void> read_arguments(const SkiCall& call, const SkiOperation& op, SkiMeasurement& m) {
  const auto values = call.arguments;
  if (values.size() != op.arguments.size())
    return tl::unexpected(
        call.error(fmt::format("has {} arguments, expected {}", values.size(), op.arguments.size())));
  std::uint64_t elements = 0;
  bool has_size = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Expected<void> ok;
    switch (op.arguments[i]) {
      case ski_argument::kCount:
        ok = call.whole(i, 0, kLargestSkiArgument).map([&](std::int64_t n) {
          elements = static_cast<std::uint64_t>(n);
        });
        break;
      case ski_argument::kDatatype:
        ok = call.datatype(i).and_then([&](const SkiDatatype& d) -> Expected<void> {
          if (d.bytes > 0 && elements > static_cast<std::uint64_t>(kLargestSkiArgument) / d.bytes)
            return tl::unexpected(call.error("the message is too large"));
          if (has_size && m.message != d.bytes * elements)
            return tl::unexpected(call.error(fmt::format(
                "sends {} bytes and receives {}, which is not supported", m.message, d.bytes * elements)));
          has_size = true;
          m.message = m.bytes = d.bytes * elements;
          return {};
        });
        break;
      case ski_argument::kRoot:
        ok = call.whole(i, 0, static_cast<std::int64_t>(m.communicator.size) - 1).map([&](std::int64_t n) {
          m.root = static_cast<std::size_t>(n);
        });
        break;
      case ski_argument::kIterations:
        ok = call.whole(i, 1, 1'000'000).map([&](std::int64_t n) {
          m.iterations = static_cast<std::uint32_t>(n);
        });
        break;
      case ski_argument::kTag:
        ok = call.whole(i, 0, kLargestSkiArgument).map([](std::int64_t) {});
        break;
      default:  // an operation of Reduce
        if (!std::holds_alternative<SkiReduction>(values[i]))
          ok = tl::unexpected(call.error(fmt::format(
              "argument {} is {}, expected an operation such as MPI_SUM", i + 1, kind_of(values[i]))));
    }
    if (!ok) return ok;
  }
  return {};
}

}  // namespace

Expected<std::optional<SkiMeasurement>> read_ski_operation(const SkiTerm& call,
                                                           const SkiCommunicator& communicator,
                                                           bool in_open_loop, SkiScope& scope) {
  const auto wrong = [&](std::string message, std::string hint = "") {
    return tl::unexpected(scope.call(call).error(std::move(message), std::move(hint)));
  };
  const auto* const op = find_ski_operation(call.text);
  const auto* const kernel = find_skampi5_operation(call.text);
  if (op == nullptr || kernel == nullptr)
    return wrong("no such operation exists, or it is not supported", operation_meant(call.text));
  if (kernel->pattern == KernelPattern::pairs && communicator.size != 2)
    return wrong(fmt::format("runs between 2 ranks, but the communicator has {}", communicator.size));

  SkiMeasurement m;
  m.operation = kernel;
  m.communicator = communicator;
  m.repetition = scope.settings().repetition;
  m.place = call.place;
  const auto arguments = scope.evaluate(call.parts);
  if (!arguments) return tl::unexpected(arguments.error());
  if (auto read = read_arguments(scope.call(call, *arguments), *op, m); !read)
    return tl::unexpected(std::move(read.error()));

  const auto& settings = scope.settings();
  const auto needed = m.message * (op->buffers + std::uint64_t{op->buffers_each} * communicator.size);
  const auto there = settings.cycles_buffers ? settings.memory / 2 : settings.memory;
  if (needed > there) {
    if (in_open_loop) return std::nullopt;
    return wrong(
        fmt::format("needs {} bytes for messages, but has {}", needed, there),
        settings.cycles_buffers
            ? "it has half of what set_skampi_buffer() sets, because SKaMPI 5 walks through its buffer"
            : "set the size with set_skampi_buffer()");
  }
  if (settings.cycles_buffers) m.buffers = buffers_in_turn(there, needed);
  if (op->is_split) m.bytes = m.message / communicator.size;
  return m;
}

}  // namespace busline::skampi
