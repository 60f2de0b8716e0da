#include "measuring/skampi/ski_interpreter.hpp"

#include <fmt/format.h>

#include <limits>
#include <set>
#include <utility>

#include "documents/fields/printable.hpp"
#include "measuring/skampi/ski_loops.hpp"
#include "measuring/skampi/ski_operation_call.hpp"
#include "measuring/skampi/ski_scope.hpp"

namespace busline::skampi {
namespace {

using StatementKind = SkiStatement::Kind;

/// What a statement did.
enum class Flow {
  go_on,
  buffers_full,  ///< a message was larger than the buffers: the loop "to ..." around it ends
};

class Interpreter {
 public:
  Interpreter(const SkiMachine& machine, Diagnostics& diagnostics) : scope_(machine, diagnostics) {}

  Expected<std::vector<SkiMeasurement>> run(const std::vector<SkiStatement>& script) {
    if (auto done = execute(script); !done) return tl::unexpected(std::move(done.error()));
    return std::move(measurements_);
  }

 private:
  Expected<Flow> execute(const std::vector<SkiStatement>& block) {
    for (const auto& s : block) {
      if (++steps_ > kMostSkiSteps)
        return tl::unexpected(s.place.error(
            fmt::format("more than {} statements were executed: the script may never end", kMostSkiSteps)));
      auto flow = execute(s);
      if (!flow || *flow != Flow::go_on) return flow;
    }
    return Flow::go_on;
  }

  Expected<Flow> execute(const SkiStatement& s) {
    switch (s.kind) {
      case StatementKind::assign:
        return scope_.evaluate(s.terms[0]).and_then([&](SkiValue&& value) {
          return assign(s, std::move(value));
        });
      case StatementKind::call:
      case StatementKind::print:
        return scope_.evaluate(s.terms).map([](const auto&) { return Flow::go_on; });
      case StatementKind::measure:
        return measure(s);
      case StatementKind::range_loop:
        return range_loop(s);
      case StatementKind::list_loop:
        return list_loop(s);
      case StatementKind::branch:
        return branch(s);
      case StatementKind::measurement:
        return measurement(s);
    }
    return Flow::go_on;
  }

  Expected<Flow> assign(const SkiStatement& s, SkiValue&& value) {
    if (std::holds_alternative<std::monostate>(value))
      return tl::unexpected(s.place.error(
          fmt::format("{} gets no value: that function does not return one", printable(s.name))));
    if (loops_.contains(s.name))
      return tl::unexpected(s.place.error(
          fmt::format("{} is a loop variable and cannot be changed in the loop", printable(s.name))));
    scope_.names().insert_or_assign(s.name, std::move(value));
    return Flow::go_on;
  }

  Expected<Flow> measurement(const SkiStatement& s) {
    block_ = s.name;
    std::set<std::string, std::less<>> before;
    for (const auto& [name, value] : scope_.names()) before.insert(name);
    auto flow = execute(s.body);
    // What is new in it is forgotten behind it.
    std::erase_if(scope_.names(), [&](const auto& entry) { return !before.contains(entry.first); });
    return flow;
  }

  Expected<Flow> branch(const SkiStatement& s) {
    const auto condition = scope_.evaluate(s.terms[0]);
    if (!condition) return tl::unexpected(condition.error());
    const auto number = as_number(*condition);
    if (!number)
      return tl::unexpected(s.place.error(fmt::format("the condition of 'if' is {}", kind_of(*condition))));
    return execute(*number != 0 ? s.body : s.otherwise);
  }

  // ---- loops

  // Once more with the variable at `value`, a number.
  Expected<Flow> repeat(const SkiStatement& s, SkiValue value) {
    variables_.back().second = *as_number(value);
    scope_.names().insert_or_assign(s.name, std::move(value));
    return execute(s.body);
  }

  template <class Loop>
  Expected<Flow> within(const SkiStatement& s, Loop loop) {
    if (!loops_.insert(s.name).second)
      return tl::unexpected(
          s.place.error(fmt::format("{} is the variable of an enclosing loop", printable(s.name))));
    variables_.emplace_back(s.name, 0);
    Expected<Flow> flow = loop();
    variables_.pop_back();
    loops_.erase(s.name);
    return flow;
  }

  Expected<Flow> list_loop(const SkiStatement& s) {
    auto values = ski_list(s, scope_);
    if (!values) return tl::unexpected(std::move(values.error()));
    return within(s, [&]() -> Expected<Flow> {
      for (auto& value : *values)
        if (auto flow = repeat(s, std::move(value)); !flow || *flow != Flow::go_on) return flow;
      return Flow::go_on;
    });
  }

