#include "studies/study/case.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <variant>

#include "documents/fields/document.hpp"
#include "documents/fields/pointer.hpp"
#include "documents/fields/printable.hpp"
#include "documents/fields/text_file.hpp"
#include "models/simulate.hpp"
#include "platforms/description/mapping_text.hpp"
#include "platforms/description/platform_json.hpp"
#include "platforms/load_platform.hpp"

namespace busline {
namespace {

using Json = nlohmann::ordered_json;

// The texts come from documents that were read.
Json parsed(const std::string& json) {
  return Json::parse(json, nullptr, false);
}

Error refusal(std::string where, std::string message) {
  Error e;
  e.where = std::move(where);
  e.message = std::move(message);
  return e;
}

}  // namespace

// Platform documents by path, as they were when they were first asked for.
struct Cases::Files {
  Expected<Document> read(const std::string& path) {
    const std::lock_guard lock(mutex);
    const auto known = documents.find(path);
    if (known != documents.end()) return known->second;
    const auto format = platform_format(path);
    if (!format) return tl::unexpected(format.error());
    auto document = *format == PlatformFormat::json
                        ? Document::read(path)
                        : load_platform(path, diagnostics).map([&](const Platform& platform) {
                            return Document::of(to_json(platform), path);
                          });
    if (document) documents.emplace(path, *document);
    return document;
  }

  std::mutex mutex;
  std::map<std::string, Document> documents;
  Diagnostics diagnostics;
};

namespace {

// A case while values are put into it.
class Draft {
 public:
  using ReadPlatform = std::function<Expected<Document>(const std::string& path)>;

  Draft(const Study& study, ReadPlatform read)
      : folder_(study.folder),
        read_(std::move(read)),
        platform_(Document::of(Json::object(), "")),
        workload_(Document::of(parsed(study.workload), "workload")),
        model_(parsed(study.model)),
        mapping_(parsed(study.mapping)) {}

  Expected<void> set_platform(const Json& value) {
    if (value.is_string()) {
      auto document = read_((std::filesystem::path(folder_) / value.get<std::string>()).string());
      if (!document) return tl::unexpected(std::move(document.error()));
      platform_ = *std::move(document);
      return {};
    }
    if (!value.is_object())
      return tl::unexpected(refusal("/platform", "expected the path of a platform, or a platform document"));
    // Names of files inside it are relative to where they were before, or from the study's folder.
    const auto path =
        platform_.path().empty() ? (std::filesystem::path(folder_) / "platform").string() : platform_.path();
    platform_ = Document::of(value, path);
    return {};
  }

  Expected<void> set(const std::string& pointer, const std::string& json) {
    constexpr std::string_view kPlatform = "/platform", kWorkload = "/workload";
    if (pointer == kPlatform) return set_platform(parsed(json));
    if (pointer == kWorkload) {
      workload_ = Document::of(parsed(json), "workload");
      return {};
    }
    if (is_within(pointer, kPlatform)) return platform_.set(pointer.substr(kPlatform.size()) + "=" + json);
    if (is_within(pointer, kWorkload)) return workload_.set(pointer.substr(kWorkload.size()) + "=" + json);
    auto& member = pointer.starts_with("/model") ? model_ : mapping_;
    if (pointer.find('/', 1) == pointer.npos)
      member = parsed(json);
    else
      return tl::unexpected(refusal(pointer, "this member has no members"));
    return {};
  }

  Expected<void> merge(const std::string& patch) {
    const auto members = parsed(patch);
    for (const auto& member : members.items()) {
      const auto& value = member.value();
      if (member.key() == "platform") {
        auto merged = platform_.root();
        if (value.is_object()) merged.merge_patch(value);
        if (auto done = set_platform(value.is_object() ? merged : value); !done) return done;
      } else if (member.key() == "workload") {
        auto merged = workload_.root();
        merged.merge_patch(value);
        workload_ = Document::of(std::move(merged), "workload");
      } else {
        (member.key() == "model" ? model_ : mapping_) = value;
      }
    }
    return {};
  }

  Expected<Case> finish() const {
    Case c;
    auto platform = parse_platform(platform_);
    if (!platform) return tl::unexpected(std::move(platform.error()));
    c.platform = *std::move(platform);
    if (auto mapped = put_mapping(c.platform); !mapped) return tl::unexpected(std::move(mapped.error()));
    auto workload = read_workload_choice(workload_, folder_);
    if (!workload) return tl::unexpected(std::move(workload.error()));
    c.workload = *std::move(workload);
    if (!model_.is_string())
      return tl::unexpected(refusal("/model", "expected the name of a model, such as \"dimemas\""));
    c.model = model_.get<std::string>();
    if (auto known = check_model(c.model); !known) {
      known.error().where = "/model";
      return tl::unexpected(std::move(known.error()));
    }
    return c;
  }

