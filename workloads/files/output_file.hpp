// A file that is written from start to end and that becomes visible only when it is complete.
#pragma once
#include <string>
#include <string_view>

#include "sim/base/error.hpp"

namespace busline {

/// Takes the bytes of a file in order.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  /// An Error means that they were not written and that nothing more can be.
  virtual Expected<void> write(std::string_view bytes) = 0;
};

/// Writes to a temporary file beside the target, which replaces the target once it is complete; until then
/// the old file stays. A target that is not a regular file, such as a pipe or /dev/null, is written directly.
/// Errors are of kind unreadable, with the operating system's message. Unbuffered: each write is one system
/// call.
class OutputFile final : public ByteSink {
 public:
  static Expected<OutputFile> create(const std::string& path);

  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  /// Removes the temporary file unless it was committed.
  ~OutputFile() override;

  Expected<void> write(std::string_view bytes) override;
  /// Closes the file; nothing more is written. Use it to commit many files together without keeping all of
  /// them open.
  Expected<void> close();
  /// The file is complete and replaces the target. Nothing can be written afterwards.
  Expected<void> commit();

 private:
  OutputFile(std::string path, std::string part, int descriptor);

  std::string path_, part_;  // empty: path_ itself is written, or complete
  int descriptor_ = -1;
};

/// Writes a whole file at once: it becomes visible only with all of `text`. Errors are those of OutputFile.
Expected<void> write_file(const std::string& path, std::string_view text);

/// Whether a file could be written there now, for work that takes long before it writes. Does not open pipes.
/// An empty path is not a file.
Expected<void> check_writable(const std::string& path);

}  // namespace busline
