#include "documents/fields/text_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>
#include <utility>

namespace busline {
namespace {

tl::unexpected<Error> unreadable(const std::string& path, int why) {
  const auto reason =
      why == EISDIR ? "it is a folder, expected a file" : std::generic_category().message(why);
  return refuse_file(Error::Kind::unreadable, path, "cannot be read: " + reason);
}

}  // namespace

Expected<std::string> read_text_file(const std::string& path, std::size_t limit) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) return unreadable(path, errno);
  std::string text;
  std::array<char, 65536> block;
  while (const auto got = std::fread(block.data(), 1, block.size(), file.get())) {
    text.append(block.data(), got);
    if (text.size() > limit) {
      return refuse_file(Error::Kind::bad_input, path,
                         fmt::format("is larger than {} MiB, expected a small text file", limit >> 20U));
    }
  }
  if (std::ferror(file.get()) != 0) return unreadable(path, errno);
  return text;
}

}  // namespace busline