 private:
  // As on the command line; or as in a platform document.
  Expected<void> put_mapping(Platform& platform) const {
    if (mapping_.is_null()) return {};
    const bool is_text = mapping_.is_string() || mapping_.is_number();  // a number: the node of one rank
    auto mapping = is_text
                       ? parse_mapping(mapping_.is_string() ? mapping_.get<std::string>() : mapping_.dump())
                       : parse_platform_mapping();
    if (!mapping) {
      mapping.error().path.clear();  // from the platform, which does not set it
      mapping.error().where = "/mapping";
      return tl::unexpected(std::move(mapping.error()));
    }
    platform.mapping = *std::move(mapping);
    return {};
  }
  Expected<Mapping> parse_platform_mapping() const {
    auto root = platform_.root();
    root["mapping"] = mapping_;
    return parse_platform(Document::of(std::move(root), platform_.path())).map([](Platform&& p) {
      return std::move(p.mapping);
    });
  }

  std::string folder_;
  ReadPlatform read_;
  Document platform_, workload_;
  Json model_, mapping_;
};

// An error about a member that an axis set names the axis.
Error by_axis(Error error, const std::vector<Axis>& axes) {
  constexpr std::string_view kSet = "--set ";
  if (error.path.empty())  // about /model, /mapping or the workload as a whole
    for (const auto& axis : axes)
      if (!axis.pointer.empty() && axis.pointer == error.where) {
        error.path = axis.origin;
        error.where.clear();
        return error;
      }
  if (!error.path.starts_with(kSet)) return error;
  const auto place = error.path.substr(kSet.size());
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    const auto slash = axis->pointer.find('/', 1);
    if (slash == axis->pointer.npos || axis->pointer.substr(slash) != place) continue;
    error.path = axis->origin;
    const bool on_command_line = axis->origin.starts_with("--");
    error.kind = on_command_line ? Error::Kind::bad_option : Error::Kind::bad_input;
    if (error.where.empty() && !on_command_line) error.where = axis->pointer;
    return error;
  }
  return error;
}

bool is_about_file(const Error& error, const AxisValue& value) {
  const auto json = parsed(value.json);
  return json.is_string() && !error.path.empty() && error.path.ends_with(json.get_ref<const std::string&>());
}

}  // namespace

Cases::Cases(Study study, Points points)
    : study_(std::move(study)), points_(std::move(points)), files_(std::make_unique<Files>()) {}
Cases::Cases(Cases&&) noexcept = default;
Cases& Cases::operator=(Cases&&) noexcept = default;
Cases::~Cases() = default;

Expected<Case> Cases::with(std::vector<AxisValue> values) const {
  Draft draft(study_, [this](const std::string& path) { return files_->read(path); });
  if (auto base = draft.set_platform(parsed(study_.platform)); !base)
    return tl::unexpected(std::move(base.error()));
  const auto& axes = points_.axes();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    auto done =
        axes[i].pointer.empty() ? draft.merge(values[i].json) : draft.set(axes[i].pointer, values[i].json);
    if (!done) return tl::unexpected(by_axis(std::move(done.error()), axes));
  }
  auto made = draft.finish();
  if (!made) return tl::unexpected(by_axis(std::move(made.error()), axes));
  made->values = std::move(values);
  made->why = study_.why;
  return made;
}

Expected<Case> Cases::at(std::uint64_t point) const {
  return with(points_.at(point));
}

Expected<Cases> Cases::of(Study study, Diagnostics& diagnostics) {
  auto points = Points::of(study.axes, study.sampling);
  if (!points) return tl::unexpected(std::move(points.error()));
  Cases cases(std::move(study), *std::move(points));
  std::vector<AxisValue> first;
  for (const auto& axis : cases.points_.axes()) first.push_back(axis.values.front());
  if (const auto c = cases.with(first); !c) return tl::unexpected(c.error());
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto& axis = cases.points_.axes()[i];
    for (const auto& value : axis.values) {
      auto values = first;
      values[i] = value;
      const auto c = cases.with(std::move(values));
      if (c) continue;
      auto error = c.error();
      // Where the message does not say so already.
      if (error.path != axis.origin) {
        if (!is_about_file(error, value)) error.message = fmt::format("{}: {}", value.name, error.message);
        error.path = error.path.empty() ? axis.origin : axis.origin + ": " + error.path;
      }
      return tl::unexpected(std::move(error));
    }
  }
  tell_once(diagnostics, std::move(cases.files_->diagnostics));
  return cases;
}

std::vector<std::string> Cases::files() const {
  const std::lock_guard lock(files_->mutex);
  std::vector<std::string> all;
  for (const auto& [path, document] : files_->documents) all.push_back(path);
  return all;
}

Expected<std::string> deciding_text(const Platform& platform) {
  auto p = platform;
  p.name.clear();
  p.description.clear();
  p.source.clear();
  p.calibration.reset();
  std::string contents;
  for (auto& machine : p.machines) {
    if (!machine.network.topology) continue;
    auto* graph = std::get_if<GraphFile>(&machine.network.topology->family);
    if (graph == nullptr) continue;
    auto content = read_text_file(graph->file);
    if (!content) return tl::unexpected(std::move(content.error()));
    contents.append("\n").append(*content);
    graph->file.clear();
  }
  return to_json(p).dump() + contents;
}

}  // namespace busline
