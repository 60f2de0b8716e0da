#include "measuring/skampi/ski_functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "documents/fields/printable.hpp"

namespace busline::skampi {
namespace {

using Result = Expected<SkiValue>;

SkiCommunicator of_ranks(std::vector<std::uint32_t> ranks) {
  const auto size = ranks.size();
  return {std::make_shared<const std::vector<std::uint32_t>>(std::move(ranks)), size};
}

Result comm_of(const SkiCall& c) {
  std::vector<std::uint32_t> ranks;
  for (std::size_t i = 0; i < c.arguments.size(); ++i) {
    const auto rank = c.whole(i, 0, std::int64_t{c.machine.ranks} - 1);
    if (!rank) return tl::unexpected(rank.error());
    if (std::find(ranks.begin(), ranks.end(), *rank) != ranks.end())
      return tl::unexpected(c.error(fmt::format("rank {} occurs twice", *rank)));
    ranks.push_back(static_cast<std::uint32_t>(*rank));
  }
  return of_ranks(std::move(ranks));
}

Result comm(const SkiCall& c) {
  return c.whole(0, 1, c.machine.ranks).map([&](std::int64_t n) -> SkiValue {
    auto all = c.settings.world;
    all.size = static_cast<std::size_t>(n);
    return all;
  });
}

Result comm_from_to(const SkiCall& c) {
  const auto first = c.whole(0, 0, std::int64_t{c.machine.ranks} - 1);
  if (!first) return tl::unexpected(first.error());
  return c.whole(1, *first, std::int64_t{c.machine.ranks} - 1).map([&](std::int64_t last) -> SkiValue {
    std::vector<std::uint32_t> ranks(static_cast<std::size_t>(last - *first + 1));
    std::iota(ranks.begin(), ranks.end(), static_cast<std::uint32_t>(*first));
    return of_ranks(std::move(ranks));
  });
}

template <bool first>
Result half(const SkiCall& c) {
  return c.communicator(0).and_then([&](const SkiCommunicator& all) -> Result {
    if (all.size < 2) return tl::unexpected(c.error("a communicator of one rank has no halves"));
    const auto middle = static_cast<std::ptrdiff_t>(all.size / 2),
               end = static_cast<std::ptrdiff_t>(all.size);
    const auto begin = all.ranks->begin();
    return of_ranks({begin + (first ? 0 : middle), begin + (first ? middle : end)});
  });
}

Result farthest(const SkiCall& c) {
  if (c.machine.ranks < 2) return tl::unexpected(c.error("needs two ranks, but the job has one"));
  const auto rank = c.machine.farthest();
  if (!rank) return tl::unexpected(rank.error());
  return of_ranks({0, *rank});
}

template <double (*function)(double)>
Result of_real(const SkiCall& c) {
  return c.real(0).and_then([&](double x) -> Result {
    const double y = function(x);
    if (!std::isfinite(y)) return tl::unexpected(c.error(fmt::format("{} of {} does not exist", c.name, x)));
    return y;
  });
}

template <double (*function)(double)>
Result to_whole(const SkiCall& c) {
  return c.real(0).and_then([&](double x) -> Result {
    if (!(std::abs(x) <= static_cast<double>(kLargestSkiArgument)))
      return tl::unexpected(c.error(fmt::format("{} is too large", x)));
    return static_cast<std::int64_t>(function(x));
  });
}

template <std::int64_t (*function)(std::int64_t, std::int64_t)>
Result of_two(const SkiCall& c) {
  const auto a = c.whole(0, -kLargestSkiArgument, kLargestSkiArgument);
  if (!a) return tl::unexpected(a.error());
  const auto b = c.whole(1, -kLargestSkiArgument, kLargestSkiArgument);
  if (!b) return tl::unexpected(b.error());
  return function(*a, *b);
}

Result modulo(const SkiCall& c) {
  const auto a = c.whole(0, 0, kLargestSkiArgument);
  if (!a) return tl::unexpected(a.error());
  return c.whole(1, 1, kLargestSkiArgument).map([&](std::int64_t b) -> SkiValue { return *a % b; });
}

Result power(const SkiCall& c) {
  const auto a = c.real(0);
  if (!a) return tl::unexpected(a.error());
  return c.real(1).and_then([&](double b) -> Result {
    const double y = std::pow(*a, b);
    if (!std::isfinite(y)) return tl::unexpected(c.error("the result is not a number"));
    return y;
  });
}

// A datatype of `parts` numbers one after the other of another type.
Result datatype_of(const SkiCall& c, std::size_t numbers) {
  std::uint64_t elements = 1;
  for (std::size_t i = 0; i < numbers; ++i) {
    const auto n = c.whole(i, 1, std::int64_t{1} << 20U);
    if (!n) return tl::unexpected(n.error());
    elements *= static_cast<std::uint64_t>(*n);
  }
  return c.datatype(c.arguments.size() - 1).and_then([&](const SkiDatatype& of) -> Result {
    if (of.bytes > static_cast<std::uint64_t>(kLargestSkiArgument) / elements)
      return tl::unexpected(c.error("the datatype is too large"));
    return SkiDatatype{of.bytes * elements};
  });
}

Result repetitions(const SkiCall& c, std::uint32_t& to) {
  return c.whole(0, 1, measure::kMostRepetitions).map([&](std::int64_t n) -> SkiValue {
    to = static_cast<std::uint32_t>(n);
    return {};
  });
}

Result positive(const SkiCall& c, double& to) {
  return c.real(0).and_then([&](double x) -> Result {
    if (!(x > 0)) return tl::unexpected(c.error(fmt::format("{} is not above 0", x)));
    to = x;
    return SkiValue{};
  });
}

Result nothing(const SkiCall&) {
  return SkiValue{};
}

struct Function {
  std::string_view name;
  std::size_t arguments;
  Result (*call)(const SkiCall&);
};

double square(double x) {
  return x * x;
}
std::int64_t larger(std::int64_t a, std::int64_t b) {
  return std::max(a, b);
}
std::int64_t smaller_value(std::int64_t a, std::int64_t b) {
  return std::min(a, b);
}

const std::array<Function, 44> kFunctions{{
    // What the job is.
    {"get_np", 0, [](const SkiCall& c) -> Result { return std::int64_t{c.machine.ranks}; }},
    {"last_proc", 0, [](const SkiCall& c) -> Result { return std::int64_t{c.machine.ranks} - 1; }},
    {"get_comm_size", 1,
     [](const SkiCall& c) {
       return c.communicator(0).map(
           [](const SkiCommunicator& m) -> SkiValue { return static_cast<std::int64_t>(m.size); });
     }},
    {"mpi_processor_names", 0, [](const SkiCall&) -> Result { return std::string(); }},
    // Communicators.
    {"comm", 1, comm},
    {"comm2", 2, comm_of},
    {"comm4", 4, comm_of},
    {"comm_from_to", 2, comm_from_to},
    {"comm_first_half", 1, half<true>},
    {"comm_second_half", 1, half<false>},
    {"comm2_max_latency_with_root", 0, farthest},
    {"copy_comm", 1,
     [](const SkiCall& c) {
       return c.communicator(0).map([](const SkiCommunicator& m) -> SkiValue { return m; });
     }},
    // Numbers.
    {"sqrt", 1, of_real<std::sqrt>},
    {"cbrt", 1, of_real<std::cbrt>},
    {"sqr", 1, of_real<square>},
    {"log", 1, of_real<std::log>},
    {"log2", 1, of_real<std::log2>},
    {"log10", 1, of_real<std::log10>},
    {"power", 2, power},
    {"ceil", 1, to_whole<std::ceil>},
    {"floor", 1, to_whole<std::floor>},
    {"round", 1, to_whole<std::round>},
    {"modulo", 2, modulo},
    {"max_int", 2, of_two<larger>},
    {"min_int", 2, of_two<smaller_value>},
    // Datatypes. Gaps between the parts of a vector cost nothing.
    {"mpi_type_contiguous", 2, [](const SkiCall& c) { return datatype_of(c, 1); }},
    {"mpi_type_vector", 4, [](const SkiCall& c) { return datatype_of(c, 2); }},
    {"mpi_type_hvector", 4, [](const SkiCall& c) { return datatype_of(c, 2); }},
    // How to measure.
    {"set_min_repetitions", 1,
     [](const SkiCall& c) { return repetitions(c, c.settings.repetition.min_repetitions); }},
    {"set_max_repetitions", 1,
     [](const SkiCall& c) { return repetitions(c, c.settings.repetition.max_repetitions); }},
    {"set_max_relative_standard_error", 1,
     [](const SkiCall& c) { return positive(c, c.settings.repetition.precision); }},
    {"set_skampi_buffer", 1,
     [](const SkiCall& c) {
       return c.whole(0, 1, kLargestSkiArgument).map([&](std::int64_t n) -> SkiValue {
         c.settings.memory = static_cast<std::uint64_t>(n);
         return {};
       });
     }},
    {"set_autorefine_factor", 1, [](const SkiCall& c) { return positive(c, c.settings.autorefine_factor); }},
    {"switch_buffer_cycling_on", 0,
     [](const SkiCall& c) -> Result {
       c.settings.cycles_buffers = true;
       return SkiValue{};
     }},
    {"switch_buffer_cycling_off", 0,
     [](const SkiCall& c) -> Result {
       c.settings.cycles_buffers = false;
       return SkiValue{};
     }},
    // A sample begins after a barrier, with what it leaves on a common clock; times are the longest of all
    // ranks.
    {"choose_barrier_synchronization", 0, nothing},
    {"choose_real_synchronization", 0, nothing},
    // Makes no difference on a machine without caches, and without SKaMPI's own output.
    {"set_cache_size", 1, nothing},
    {"set_send_buffer_alignment", 1, nothing},
    {"set_recv_buffer_alignment", 1, nothing},
    {"set_max_nr_node_times", 1, nothing},
    {"use_mpi_alloc_mem", 1, nothing},
    {"init_time_accounting", 0, nothing},
    {"print_time_accounting_info", 0, nothing},
}};

}  // namespace

Error SkiCall::error(std::string message, std::string hint) const {
  auto e = place.error(std::move(message), std::move(hint));
  e.where = fmt::format("{}()", printable(name));
  return e;
}

Expected<std::int64_t> SkiCall::whole(std::size_t n, std::int64_t least, std::int64_t most) const {
  std::optional<std::int64_t> value;
  if (const auto* const w = std::get_if<std::int64_t>(&arguments[n])) value = *w;
  if (const auto* const r = std::get_if<double>(&arguments[n]))
    if (std::abs(*r) <= static_cast<double>(kLargestSkiArgument) && *r == std::floor(*r))
      value = static_cast<std::int64_t>(*r);
  if (!value)
    return tl::unexpected(
        error(fmt::format("argument {} is {}, expected a whole number", n + 1, kind_of(arguments[n]))));
  if (*value < least || *value > most)
    return tl::unexpected(
        error(fmt::format("argument {} is {}, expected {} to {}", n + 1, *value, least, most)));
  return *value;
}

Expected<double> SkiCall::real(std::size_t n) const {
  if (const auto number = as_number(arguments[n])) return *number;
  return tl::unexpected(
      error(fmt::format("argument {} is {}, expected a number", n + 1, kind_of(arguments[n]))));
}

Expected<SkiCommunicator> SkiCall::communicator(std::size_t n) const {
  if (const auto* const c = std::get_if<SkiCommunicator>(&arguments[n])) return *c;
  return tl::unexpected(
      error(fmt::format("argument {} is {}, expected a communicator", n + 1, kind_of(arguments[n]))));
}

Expected<SkiDatatype> SkiCall::datatype(std::size_t n) const {
  if (const auto* const d = std::get_if<SkiDatatype>(&arguments[n])) return *d;
  return tl::unexpected(
      error(fmt::format("argument {} is {}, expected a datatype", n + 1, kind_of(arguments[n]))));
}

Expected<SkiValue> call_ski_function(const SkiCall& call) {
  const auto* const found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                         [&](const Function& f) { return f.name == call.name; });
  if (found == kFunctions.end()) {
    std::vector<std::string> known;
    for (const auto& f : kFunctions) known.emplace_back(f.name);
    const auto near = nearest_name(known, call.name.substr(0, 64));
    return tl::unexpected(call.error("no such function exists, or it is not supported",
                                     near.empty() ? "docs/reference/skampi.md lists the functions"
                                                  : fmt::format("did you mean {}?", near)));
  }
  if (call.arguments.size() != found->arguments)
    return tl::unexpected(
        call.error(fmt::format("has {} arguments, expected {}", call.arguments.size(), found->arguments)));
  return found->call(call);
}

