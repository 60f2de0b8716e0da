#include "platforms/load_platform.hpp"

#include <utility>

#include "documents/fields/text_file.hpp"
#include "platforms/description/platform_json.hpp"
#include "platforms/loggops/loggops.hpp"

namespace busline {
namespace {

// The platform, read again from its Document after the --set options are applied.
Expected<Platform> changed(Document document, const std::vector<std::string>& sets) {
  for (const auto& s : sets)
    if (auto set = apply_set(document, s); !set) return tl::unexpected(std::move(set.error()));
  return parse_platform(document);
}

bool any(const DimemasOverrides& o) {
  return o.bandwidth || o.latency || o.rendezvous_from || o.all_eager || o.scheduler;
}

PlatformFormat format_of(const std::string& text) {
  if (is_dimemas_cfg(text)) return PlatformFormat::dimemas_cfg;
  return is_loggops(text) ? PlatformFormat::loggops : PlatformFormat::json;
}

}  // namespace

Expected<PlatformFormat> platform_format(const std::string& path) {
  return read_text_file(path).map(format_of);
}

Expected<Platform> load_platform(const std::string& path, const LoadOptions& options,
                                 Diagnostics& diagnostics) {
  auto text = read_text_file(path);
  if (!text) return tl::unexpected(std::move(text.error()));
  const auto format = format_of(*text);
  const bool is_json = format == PlatformFormat::json;
  if (is_json && !any(options.overrides)) {
    auto document = Document::parse(std::move(*text), path);
    if (!document) return tl::unexpected(std::move(document.error()));
    return changed(std::move(*document), options.sets);
  }
  auto platform = is_json                             ? parse_platform(*text, path)
                  : format == PlatformFormat::loggops ? parse_loggops(*text, path, diagnostics)
                                                      : parse_dimemas_cfg(*text, path, diagnostics);
  if (!platform) return platform;
  if (auto done = apply_overrides(*platform, options.overrides, diagnostics); !done)
    return tl::unexpected(std::move(done.error()));
  if (options.sets.empty()) return platform;
  return changed(document_of(*platform, path), options.sets);
}

Expected<Platform> load_platform(const std::string& path, Diagnostics& diagnostics) {
  return load_platform(path, {}, diagnostics);
}

}  // namespace busline
