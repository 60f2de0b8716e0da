// Workloads in Python: read, generated, or built call by call.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "documents/text/json_document.hpp"
#include "python/exceptions.hpp"
#include "python/interruptible.hpp"
#include "python/objects.hpp"
#include "sim/base/quantity.hpp"
#include "sim/program/program_builder.hpp"
#include "sim/program/program_rules.hpp"
#include "studies/traces/inspect_report.hpp"
#include "workloads/generate/generator.hpp"
#include "workloads/statistics/statistics.hpp"
#include "workloads/ti/flops.hpp"
#include "workloads/write_workload.hpp"

namespace py = pybind11;

namespace busline::python {
namespace {

std::shared_ptr<const Workload> workload_of(std::string name, std::string format, Program program) {
  Workload made;
  made.name = std::move(name);
  made.format = std::move(format);
  made.program = std::move(program);
  return std::make_shared<const Workload>(std::move(made));
}

/// The arguments of load_workload() in Python, as texts with units.
WorkloadOptions workload_options(const py::dict& given) {
  WorkloadOptions options;
  auto& dumpi = options.dumpi;
  for (const auto& [key, value] : given) {
    const auto name = key.cast<std::string>();
    if (name == "compute_scale") dumpi.compute_scale = value.cast<double>();
    if (name == "cpu_time") dumpi.cpu_time = value.cast<bool>();
    if (name == "keep_io") dumpi.keep_io = value.cast<bool>();
    if (name == "rematch_wildcards") dumpi.rematch_wildcards = value.cast<bool>();
    if (name == "salvage") dumpi.salvage = value.cast<bool>();
    if (name == "application") options.paraver.application = value.cast<std::uint32_t>();
    if (name == "message_header") options.ti.extra_bytes = value.cast<std::uint64_t>();
    if (name == "detached_below") options.ti.detached_below = value.cast<std::uint64_t>();
    if (name == "goal_unit_ps") options.goal.unit = Duration::picoseconds(value.cast<std::int64_t>());
    if (name == "host_speed") {
      const auto speed = parse_flops(value.cast<std::string>());
      if (!speed)
        throw_as_exception(
            option_error(name, fmt::format("'{}' is not a speed with a unit", value.cast<std::string>()),
                         "such as '1Gf'"));
      options.ti.flops_per_second = *speed;
    }
    if (name == "mpi") {
      const auto library = value.cast<std::string>();
      if (library != "mpich" && library != "open-mpi")
        throw_as_exception(option_error(name, fmt::format("'{}': expected 'mpich' or 'open-mpi'", library)));
      using enum LiballprofOptions::Library;
      options.liballprof.library = library == "mpich" ? mpich : open_mpi;
    }
  }
  return options;
}

WorkloadObject loaded_workload(const std::string& path, const py::dict& given) {
  const auto options = workload_options(given);
  return value_of(made_interruptibly<Expected<WorkloadObject>>([path, options](const auto&) {
    Diagnostics diagnostics;
    return load_workload(path, options, diagnostics).map([&](Workload&& w) {
      return WorkloadObject{std::make_shared<const Workload>(std::move(w)), path, texts_of(diagnostics)};
    });
  }));
}

WorkloadObject generated_workload(const std::string& name, const std::map<std::string, std::string>& given) {
  for (const auto& generator : generators())
    if (generator.name == name)
      return value_of(made_interruptibly<Expected<WorkloadObject>>([&generator, given](const auto&) {
        return generator.generate(given).map([&](Program&& program) {
          return WorkloadObject{
              workload_of(std::string(generator.name), "generated", std::move(program)), "", {}};
        });
      }));
  throw_as_exception(option_error("generate", fmt::format("there is no generator '{}'", name)));
}

py::list generator_table() {
  constexpr std::array kKinds{"number", "size", "time", "share", "rate", "choice"};
  py::list all;
  for (const auto& generator : generators()) {
    py::list parameters;
    for (const auto& p : generator.parameters)
      parameters.append(py::make_tuple(std::string(p.name), kKinds.at(static_cast<std::size_t>(p.kind)),
                                       std::string(p.fallback), std::string(p.help),
                                       std::vector<std::string>(p.choices.begin(), p.choices.end())));
    all.append(py::make_tuple(std::string(generator.name), std::string(generator.description), parameters));
  }
  return all;
}

// ---- Programs that are written in Python.

/// A call as busline/_program.py keeps it, which has checked ranks, tags and requests: what, peer or root or
/// request, tag, and picoseconds or bytes.
using Call = std::tuple<std::string, std::int64_t, std::int32_t, std::int64_t>;

std::string name_of_call(const std::string& what) {
  if (what == "sendrecv") return "MPI_Sendrecv";
  return fmt::format("MPI_{}{}", static_cast<char>(what[0] - 'a' + 'A'), what.substr(1));
}

/// Emits the calls of one rank.
class RankWriter {
 public:
  RankWriter(ProgramBuilder& builder, std::uint32_t rank) : b_(builder), rank_(rank) {}