SkiNames predefined_ski_names(const SkiCommunicator& world) {
  SkiNames names;
  constexpr std::array<std::pair<const char*, std::uint64_t>, 20> kDatatypes{
      {{"MPI_CHAR", 1},          {"MPI_SIGNED_CHAR", 1}, {"MPI_UNSIGNED_CHAR", 1},  {"MPI_BYTE", 1},
       {"MPI_PACKED", 1},        {"MPI_SHORT", 2},       {"MPI_UNSIGNED_SHORT", 2}, {"MPI_INT", 4},
       {"MPI_UNSIGNED", 4},      {"MPI_LONG", 8},        {"MPI_UNSIGNED_LONG", 8},  {"MPI_LONG_LONG", 8},
       {"MPI_LONG_LONG_INT", 8}, {"MPI_FLOAT", 4},       {"MPI_DOUBLE", 8},         {"MPI_LONG_DOUBLE", 16},
       {"MPI_FLOAT_INT", 8},     {"MPI_DOUBLE_INT", 16}, {"MPI_2INT", 8},           {"MPI_LONG_INT", 16}}};
  for (const auto& [name, bytes] : kDatatypes) names.emplace(name, SkiDatatype{bytes});
  for (const auto* const name : {"MPI_SUM", "MPI_PROD", "MPI_MAX", "MPI_MIN", "MPI_LAND", "MPI_BAND",
                                 "MPI_LOR", "MPI_BOR", "MPI_LXOR", "MPI_BXOR", "MPI_MAXLOC", "MPI_MINLOC"})
    names.emplace(name, SkiReduction{});
  names.emplace("MPI_COMM_WORLD", world);
  return names;
}

}  // namespace busline::skampi
