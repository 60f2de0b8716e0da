// A file that is written from its begin to its end, and that nobody sees before it is complete.
#pragma once
#include <string>
#include <string_view>

#include "sim/base/error.hpp"

namespace busline {

/// Takes the bytes of a file in order.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  /// An Error says that they were not written and that nothing further can be.
  virtual Expected<void> write(std::string_view bytes) = 0;
};

/// Writes beside the file that is meant and takes its place when all is written; until then, and if it never
/// is, what was there before stays. What is no regular file, such as a pipe or /dev/null, is written itself.
/// Errors are of kind unreadable, with what the operating system said. Unbuffered: each write is one system
/// call.
class OutputFile final : public ByteSink {
 public:
  static Expected<OutputFile> create(const std::string& path);

  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  /// Removes what was written if it was not committed.
  ~OutputFile() override;

  Expected<void> write(std::string_view bytes) override;
  /// Nothing more will be written. For who commits many files together and cannot keep all of them open.
  Expected<void> close();
  /// The file is complete and takes its place. Nothing can be written afterwards.
  Expected<void> commit();

 private:
  OutputFile(std::string path, std::string part, int descriptor);

  std::string path_, part_;  // no part: path_ itself is written, or has been
  int descriptor_ = -1;
};

/// A whole file at once: nobody sees it before all of `text` is in it, as with OutputFile, whose errors it
/// has.
Expected<void> write_file(const std::string& path, std::string_view text);

/// Whether a file could be written there now: for who works long before there is something to write. Opens no
/// pipe. An empty path is none.
Expected<void> check_writable(const std::string& path);

}  // namespace busline
