// A file written to memory, for tests and for code that needs its bytes.
#pragma once
#include <string>

#include "workloads/files/output_file.hpp"

namespace busline {

class TextSink final : public ByteSink {
 public:
  Expected<void> write(std::string_view bytes) override {
    text += bytes;
    return {};
  }
  std::string text;
};

}  // namespace busline
