// Simulated runs in Python: their numbers as arrays of NumPy, explanations, timelines, curves.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/simulate_options.hpp"
#include "cli/study.hpp"
#include "documents/fields/document.hpp"
#include "documents/text/json_document.hpp"
#include "models/simulate.hpp"
#include "models/why/explain_run.hpp"
#include "platforms/description/mapping_text.hpp"
#include "platforms/mapping.hpp"
#include "python/exceptions.hpp"
#include "python/interruptible.hpp"
#include "python/objects.hpp"
#include "studies/report/page.hpp"
#include "studies/report/read_section.hpp"
#include "studies/report/timeline_section.hpp"
#include "studies/runs/draw_curve.hpp"
#include "studies/runs/simulate_report.hpp"
#include "studies/runs/status_json.hpp"
#include "studies/timeline/run_timeline.hpp"
#include "workloads/files/temporary_folder.hpp"

namespace py = pybind11;

namespace busline::python {
namespace {

/// Below this many operations a run takes less than it takes to start a thread for it.
constexpr std::size_t kShortRun = 20'000;

/// Calls as in 'busline simulate --from', and picoseconds.
struct RegionRequest {
  std::optional<std::string> from, to;
  std::optional<std::int64_t> after, before;
};
Expected<std::optional<Region>> region_of(const RegionRequest& given) {
  Region region;
  for (const auto& [text, border] : {std::pair(&given.from, &region.from), {&given.to, &region.to}}) {
    if (!*text) continue;
    auto call = cli::parse_call(**text, "region");
    if (!call) return tl::unexpected(std::move(call.error()));
    *border = *std::move(call);
  }
  if (given.after) region.after = Duration::picoseconds(*given.after);
  if (given.before) region.before = Duration::picoseconds(*given.before);
  if (region.after && region.before && *region.before < *region.after)
    return refuse_option("time_range", "ends before it begins");
  if (!region.from && !region.to && !region.after && !region.before) return std::optional<Region>();
  return std::optional<Region>(std::move(region));
}

Expected<std::shared_ptr<const Platform>> with_mapping(const std::shared_ptr<const Platform>& platform,
                                                       const std::optional<std::string>& mapping) {
  if (!mapping) return platform;
  auto parsed = parse_mapping(*mapping);
  if (!parsed) return tl::unexpected(std::move(parsed.error()));
  auto changed = std::make_shared<Platform>(*platform);
  changed->mapping = *std::move(parsed);
  return changed;
}

/// Replays what `run` says into it.
Expected<RunObject> replayed(RunObject run, const std::function<bool(double)>& progress) {
  const auto& platform = *run.platform;
  const auto machine = place_ranks(platform, run.workload->program.ranks());
  if (!machine) return tl::unexpected(machine.error());
  auto how = run.how;
  how.progress = progress;
  auto result = simulate(run.workload->program, platform, *machine, how);
  if (!result) return tl::unexpected(std::move(result.error()));
  run.result = *std::move(result);
  if (auto crowded = crowding_warning(platform, *machine)) run.diagnostics.push_back(*std::move(crowded));
  for (auto& warning : run_warnings(run.result, run.how.region, run.region))
    run.diagnostics.push_back(std::move(warning));
  return run;
}

RunObject simulated(const PlatformObject& platform, const WorkloadObject& workload, const std::string& model,
                    const std::optional<std::string>& mapping, const RegionRequest& region,
                    std::uint64_t tie_seed, const py::object& progress) {
  RunObject run;
  run.platform = value_of(with_mapping(platform.platform, mapping));
  run.workload = workload.workload;
  run.how.model = model;
  run.how.tie_seed = tie_seed;
  run.how.region = value_of(region_of(region));
  if (run.how.region) run.region = cli::describe(*run.how.region);
  if (progress.is_none() && run.workload->program.operations().size() < kShortRun) {
    SignalWatch watch;
    auto done = [&] {
      const py::gil_scoped_release release;
      return replayed(std::move(run), watch.progress());
    }();
    watch.throw_if_signalled();
    return value_of(std::move(done));
  }
  return value_of(made_interruptibly<Expected<RunObject>>(
      [run](const std::shared_ptr<Supervision>& supervision) {
        return replayed(run, Supervision::progress(supervision));
      },
      progress));
}

SimulateReport report_of(const RunObject& run) {
  SimulateReport report;
  report.workload = run.workload->name;
  report.platform = run.platform->name;
  report.model = run.how.model;
  report.preset = run.platform->preset;
  report.traced_run_time = run.workload->program.traced_run_time();
  report.region = run.region;
  report.result = run.result;
  report.diagnostics = run.diagnostics;
  return report;
}

using Texts = std::pair<std::string, std::string>;  // for people, and a document
Texts text_and_document(const SimulateReport& report) {
  return {to_text(report), document_text(to_json(report))};
}

unsigned threads_or_usual(unsigned threads) {
  return threads > 0 ? threads : cli::usual_threads();
}

Texts explained_run(const RunObject& run, std::uint32_t resolution, unsigned threads,
                    const py::object& progress) {
  WhyOptions why;
  why.resolution = resolution;
  why.threads = threads_or_usual(threads);
  auto explained = value_of(made_interruptibly<Expected<ExplainedRun>>(
      [run, why](const std::shared_ptr<Supervision>& supervision) -> Expected<ExplainedRun> {
        const auto machine = place_ranks(*run.platform, run.workload->program.ranks());
        if (!machine) return tl::unexpected(machine.error());
        auto how = run.how;
        how.progress = Supervision::progress(supervision);
        return explain_run(run.workload->program, *run.platform, *machine, how, why);
      },
      progress));
  auto report = report_of(run);
  report.result = std::move(explained.result);
  report.why = std::move(explained.why);
  return text_and_document(report);
}

std::optional<Texts> interval_of_run(const RunObject& run, std::uint32_t runs, unsigned threads,
                                     const py::object& progress) {
  if (runs < kLeastIntervalRuns)
    throw_as_exception(
        option_error("runs", fmt::format("{} is too few", runs),
                     fmt::format("use {} or more; the tails of fewer are guesses", kLeastIntervalRuns)));
  IntervalOptions options;
  options.runs = runs;
  options.threads = threads_or_usual(threads);
  auto report = report_of(run);
  report.interval = value_of(made_interruptibly<Expected<std::optional<PredictionInterval>>>(
      [run, options](
          const std::shared_ptr<Supervision>& supervision) -> Expected<std::optional<PredictionInterval>> {
        const auto machine = place_ranks(*run.platform, run.workload->program.ranks());
        if (!machine) return tl::unexpected(machine.error());
        auto how = run.how;
        how.progress = Supervision::progress(supervision);
        return prediction_interval(run.workload->program, *run.platform, *machine, how, options);
      },
      progress));
  if (!report.interval) return std::nullopt;
  return text_and_document(report);
}

// ---- timelines

struct TimelineRequest {
  std::string path;
  std::vector<std::uint32_t> ranks;
  std::optional<std::int64_t> from, to;
};

Expected<void> write_run_timeline(const RunObject& run, const TimelineRequest& request,
                                  const Supervision& supervision) {
  timeline::TimelineOptions wanted;
  wanted.path = request.path;
  wanted.title = fmt::format("{} on {}", run.workload->name, run.platform->name);
  wanted.ranks = request.ranks;
  if (request.from) wanted.from = Duration::picoseconds(*request.from);
  if (request.to) wanted.to = Duration::picoseconds(*request.to);
  const auto machine = place_ranks(*run.platform, run.workload->program.ranks());
  if (!machine) return tl::unexpected(machine.error());
  auto recorder = timeline::RunTimeline::of(wanted, run.workload->program, *machine);
  if (!recorder) {
    if (recorder.error().path.empty()) recorder.error().where = "ranks";
    return tl::unexpected(std::move(recorder.error()));
  }
  auto how = run.how;
  how.observers.push_back(recorder->get());
  how.progress = [&](double) { return !supervision.stop && !(*recorder)->failed(); };
  const auto result = simulate(run.workload->program, *run.platform, *machine, how);
  if (!result) return tl::unexpected(result.error());
  const auto written = (*recorder)->write(*result, [&](double) { return !supervision.stop; });
  if (!written) return tl::unexpected(written.error());
  return {};
}

void write_timeline_of(const RunObject& run, const TimelineRequest& request) {
  check(made_interruptibly<Expected<void>>([run, request](const std::shared_ptr<Supervision>& supervision) {
    return write_run_timeline(run, request, *supervision);
  }));
}

/// What each rank does when: rank, state, begin and end of every piece; the states' names; and messages.
py::tuple timeline_arrays(const RunObject& run, const TimelineRequest& request) {
  const auto read = value_of(made_interruptibly<Expected<report::ReadTimeline>>(
      [run, request](const std::shared_ptr<Supervision>& supervision) -> Expected<report::ReadTimeline> {
        const TemporaryFolder folder("busline-timeline");
        auto to_file = request;
        to_file.path = folder.file("timeline.json");
        if (auto written = write_run_timeline(run, to_file, *supervision); !written)
          return tl::unexpected(std::move(written.error()));
        return Document::read(to_file.path).and_then([](const Document& d) {
          return report::read_timeline(d);
        });
      }));
  const auto& lanes = read.lanes;
  std::vector<std::int64_t> lane, kind, from, to, source, destination, sent, received;
  std::vector<double> bytes;
  for (std::size_t l = 0; l < lanes.lanes.size(); ++l)
    for (const auto& piece : lanes.lanes[l].pieces) {
      lane.push_back(static_cast<std::int64_t>(l));
      kind.push_back(piece.kind);
      from.push_back(piece.from);
      to.push_back(piece.to);
    }
  for (const auto& arrow : lanes.arrows) {
    source.push_back(arrow.source);
    destination.push_back(arrow.destination);
    sent.push_back(arrow.sent);
    received.push_back(arrow.received);
    bytes.push_back(arrow.bytes);
  }
  std::vector<std::string> names;
  for (const auto& l : lanes.lanes) names.push_back(l.name);
  const auto array = [](const auto& list) {
    return py::array(static_cast<py::ssize_t>(list.size()), list.data());  // a copy
  };
  return py::make_tuple(names, lanes.kinds, array(lane), array(kind), array(from), array(to), array(source),
                        array(destination), array(sent), array(received), array(bytes));
}

// ---- arrays

/// A view of one member of all ranks, which keeps `owner` alive and cannot be written to.
template <class Number, class Struct, class Member>
py::array view_of(const std::vector<Struct>& ranks, const Member* first, const py::object& owner) {
  static_assert(sizeof(Member) == sizeof(Number));
  py::array view(py::dtype::of<Number>(), {static_cast<py::ssize_t>(ranks.size())},
                 {static_cast<py::ssize_t>(sizeof(Struct))}, first, owner);
  py::detail::array_proxy(view.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return view;
}

template <class Struct>
py::array times_view(const std::vector<Struct>& ranks, const RankTimes* first, const std::string& name,
                     const py::object& owner) {
  constexpr std::array<std::pair<std::string_view, Duration RankTimes::*>, 6> kTimes{
      {{"compute_ps", &RankTimes::compute},
       {"latency_ps", &RankTimes::latency},
       {"wait_ps", &RankTimes::wait},
       {"collective_wait_ps", &RankTimes::collective_wait},
       {"collective_ps", &RankTimes::collective},
       {"cpu_wait_ps", &RankTimes::cpu_wait}}};
  for (const auto& [known, member] : kTimes)
    if (name == known) return view_of<std::int64_t>(ranks, &(first->*member), owner);
  throw py::key_error(name);
}

py::array rank_array(const py::object& self, const std::string& name) {
  const auto& ranks = self.cast<const RunObject&>().result.ranks;
  const auto* first = ranks.data();
  if (name == "node") return view_of<std::uint32_t>(ranks, &first->node, self);
  if (name == "end_ps") return view_of<std::int64_t>(ranks, &first->end, self);
  if (name == "link_wait_ps") return view_of<std::int64_t>(ranks, &first->link_wait, self);
  if (name == "bus_wait_ps") return view_of<std::int64_t>(ranks, &first->bus_wait, self);
  constexpr std::array<std::pair<std::string_view, std::uint64_t RankResult::*>, 4> kCounts{
      {{"messages_sent", &RankResult::messages_sent},
       {"bytes_sent", &RankResult::bytes_sent},
       {"collective_messages", &RankResult::collective_messages},
       {"collective_bytes", &RankResult::collective_bytes}}};
  for (const auto& [known, member] : kCounts)
    if (name == known) return view_of<std::uint64_t>(ranks, &(first->*member), self);
  return times_view(ranks, &first->times, name, self);
}

py::object region_array(const py::object& self, const std::string& name) {
  const auto& region = self.cast<const RunObject&>().result.region;
  if (!region) return py::none();
  return times_view(region->ranks, region->ranks.data(), name, self);
}

// ---- curves

struct CurveRequest {
  std::string axis;  // "latency", "bandwidth" or "speed"
  double from = 0, to = 0;
  std::vector<double> slowdowns, asked;
};

Expected<CurveReport> prepared_curve(const CurveRequest& request) {
  CurveReport report;
  const auto axis = request.axis == "latency"     ? CurveAxis::latency
                    : request.axis == "bandwidth" ? CurveAxis::bandwidth
                                                  : CurveAxis::speed;
  // From the better machine to the worse one, so that the run time rises.
  const bool keep = (request.from < request.to) == (axis == CurveAxis::latency);
  report.range = {axis, keep ? request.from : request.to, keep ? request.to : request.from};
  report.slowdowns = request.slowdowns;
  report.asked = request.asked;
  for (const double value : request.asked)
    if (const auto place = report.range.place_of(value); !(place >= 0 && place <= 1))
      return refuse_option("at", fmt::format("{} lies outside the curve", value_text(axis, value)),
                           fmt::format("which runs from {} to {}", value_text(axis, report.range.from),
                                       value_text(axis, report.range.to)));
  return report;
}

/// The text, the document, and the warnings.
std::tuple<std::string, std::string, std::vector<std::string>> drawn_curve(const PlatformObject& platform,
                                                                           const WorkloadObject& workload,
                                                                           const CurveRequest& request,
                                                                           const py::object& progress) {
  const auto report = value_of(made_interruptibly<Expected<CurveReport>>(
      [platform = platform.platform, workload = workload.workload,
       request](const std::shared_ptr<Supervision>& supervision) -> Expected<CurveReport> {
        auto prepared = prepared_curve(request);
        if (!prepared) return prepared;
        const auto go_on = Supervision::progress(supervision);
        const auto drawn = draw_curve(*workload, *platform, *prepared,
                                      [&](double share, std::string_view) { return go_on(share); });
        if (!drawn) return tl::unexpected(drawn.error());
        return prepared;
      },
      progress));
  return {to_text(report), document_text(to_json(report)), texts_of(report.diagnostics)};
}

std::string page_of_document(std::string text, const std::string& name) {
  const auto document = value_of(Document::parse(std::move(text), name));
  report::Report page{name, fmt::format("Busline {}", cli::version_and_commit()), {}};
  page.sections.push_back(value_of(report::section_of(document)));
  return report::html_page(page);
}

}  // namespace

void add_runs(py::module_& m) {
  m.def("models", [] {
    std::vector<std::pair<std::string, std::string>> models;
    for (const auto& model : model_names()) models.emplace_back(model.name, model.description);
    return models;
  });
  m.def("simulate",
        [](const PlatformObject& platform, const WorkloadObject& workload, const std::string& model,
           const std::optional<std::string>& mapping, std::optional<std::string> from,
           std::optional<std::string> to, std::optional<std::int64_t> after,
           std::optional<std::int64_t> before, std::uint64_t tie_seed, const py::object& progress) {
          return simulated(platform, workload, model, mapping,
                           {std::move(from), std::move(to), after, before}, tie_seed, progress);
        });
  m.def("curve", [](const PlatformObject& platform, const WorkloadObject& workload, const std::string& axis,
                    double from, double to, const std::vector<double>& slowdowns,
                    const std::vector<double>& asked, const py::object& progress) {
    return drawn_curve(platform, workload, {axis, from, to, slowdowns, asked}, progress);
  });
  m.def("report_page", &page_of_document);
  py::class_<RunObject>(m, "Run")
      .def("array", &rank_array)
      .def("region_array", &region_array)
      .def("report", [](const RunObject& self) { return text_and_document(report_of(self)); })
      .def("why", &explained_run)
      .def("interval", &interval_of_run)
      .def("write_timeline",
           [](const RunObject& self, const std::string& path, const std::vector<std::uint32_t>& ranks,
              std::optional<std::int64_t> from, std::optional<std::int64_t> to) {
             write_timeline_of(self, {path, ranks, from, to});
           })
      .def("timeline",
           [](const RunObject& self, const std::vector<std::uint32_t>& ranks,
              std::optional<std::int64_t> from, std::optional<std::int64_t> to) {
             return timeline_arrays(self, {"", ranks, from, to});
           })
      .def("blocked",
           [](const RunObject& self) {
             std::vector<std::tuple<std::uint32_t, std::uint64_t, std::string, std::string>> blocked;
             for (const auto& b : self.result.blocked)
               blocked.emplace_back(b.rank, b.call_number, b.call, b.waits_for);
             return blocked;
           })
      .def_property_readonly("status",
                             [](const RunObject& self) { return std::string(name_of(self.result.status)); })
      .def_property_readonly("run_time_ps",
                             [](const RunObject& self) { return self.result.run_time.count(); })
      .def_property_readonly("region_run_time_ps",
                             [](const RunObject& self) -> std::optional<std::int64_t> {
                               if (!self.result.region) return std::nullopt;
                               return self.result.region->run_time.count();
                             })
      .def_property_readonly("ranks", [](const RunObject& self) { return self.result.ranks.size(); })
      .def_property_readonly("messages", [](const RunObject& self) { return self.result.messages; })
      .def_property_readonly("bytes", [](const RunObject& self) { return self.result.bytes; })
      .def_property_readonly("operations", [](const RunObject& self) { return self.result.operations; })
      .def_property_readonly("events", [](const RunObject& self) { return self.result.events; })
      .def_property_readonly("model", [](const RunObject& self) { return self.how.model; })
      .def_property_readonly("platform_name", [](const RunObject& self) { return self.platform->name; })
      .def_property_readonly("workload_name", [](const RunObject& self) { return self.workload->name; })
      .def_property_readonly("warnings", [](const RunObject& self) { return texts_of(self.diagnostics); });
}

}  // namespace busline::python
