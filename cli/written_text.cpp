#include "cli/written_text.hpp"

#include <utility>

#include "workloads/output_file.hpp"

namespace busline::cli {

Expected<void> write_text(const std::string& path, const std::string& text) {
  auto file = OutputFile::create(path);
  if (!file) return tl::unexpected(std::move(file.error()));
  if (auto written = file->write(text); !written) return written;
  return file->commit();
}

}  // namespace busline::cli
