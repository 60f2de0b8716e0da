#include "workloads/generate/generator.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "sim/base/quantity.hpp"
#include "workloads/kernels/kernel.hpp"

namespace busline {
namespace {

using Kind = GeneratorParameter::Kind;

tl::unexpected<Error> refuse(std::string_view option, std::string message, std::string hint = {}) {
  return refuse_option(fmt::format("--{}", option), std::move(message), std::move(hint));
}

Expected<std::uint64_t> read_number(const GeneratorParameter& p, const std::string& text) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  const auto most = p.most == 0 ? ~std::uint64_t{0} : p.most;
  if (error != std::errc{} || end != text.data() + text.size() || n < p.least || n > most)
    return refuse(p.name, p.most == 0 ? fmt::format("'{}' is not a whole number", text)
                                      : fmt::format("'{}', expected {} to {}", text, p.least, p.most));
  return n;
}

Expected<double> read_share(const GeneratorParameter& p, const std::string& text) {
  const auto value = parse_share(text);
  if (!value || *value > 1)
    return refuse(p.name, fmt::format("'{}', expected a share from 0 to 1", text),
                  value ? "such as 10% or 0.1" : value.error().reason);
  return *value;
}

template <class T>
Expected<T> quantity(const GeneratorParameter& p, const std::string& text, Parsed<T> parsed) {
  if (parsed) return *parsed;
  return refuse(p.name, fmt::format("{}: column {}: {}", text, parsed.error().column, parsed.error().reason),
                fmt::format("the default is {}", p.fallback));
}

}  // namespace

Expected<Program> Generator::generate(const std::map<std::string, std::string>& given) const {
  GeneratorValues values;
  const auto put = [&](std::string_view parameter, auto value) -> Expected<void> {
    if (!value) return tl::unexpected(std::move(value.error()));
    values.values_.insert_or_assign(parameter, *std::move(value));
    return {};
  };
  for (const auto& p : parameters) {
    const auto found = given.find(std::string(p.name));
    const auto text = found == given.end() ? std::string(p.fallback) : found->second;
    const auto read = [&]() -> Expected<void> {
      switch (p.kind) {
        case Kind::number:
          return put(p.name, read_number(p, text));
        case Kind::size:
          return put(p.name, quantity(p, text, parse_bytes(text)));
        case Kind::time:
          return put(p.name, quantity(p, text, parse_duration(text)));
        case Kind::share:
          return put(p.name, read_share(p, text));
        case Kind::rate:
          return put(p.name, quantity(p, text, parse_bandwidth(text)));
        case Kind::choice:
          if (!p.choices.empty() && std::find(p.choices.begin(), p.choices.end(), text) == p.choices.end())
            return refuse(p.name, fmt::format("'{}', expected {}", text, fmt::join(p.choices, " or ")));
          return put(p.name, Expected<std::string>(text));
      }
      return {};
    };
    if (auto ok = read(); !ok) return tl::unexpected(std::move(ok.error()));
  }
  if (const double n = operations(values); n > static_cast<double>(kMostKernelOperations)) {
    Error e;
    e.kind = Error::Kind::bad_option;
    e.message = fmt::format("the workload would have {:.1e} operations, expected at most {:.1e}", n,
                            static_cast<double>(kMostKernelOperations));
    e.hint = "fewer ranks or iterations";
    return tl::unexpected(std::move(e));
  }
  return make(values);
}

std::span<const Generator> generators() {
  static const auto kAll = [] {
    auto all = pattern_generators();
    auto benchmarks = benchmark_generators();
    std::move(benchmarks.begin(), benchmarks.end(), std::back_inserter(all));
    return all;
  }();
  return kAll;
}

}  // namespace busline
