#include "validation/measure/skampi/ski_interpreter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "platforms/document/printable.hpp"
#include "validation/measure/skampi/ski_arithmetic.hpp"
#include "validation/measure/skampi/ski_functions.hpp"
#include "validation/measure/skampi/ski_operations.hpp"

namespace busline::skampi {
namespace {

// SKaMPI 5 goes through its buffer from message to message, at least a line of a cache each time.
std::uint32_t buffers_in_turn(std::uint64_t there, std::uint64_t needed) {
  constexpr std::uint64_t kLine = 64;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(there / std::max(needed, kLine), 1,
                                                              std::numeric_limits<std::uint32_t>::max()));
}

using StatementKind = SkiStatement::Kind;

/// What a statement did.
enum class Flow {
  go_on,
  buffers_full,  ///< a message was larger than the buffers: the loop "to ..." around it ends
};

double as_real(const SkiValue& v) {
  const auto* const whole = std::get_if<std::int64_t>(&v);
  return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(v);
}

bool is_number(const SkiValue& v) {
  return std::holds_alternative<std::int64_t>(v) || std::holds_alternative<double>(v);
}

class Interpreter {
 public:
  Interpreter(const SkiMachine& machine, Diagnostics& diagnostics)
      : machine_(machine), diagnostics_(diagnostics) {
    std::vector<std::uint32_t> ranks(machine.ranks);
    for (std::uint32_t rank = 0; rank < machine.ranks; ++rank) ranks[rank] = rank;
    settings_.world = {std::make_shared<const std::vector<std::uint32_t>>(std::move(ranks)), machine.ranks};
    names_ = predefined_ski_names(settings_.world);
  }

  Expected<std::vector<SkiMeasurement>> run(const std::vector<SkiStatement>& script) {
    if (auto done = execute(script); !done) return tl::unexpected(std::move(done.error()));
    return std::move(measurements_);
  }

 private:
  Expected<Flow> execute(const std::vector<SkiStatement>& block) {
    for (const auto& s : block) {
      if (++steps_ > kMostSkiSteps)
        return tl::unexpected(s.place.error(fmt::format(
            "more than {} statements were executed: the script does not seem to end", kMostSkiSteps)));
      auto flow = execute(s);
      if (!flow || *flow != Flow::go_on) return flow;
    }
    return Flow::go_on;
  }

