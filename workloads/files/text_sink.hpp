// A file that is written to memory: for tests, and for whoever wants its bytes.
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
