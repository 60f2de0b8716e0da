// The file that a rank writes its trace to, or nothing until it is opened: calls before MPI_Init are kept in
// memory, since only MPI tells the rank.
#pragma once
#include <string>
#include <string_view>

#include "workloads/files/output_file.hpp"

namespace busline::tracer {

/// What is written is in the file at once, so that a run that is killed leaves what was written until then.
class RankFile final : public ByteSink {
 public:
  RankFile() = default;
  RankFile(const RankFile&) = delete;
  RankFile& operator=(const RankFile&) = delete;
  ~RankFile() override;

  /// Gives what the operating system says against it, or nothing.
  std::string open(const std::string& path);
  Expected<void> write(std::string_view bytes) override;

 private:
  std::string path_, kept_;  // kept until the file is open
  int descriptor_ = -1;
};

}  // namespace busline::tracer