  Expected<Flow> execute(const SkiStatement& s) {
    switch (s.kind) {
      case StatementKind::assign:
        return evaluate(s.terms[0]).and_then([&](SkiValue&& value) { return assign(s, std::move(value)); });
      case StatementKind::call:
      case StatementKind::print:
        for (const auto& term : s.terms)
          if (auto value = evaluate(term); !value) return tl::unexpected(std::move(value.error()));
        return Flow::go_on;
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
      return tl::unexpected(
          s.place.error(fmt::format("{} is given nothing: that function has no value", printable(s.name))));
    if (loops_.contains(s.name))
      return tl::unexpected(s.place.error(
          fmt::format("{} is the variable of a loop and cannot be changed in it", printable(s.name))));
    names_.insert_or_assign(s.name, std::move(value));
    return Flow::go_on;
  }

  Expected<Flow> measurement(const SkiStatement& s) {
    block_ = s.name;
    std::set<std::string, std::less<>> before;
    for (const auto& [name, value] : names_) before.insert(name);
    auto flow = execute(s.body);
    // What is new in it is forgotten behind it.
    std::erase_if(names_, [&](const auto& entry) { return !before.contains(entry.first); });
    return flow;
  }

  Expected<Flow> branch(const SkiStatement& s) {
    const auto condition = evaluate(s.terms[0]);
    if (!condition) return tl::unexpected(condition.error());
    if (!is_number(*condition))
      return tl::unexpected(s.place.error(fmt::format("the condition of 'if' is {}", kind_of(*condition))));
    return execute(as_real(*condition) != 0 ? s.body : s.otherwise);
  }

  // ---- loops

  // Once more with the variable at `value`.
  Expected<Flow> repeat(const SkiStatement& s, SkiValue value) {
    variables_.back().second = as_real(value);
    names_.insert_or_assign(s.name, std::move(value));
    return execute(s.body);
  }

  template <class Loop>
  Expected<Flow> within(const SkiStatement& s, Loop loop) {
    if (!loops_.insert(s.name).second)
      return tl::unexpected(
          s.place.error(fmt::format("{} is the variable of a loop around this one", printable(s.name))));
    variables_.emplace_back(s.name, 0);
    Expected<Flow> flow = loop();
    variables_.pop_back();
    loops_.erase(s.name);
    return flow;
  }

  Expected<Flow> list_loop(const SkiStatement& s) {
    std::vector<SkiValue> values;
    for (const auto& term : s.terms) {
      auto value = evaluate_list(term);
      if (!value) return tl::unexpected(std::move(value.error()));
      values.insert(values.end(), value->begin(), value->end());
    }
    return within(s, [&]() -> Expected<Flow> {
      for (auto& value : values)
        if (auto flow = repeat(s, std::move(value)); !flow || *flow != Flow::go_on) return flow;
      return Flow::go_on;
    });
  }

  // A number, or those of an iterator.
  Expected<std::vector<SkiValue>> evaluate_list(const SkiTerm& term) {
    const bool is_range = term.text == "range", is_squares = term.text == "squares";
    if (term.kind == SkiTerm::Kind::call && (is_range || is_squares)) {
      if (term.parts.size() != 2)
        return tl::unexpected(term.place.error(fmt::format("{}() has two arguments", term.text)));
      std::int64_t ends[2];
      for (std::size_t i = 0; i < 2; ++i) {
        const auto end = evaluate(term.parts[i]);
        if (!end) return tl::unexpected(end.error());
        const auto* const whole = std::get_if<std::int64_t>(&*end);
        if (whole == nullptr || *whole < 0 || *whole > kLargestSkiArgument)
          return tl::unexpected(term.place.error(fmt::format("{}() counts from 0 on", term.text)));
        ends[i] = *whole;
      }
      std::vector<SkiValue> values;
      for (std::int64_t i = is_range ? ends[0] : 1; (is_range ? i : i * i) <= ends[1]; ++i) {
        if (values.size() == kMostSkiSteps)
          return tl::unexpected(term.place.error(fmt::format("more than {} values", kMostSkiSteps)));
        if (is_range || i * i >= ends[0]) values.emplace_back(is_range ? i : i * i);
      }
      return values;
    }
    auto value = evaluate(term);
    if (!value) return tl::unexpected(std::move(value.error()));
    if (!is_number(*value))
      return tl::unexpected(
          term.place.error(fmt::format("a loop goes over numbers, this is {}", kind_of(*value))));
    return std::vector<SkiValue>{*std::move(value)};
  }

  Expected<double> number(const SkiTerm& term, std::string_view what, bool& is_whole) {
    const auto value = evaluate(term);
    if (!value) return tl::unexpected(value.error());
    if (!is_number(*value))
      return tl::unexpected(
          term.place.error(fmt::format("the {} is {}, expected a number", what, kind_of(*value))));
    const double real = as_real(*value);
    if (!(std::abs(real) <= static_cast<double>(kLargestSkiArgument)))
      return tl::unexpected(term.place.error(fmt::format("the {} is {}, which is too large", what, real)));
    is_whole = std::holds_alternative<std::int64_t>(*value);
    return real;
  }

  Expected<Flow> range_loop(const SkiStatement& s) {
    SkiRefinement range;
    bool whole_start = true, whole_end = true, whole_step = true, whole_multiple = true;
    const auto start = number(s.terms[0], "start of the loop", whole_start);
    if (!start) return tl::unexpected(start.error());
    range.start = *start;
    range.end = static_cast<double>(kLargestSkiArgument);
    if (!s.is_open) {
      const auto end = number(s.terms[1], "end of the loop", whole_end);
      if (!end) return tl::unexpected(end.error());
      range.end = *end;
    }
    if (s.terms.size() > 2) {
      const auto step = number(s.terms[2], "step of the loop", whole_step);
      if (!step) return tl::unexpected(step.error());
      range.step = *step;
    }
    double multiple = 1;
    if (!s.multiple_of.empty()) {
      const auto of = number(s.multiple_of[0], "number behind multipleof", whole_multiple);
      if (!of) return tl::unexpected(of.error());
      multiple = *of;
      if (!(multiple >= 1)) return tl::unexpected(s.place.error("the number behind multipleof is below 1"));
    }
    range.multiplies = s.multiplies;
    if (s.multiplies ? !(range.step > 1 && range.start > 0) : !(range.step > 0))
      return tl::unexpected(s.place.error(
          s.multiplies
              ? fmt::format("a loop from {} on with 'step *{}' does not end", range.start, range.step)
              : fmt::format("a loop with 'step {}' does not end", range.step),
          "steps go up: 'step *x' with x above 1 and a start above 0, 'step x' with x above 0"));
    // Steps that multiply go over whole numbers, rounded: 1, 2, 3, 4, 6, 8, 11 with the square root of 2.
    const bool rounds = whole_start && (s.multiplies || whole_step);
    range.loop = ++last_loop_;
    range.factor = settings_.autorefine_factor;
    if (s.refines) {
      if (refined_)
        return tl::unexpected(
            s.place.error("an 'autorefine' loop is within another one, which is not supported"));
      refined_ = range;
    }
    open_loops_ += s.is_open ? 1 : 0;
    auto flow = within(s, [&] { return over_range(s, range, rounds, multiple); });
    open_loops_ -= s.is_open ? 1 : 0;
    if (s.refines) refined_.reset();
    if (flow && s.is_open) flow = Flow::go_on;
    return flow;
  }

  Expected<Flow> over_range(const SkiStatement& s, const SkiRefinement& range, bool rounds, double multiple) {
    double last = -std::numeric_limits<double>::infinity();
    for (double k = 0;; ++k) {
      double value = range.multiplies ? range.start * std::pow(range.step, k) : range.start + range.step * k;
      if (rounds) value = std::floor(value / multiple + 0.5) * multiple;
      if (!(value <= range.end)) return Flow::go_on;
      if (value == last) {
        // Steps that are too small for a whole number are made, but nothing is measured.
        if (++steps_ > kMostSkiSteps)
          return tl::unexpected(
              s.place.error("the steps of the loop are too small: it does not seem to end"));
        continue;
      }
      last = value;
      auto flow = repeat(s, rounds ? SkiValue(static_cast<std::int64_t>(value)) : SkiValue(value));
      if (!flow || *flow != Flow::go_on) return flow;
      if (s.body.empty() && ++steps_ > kMostSkiSteps)
        return tl::unexpected(s.place.error("the loop does not seem to end"));
    }
  }

  // ---- measuring

  tl::unexpected<Error> wrong(const SkiTerm& call, std::string message, std::string hint = "") const {
    auto e = call.place.error(std::move(message), std::move(hint));
    e.where = fmt::format("{}()", printable(call.text));
    return tl::unexpected(std::move(e));
  }

  Expected<Flow> measure(const SkiStatement& s) {
    const auto& call = s.terms[1];
    const auto communicator = evaluate(s.terms[0]);
    if (!communicator) return tl::unexpected(communicator.error());
    const auto* const comm = std::get_if<SkiCommunicator>(&*communicator);
    if (comm == nullptr)
      return tl::unexpected(s.place.error(
          fmt::format("expected a communicator behind 'measure', this is {}", kind_of(*communicator))));
    const auto* const op = find_ski_operation(call.text);
    const auto* const kernel = find_skampi5_operation(call.text);
    if (op == nullptr || kernel == nullptr)
      return wrong(call, "there is no such operation, or it is not supported",
                   "docs/skampi.md lists the operations");
    if (kernel->pattern == KernelPattern::pairs && comm->size != 2)
      return wrong(call, fmt::format("is between 2 ranks, but the communicator has {}", comm->size));

    SkiMeasurement m;
    m.block = block_;
    m.variables = variables_;
    m.operation = kernel;
    m.communicator = *comm;
    m.repetition = settings_.repetition;
    m.refined = refined_;
    m.place = call.place;
    if (auto read = read_arguments(call, *op, m); !read) return tl::unexpected(std::move(read.error()));
    const auto needed = m.message * (op->buffers + std::uint64_t{op->buffers_each} * comm->size);
    const auto there = settings_.cycles_buffers ? settings_.memory / 2 : settings_.memory;
    if (needed > there) {
      if (open_loops_ > 0) return Flow::buffers_full;
      return wrong(call, fmt::format("needs {} bytes for messages, but there are {}", needed, there),
                   settings_.cycles_buffers
                       ? "half of what set_skampi_buffer() sets: SKaMPI 5 walks through its buffer"
                       : "set_skampi_buffer() sets them");
    }
    if (settings_.cycles_buffers) m.buffers = buffers_in_turn(there, needed);
    if (op->is_split) m.bytes = m.message / comm->size;
    if (measurements_.size() == kMostSkiMeasurements)
      return wrong(call, fmt::format("would be more than {} measurements", kMostSkiMeasurements));
    measurements_.push_back(std::move(m));
    return Flow::go_on;
  }

  Expected<void> read_arguments(const SkiTerm& call, const SkiOperation& op, SkiMeasurement& m) {
    std::vector<SkiValue> values;
    for (const auto& part : call.parts) {
      auto value = evaluate(part);
      if (!value) return tl::unexpected(std::move(value.error()));
      values.push_back(*std::move(value));
    }
    if (values.size() != op.arguments.size())
      return wrong(call, fmt::format("has {} arguments, expected {}", values.size(), op.arguments.size()));
    const SkiCall read{call.text, values, call.place, machine_, settings_, diagnostics_};
    std::uint64_t elements = 0;
    bool has_size = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
      Expected<void> ok;
      switch (op.arguments[i]) {
        case ski_argument::kCount:
          ok = read.whole(i, 0, kLargestSkiArgument).map([&](std::int64_t n) {
            elements = static_cast<std::uint64_t>(n);
          });
          break;
        case ski_argument::kDatatype:
          ok = read.datatype(i).and_then([&](const SkiDatatype& d) -> Expected<void> {
            if (d.bytes > 0 && elements > static_cast<std::uint64_t>(kLargestSkiArgument) / d.bytes)
              return tl::unexpected(read.error("the message is too large"));
            if (has_size && m.message != d.bytes * elements)
              return tl::unexpected(read.error(fmt::format(
                  "sends {} bytes and receives {}, which is not supported", m.message, d.bytes * elements)));
            has_size = true;
            m.message = m.bytes = d.bytes * elements;
            return {};
          });
          break;
        case ski_argument::kRoot:
          ok = read.whole(i, 0, static_cast<std::int64_t>(m.communicator.size) - 1).map([&](std::int64_t n) {
            m.root = static_cast<std::size_t>(n);
          });
          break;
        case ski_argument::kIterations:
          ok = read.whole(i, 1, 1'000'000).map([&](std::int64_t n) {
            m.iterations = static_cast<std::uint32_t>(n);
          });
          break;
        case ski_argument::kTag:
          ok = read.whole(i, 0, kLargestSkiArgument).map([](std::int64_t) {});
          break;
        default:  // an operation of Reduce
          if (!std::holds_alternative<SkiReduction>(values[i]))
            ok = wrong(call, fmt::format("argument {} is {}, expected an operation such as MPI_SUM", i + 1,
                                         kind_of(values[i])));
      }
      if (!ok) return ok;
    }
    return {};
  }

