// Platforms in Python, and the quantities in them.
#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

#include "documents/fields/text_file.hpp"
#include "documents/text/json_document.hpp"
#include "platforms/description/platform_json.hpp"
#include "platforms/load_platform.hpp"
#include "python/exceptions.hpp"
#include "python/interruptible.hpp"
#include "python/objects.hpp"
#include "sim/base/quantity.hpp"
#include "studies/machines/explain_report.hpp"

namespace py = pybind11;

namespace busline::python {
namespace {

Expected<PlatformObject> platform_object(Document document, std::string path) {
  auto platform = parse_platform(document);
  if (!platform) return tl::unexpected(std::move(platform.error()));
  return PlatformObject{std::make_shared<const Platform>(*std::move(platform)),
                        std::make_shared<const Document>(std::move(document)),
                        std::move(path),
                        {}};
}

Expected<PlatformObject> read_platform_object(const std::string& path) {
  const auto format = platform_format(path);
  if (!format) return tl::unexpected(format.error());
  if (*format == PlatformFormat::json)
    return Document::read(path).and_then([&](Document d) { return platform_object(std::move(d), path); });
  Diagnostics diagnostics;
  auto platform = load_platform(path, diagnostics);
  if (!platform) return tl::unexpected(std::move(platform.error()));
  auto document = std::make_shared<const Document>(document_of(*platform, path));
  return PlatformObject{std::make_shared<const Platform>(*std::move(platform)), std::move(document), path,
                        texts_of(diagnostics)};
}

PlatformObject changed_platform(const PlatformObject& self, const std::vector<std::string>& assignments) {
  auto document = *self.document;
  for (const auto& assignment : assignments) check(apply_set(document, assignment));
  auto made = value_of(platform_object(std::move(document), self.path));
  made.warnings = self.warnings;
  return made;
}

struct Explained {
  std::string text, document;
};
Explained explained_platform(const PlatformObject& self, const std::optional<std::string>& size,
                             std::uint32_t ranks) {
  ExplainOptions how;
  how.ranks = ranks;
  if (size) {
    const auto bytes = parse_bytes(*size);
    if (!bytes) throw_as_exception(option_error("size", *size + ": " + bytes.error().reason));
    how.message_sizes = {*bytes};
    how.collective_size = *bytes;
  }
  const auto explanation = value_of(explain(*self.platform, how));
  return {to_text(*self.platform, explanation), document_text(to_json(*self.platform, explanation))};
}

template <class T>
T parsed(const Parsed<T>& value, const std::string& text, const std::string& argument) {
  if (!value) throw_as_exception(option_error(argument, "'" + text + "': " + value.error().reason));
  return *value;
}

}  // namespace

void add_platforms(py::module_& m) {
  m.def("duration_ps", [](const std::string& text, const std::string& argument) {
    return parsed(parse_duration(text), text, argument).count();
  });
  m.def("size_bytes", [](const std::string& text, const std::string& argument) {
    return count(parsed(parse_bytes(text), text, argument));
  });
  m.def("bandwidth_bytes_per_s", [](const std::string& text, const std::string& argument) {
    return parsed(parse_bandwidth(text), text, argument).in_bytes_per_second();
  });
  m.def("load_platform", [](const std::string& path) {
    return value_of(made_interruptibly<Expected<PlatformObject>>(
        [path](const auto&) { return read_platform_object(path); }));
  });
  m.def("parse_platform", [](std::string text, const std::string& name) {
    return value_of(Document::parse(std::move(text), name).and_then([&](Document d) {
      return platform_object(std::move(d), name);
    }));
  });
  py::class_<PlatformObject>(m, "Platform")
      .def("set", &changed_platform)
      .def("json", [](const PlatformObject& self) { return to_json_text(*self.platform); })
      .def("explain",
           [](const PlatformObject& self, const std::optional<std::string>& size, std::uint32_t ranks) {
             const auto e = explained_platform(self, size, ranks);
             return std::pair(e.text, e.document);
           })
      .def("equals",
           [](const PlatformObject& a, const PlatformObject& b) { return *a.platform == *b.platform; })
      .def_property_readonly("name", [](const PlatformObject& self) { return self.platform->name; })
      .def_property_readonly("description",
                             [](const PlatformObject& self) { return self.platform->description; })
      .def_property_readonly("nodes",
                             [](const PlatformObject& self) {
                               std::uint64_t nodes = 0;
                               for (const auto& machine : self.platform->machines)
                                 for (const auto& group : machine.nodes) nodes += group.count;
                               return nodes;
                             })
      .def_property_readonly("path", [](const PlatformObject& self) { return self.path; })
      .def_property_readonly("warnings", [](const PlatformObject& self) { return self.warnings; });
}

}  // namespace busline::python
