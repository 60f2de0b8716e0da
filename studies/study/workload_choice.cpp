#include "studies/study/workload_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "documents/fields/object.hpp"
#include "documents/fields/printable.hpp"
#include "studies/study/workload_fields.hpp"
#include "workloads/generate/generator.hpp"

namespace busline {
namespace {

namespace fs = std::filesystem;

std::string seen_from(const std::string& folder, const std::string& path) {
  return (fs::path(folder) / path).string();  // an absolute path stays
}

// A generator's parameter: strings as they are, other values as JSON writes them: 64, 0.1.
Expected<WorkloadChoice> read_generated(const Cursor& at) {
  GeneratedChoice choice;
  const auto named = *at.member("generate");
  if (auto read = read_value(named, choice.generator); !read) return tl::unexpected(std::move(read.error()));
  const auto all = generators();
  const auto generator =
      std::find_if(all.begin(), all.end(), [&](const Generator& g) { return g.name == choice.generator; });
  if (generator == all.end()) {
    std::vector<std::string> names;
    for (const auto& g : all) names.emplace_back(g.name);
    return tl::unexpected(named.error(fmt::format("unknown generator '{}', expected one of {}",
                                                  printable(choice.generator), fmt::join(names, ", "))));
  }
  fields::Keys keys;
  keys.known.emplace_back("generate");
  for (const auto& p : generator->parameters) keys.known.emplace_back(p.name);
  if (auto known = fields::refuse_unknown(at, keys); !known) return tl::unexpected(std::move(known.error()));
  for (const auto& member : at.value().items()) {
    if (member.key() == "generate") continue;
    const auto& value = member.value();
    if (value.is_structured() || value.is_null())
      return tl::unexpected(at.member(member.key())->expected("a number or a string"));
    choice.parameters[member.key()] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  return choice;
}

template <class Choice>
Expected<WorkloadChoice> read_described(const Cursor& at) {
  Choice choice;
  if (auto read = read_value(at, choice); !read) return tl::unexpected(std::move(read.error()));
  return choice;
}

}  // namespace

Expected<WorkloadChoice> read_workload_choice(const Document& document, const std::string& folder) {
  const Cursor at(document);
  if (at.value().is_string()) return TraceChoice{seen_from(folder, at.value().get<std::string>()), {}};
  if (at.member("generate")) return read_generated(at);
  if (at.member("measure")) return read_described<BenchmarkChoice>(at);
  if (!at.member("path"))
    return tl::unexpected(at.expected("a path, or an object with 'path', 'generate' or 'measure'"));
  auto choice = read_described<TraceChoice>(at);
  if (choice) {
    auto& trace = std::get<TraceChoice>(*choice);
    trace.path = seen_from(folder, trace.path);
  }
  return choice;
}

std::string name_of(const WorkloadChoice& choice) {
  if (const auto* generated = std::get_if<GeneratedChoice>(&choice)) return generated->generator;
  if (const auto* benchmark = std::get_if<BenchmarkChoice>(&choice)) {
    for (const auto& [name, kind] : kBenchmarkNames)
      if (kind == benchmark->kind) return std::string(name);
  }
  const auto* trace = std::get_if<TraceChoice>(&choice);
  return trace == nullptr ? std::string() : fs::path(trace->path).filename().string();
}

}  // namespace busline