  // ---- terms

  Expected<SkiValue> evaluate(const SkiTerm& t) {
    switch (t.kind) {
      case SkiTerm::Kind::whole:
        return t.whole;
      case SkiTerm::Kind::real:
        return t.real;
      case SkiTerm::Kind::text:
        return t.text;
      case SkiTerm::Kind::name:
        return look_up(t);
      default:
        break;
    }
    std::vector<SkiValue> parts;
    for (const auto& part : t.parts) {
      auto value = evaluate(part);
      if (!value) return value;
      parts.push_back(*std::move(value));
    }
    switch (t.kind) {
      case SkiTerm::Kind::call:
        return call_ski_function({t.text, parts, t.place, machine_, settings_, diagnostics_});
      case SkiTerm::Kind::prefix:
        return ski_prefix(t.text, parts[0], t.place);
      case SkiTerm::Kind::infix:
        return ski_infix(t.text, parts[0], parts[1], t.place);
      default:
        return tl::unexpected(t.place.error("a list in { } is not supported"));
    }
  }

  Expected<SkiValue> look_up(const SkiTerm& t) const {
    const auto found = names_.find(t.text);
    if (found != names_.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [name, value] : names_) known.push_back(name);
    const auto near = nearest_name(known, std::string_view(t.text).substr(0, 64));
    return tl::unexpected(t.place.error(fmt::format("there is no {}", printable(t.text)),
                                        near.empty() ? "" : fmt::format("did you mean {}?", near)));
  }

  const SkiMachine& machine_;
  Diagnostics& diagnostics_;
  SkiSettings settings_;
  SkiNames names_;
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