  Expected<Flow> range_loop(const SkiStatement& s) {
    auto range = read_ski_range(s, scope_);
    if (!range) return tl::unexpected(std::move(range.error()));
    range->steps.loop = ++last_loop_;
    if (s.refines) {
      if (refined_) return tl::unexpected(s.place.error("nested 'autorefine' loops are not supported"));
      refined_ = range->steps;
    }
    open_loops_ += s.is_open ? 1 : 0;
    auto flow = within(s, [&] { return over_range(s, *range); });
    open_loops_ -= s.is_open ? 1 : 0;
    if (s.refines) refined_.reset();
    if (flow && s.is_open) flow = Flow::go_on;
    return flow;
  }

  Expected<Flow> over_range(const SkiStatement& s, const SkiRange& range) {
    double last = -std::numeric_limits<double>::infinity();
    for (double k = 0;; ++k) {
      const double value = range.value(k);
      if (!(value <= range.steps.end)) return Flow::go_on;
      if (value == last) {
        // Steps that are too small for a whole number are made, but nothing is measured.
        if (++steps_ > kMostSkiSteps)
          return tl::unexpected(s.place.error("the steps of the loop are too small: it may never end"));
        continue;
      }
      last = value;
      auto flow = repeat(s, range.rounds ? SkiValue(static_cast<std::int64_t>(value)) : SkiValue(value));
      if (!flow || *flow != Flow::go_on) return flow;
      if (s.body.empty() && ++steps_ > kMostSkiSteps)
        return tl::unexpected(s.place.error("the loop may never end"));
    }
  }

  // ---- measuring

  Expected<Flow> measure(const SkiStatement& s) {
    const auto& call = s.terms[1];
    const auto communicator = scope_.evaluate(s.terms[0]);
    if (!communicator) return tl::unexpected(communicator.error());
    const auto* const comm = std::get_if<SkiCommunicator>(&*communicator);
    if (comm == nullptr)
      return tl::unexpected(s.place.error(
          fmt::format("expected a communicator after 'measure', but this is {}", kind_of(*communicator))));
    auto read = read_ski_operation(call, *comm, open_loops_ > 0, scope_);
    if (!read) return tl::unexpected(std::move(read.error()));
    if (!*read) return Flow::buffers_full;
    if (measurements_.size() == kMostSkiMeasurements)
      return tl::unexpected(
          scope_.call(call).error(fmt::format("gives more than {} measurements", kMostSkiMeasurements)));
    auto& m = measurements_.emplace_back(**std::move(read));
    m.block = block_;
    m.variables = variables_;
    m.refined = refined_;
    return Flow::go_on;
  }

  SkiScope scope_;
  std::set<std::string, std::less<>> loops_;
  std::vector<std::pair<std::string, double>> variables_;
  std::optional<SkiRefinement> refined_;
  std::string block_;
  std::size_t steps_ = 0, last_loop_ = 0;
  int open_loops_ = 0;
  std::vector<SkiMeasurement> measurements_;
};

}  // namespace

Kernel SkiMeasurement::kernel() const {
  Kernel k;
  k.operation = operation->name;
  const auto& ranks = *communicator.ranks;
  const auto begin = ranks.begin(), end = begin + static_cast<std::ptrdiff_t>(communicator.size);
  const auto first = begin + static_cast<std::ptrdiff_t>(root);
  k.ranks.assign(first, end);
  k.ranks.insert(k.ranks.end(), begin, first);
  if (operation->pattern == KernelPattern::simple) k.ranks.resize(1);
  k.bytes = bytes;
  k.messages = iterations;
  k.buffers.count = buffers;
  return k;
}

Expected<std::vector<SkiMeasurement>> interpret_ski(const std::vector<SkiStatement>& script,
                                                    const SkiMachine& machine, Diagnostics& diagnostics) {
  return Interpreter(machine, diagnostics).run(script);
}

Expected<std::vector<SkiMeasurement>> read_ski(const std::string& path, const SkiMachine& machine,
                                               Diagnostics& diagnostics) {
  const auto tokens = read_ski_tokens(path);
  if (!tokens) return tl::unexpected(tokens.error());
  const auto script = parse_ski(*tokens);
  if (!script) return tl::unexpected(script.error());
  return interpret_ski(*script, machine, diagnostics);
}

}  // namespace busline::skampi