  void emit(const Call& call) {
    const auto& [what, peer, tag, amount] = call;
    if (what == "compute") return b_.compute(Duration::picoseconds(amount));
    b_.begin_call(b_.call_name(what.starts_with("MPI_") ? what : name_of_call(what)));
    const Envelope with{.peer = peer < 0 ? kAnySource : static_cast<std::uint32_t>(peer),
                        .tag = tag < 0 ? kAnyTag : tag,
                        .communicator = 0};
    const Bytes size{static_cast<std::uint64_t>(amount)};
    if (what == "send") b_.send(with, size);
    if (what == "ssend") b_.send(with, size, SendMode::synchronous);
    if (what == "bsend") b_.send(with, size, SendMode::buffered);
    if (what == "recv") b_.recv(with, size);
    if (what == "isend") slots_.push_back(b_.isend(with, size));
    if (what == "issend") slots_.push_back(b_.isend(with, size, SendMode::synchronous));
    if (what == "irecv") slots_.push_back(b_.irecv(with, size));
    if (what == "wait") b_.wait(slots_[static_cast<std::size_t>(peer)]);
    if (const auto kind = find_collective(what)) collective(*kind, static_cast<std::uint32_t>(peer), amount);
  }

 private:
  void collective(CollectiveKind kind, std::uint32_t root, std::int64_t bytes) {
    CollectiveArgs args;
    args.kind = kind;
    args.is_root = has_root(kind) && root == rank_;
    args.send_bytes = args.recv_bytes = static_cast<std::uint64_t>(bytes);
    b_.collective(args);
  }

  ProgramBuilder& b_;
  std::uint32_t rank_;
  std::vector<std::uint32_t> slots_;  // by number of the request
};

WorkloadObject built_workload(const std::string& name, const std::vector<std::vector<Call>>& calls) {
  ProgramBuilder builder(static_cast<std::uint32_t>(calls.size()));
  for (std::uint32_t rank = 0; rank < calls.size(); ++rank) {
    builder.begin_strand(rank);
    RankWriter writer(builder, rank);
    for (const auto& call : calls[rank]) writer.emit(call);
  }
  auto program = builder.build();
  if (const auto broken = first_broken_rule(program.tables()))
    throw_as_exception(
        option_error("Program", fmt::format("{} {}: {}", broken->table, broken->entry, broken->message)));
  return {workload_of(name, "written in Python", std::move(program)), "", {}};
}

py::list collective_names() {
  py::list names;
  for (std::size_t k = 0; k < kCollectiveKinds; ++k) {
    const auto kind = static_cast<CollectiveKind>(k);
    // Others concern communicators, windows and files, which a Program in Python has not.
    if (kind <= CollectiveKind::exscan && !may_list_blocks(kind))
      names.append(py::make_tuple(std::string(name_of(kind)), has_root(kind)));
  }
  return names;
}

std::pair<std::string, std::string> inspected(const WorkloadObject& self) {
  InspectReport report;
  report.workload = self.workload->name;
  report.format = self.workload->format;
  report.origin = self.workload->origin;
  report.statistics = statistics_of(self.workload->program);
  return {to_text(report), document_text(to_json(report))};
}

void write_to(const WorkloadObject& self, const std::string& path) {
  const auto written = value_of(made_interruptibly<Expected<bool>>(
      [workload = self.workload, path](const std::shared_ptr<Supervision>& supervision) {
        Diagnostics left_out;
        return write_workload(*workload, origin_of(*workload, {}), path, left_out,
                              Supervision::progress(supervision));
      }));
  if (!written) throw_as_exception(option_error("path", "interrupted"));
}

}  // namespace

void add_workloads(py::module_& m) {
  m.def("load_workload", &loaded_workload);
  m.def("generate", &generated_workload);
  m.def("generators", &generator_table);
  m.def("build_workload", &built_workload);
  m.def("collectives", &collective_names);
  py::class_<WorkloadObject>(m, "Workload")
      .def("inspect", &inspected)
      .def("write", &write_to)
      .def_property_readonly("name", [](const WorkloadObject& self) { return self.workload->name; })
      .def_property_readonly("format", [](const WorkloadObject& self) { return self.workload->format; })
      .def_property_readonly("files", [](const WorkloadObject& self) { return self.workload->files; })
      .def_property_readonly("path", [](const WorkloadObject& self) { return self.path; })
      .def_property_readonly("ranks",
                             [](const WorkloadObject& self) { return self.workload->program.ranks(); })
      .def_property_readonly(
          "operations", [](const WorkloadObject& self) { return self.workload->program.operations().size(); })
      .def_property_readonly("traced_run_time_ps",
                             [](const WorkloadObject& self) -> std::optional<std::int64_t> {
                               const auto time = self.workload->program.traced_run_time();
                               if (!time) return std::nullopt;
                               return time->count();
                             })
      .def_property_readonly("warnings", [](const WorkloadObject& self) { return self.warnings; });
}

}  // namespace busline::python
