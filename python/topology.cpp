// Networks of switches in Python.
#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

#include "documents/text/json_document.hpp"
#include "platforms/topology/topology_fields.hpp"
#include "python/exceptions.hpp"
#include "python/interruptible.hpp"
#include "python/objects.hpp"
#include "studies/machines/topology_drawing.hpp"
#include "studies/machines/topology_report.hpp"

namespace py = pybind11;

namespace busline::python {
namespace {

struct TopologyObject {
  std::string name;
  std::shared_ptr<const LoadedTopology> loaded;
};

TopologyObject loaded_topology(const std::string& name, const std::vector<std::string>& sets) {
  return value_of(made_interruptibly<Expected<TopologyObject>>([name, sets](const auto&) {
    return load_topology(name, sets).map([&](LoadedTopology&& loaded) {
      return TopologyObject{name, std::make_shared<const LoadedTopology>(std::move(loaded))};
    });
  }));
}

using TextAndDocument = std::pair<std::string, std::string>;

TextAndDocument figures_of_topology(const TopologyObject& self) {
  return value_of(made_interruptibly<Expected<TextAndDocument>>([self](const auto&) {
    return figures_of(self.loaded->topology).map([&](const TopologyFigures& figures) {
      const auto buses = bus_equivalent(self.loaded->topology, figures,
                                        self.loaded->of_network.value_or(Bandwidth::unlimited()));
      return TextAndDocument{figures_text(self.name, figures, buses),
                             document_text(figures_json({self.name, figures, buses}))};
    });
  }));
}

TextAndDocument shown_topology(const TopologyObject& self,
                               const std::optional<std::pair<std::uint32_t, std::uint32_t>>& way,
                               std::uint64_t hash) {
  std::optional<WayOfMessage> found;
  if (way) found = value_of(way_of_message(*self.loaded, way->first, way->second, hash));
  return {topology_text(self.name, *self.loaded, found),
          document_text(topology_json(self.name, *self.loaded, found))};
}

}  // namespace

void add_topologies(py::module_& m) {
  m.def("load_topology", &loaded_topology);
  py::class_<TopologyObject>(m, "Topology")
      .def("figures", &figures_of_topology)
      .def("show", &shown_topology)
      .def("svg",
           [](const TopologyObject& self) { return value_of(drawing_of(self.loaded->topology, self.name)); })
      .def("description",
           [](const TopologyObject& self) { return write_value(self.loaded->description).dump(); })
      .def_property_readonly("name", [](const TopologyObject& self) { return self.name; })
      .def_property_readonly("hosts",
                             [](const TopologyObject& self) { return self.loaded->topology.hosts(); })
      .def_property_readonly("switches",
                             [](const TopologyObject& self) { return self.loaded->topology.switches(); });
}

}  // namespace busline::python
