// Separate from the reading of metafiles and without its libraries: tracers are loaded into third-party
// programs.
#include "workloads/dumpi/format/meta_file.hpp"

namespace busline::dumpi {

std::string to_text(const MetaFile& meta) {
  std::string text;
  const auto put = [&text](const char* key, const std::string& value) {
    text.append(key).append("=").append(value).append("\n");
  };
  if (meta.host) put("hostname", *meta.host);
  if (meta.ranks) put("numprocs", std::to_string(*meta.ranks));
  if (meta.user) put("username", *meta.user);
  if (meta.start_time) put("startime", std::to_string(*meta.start_time));  // so libdumpi spells it
  put("fileprefix", meta.prefix);
  if (meta.version) {
    put("version", std::to_string(meta.version->major));
    put("subversion", std::to_string(meta.version->minor));
    put("subsubversion", std::to_string(meta.version->patch));
  }
  return text;
}

}  // namespace busline::dumpi
