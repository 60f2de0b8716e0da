#include "platforms/topology/graph_file.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "documents/fields/printable.hpp"
#include "documents/fields/text_file.hpp"

namespace busline {
namespace {

using Read = Expected<void> (*)(BuildingSite&, const std::string&, const std::string&);
constexpr std::array<std::pair<std::string_view, Read>, 5> kFormats{{{".json", read_json_graph},
                                                                     {".graphml", read_graphml},
                                                                     {".dot", read_dot},
                                                                     {".gv", read_dot},
                                                                     {".xml", read_simgrid_xml}}};

}  // namespace

Expected<void> read_graph(BuildingSite& site, const std::string& path) {
  const auto extension = std::filesystem::path(path).extension().string();
  for (const auto& [ending, read] : kFormats)
    if (extension == ending) {
      const auto text = read_text_file(path);
      if (!text) return tl::unexpected(text.error());
      return read(site, path, *text);
    }
  return refuse_file(Error::Kind::bad_option, printable(path, 200),
                     "a graph's file has a name that ends in .json, .graphml, .dot, .gv or .xml");
}

Expected<void> build(BuildingSite& site, const GraphFile& file) {
  return read_graph(site, file.file);
}

}  // namespace busline
