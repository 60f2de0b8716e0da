#include "workloads/dumpi/format/call_reader.hpp"

#include <fmt/format.h>

namespace busline::dumpi {

const Record* CallReader::next() {
  while (!error_) {
    const auto* const r = records_.next();
    if (r == nullptr) return nullptr;
    const auto head = annotated_head(*r);
    if (!head) return r;
    const auto offset = r->offset, number = r->number;
    if (!collect(*r, head->bytes, head->parts())) return nullptr;
    const bool known = head->layout == kAnnotatedLayout &&
                       (bytes_.size() < 2 || load_big_endian<std::uint16_t>(bytes_.data()) < kFunctions);
    if (!known) continue;
    return decode(offset, number) ? &call_ : nullptr;
  }
  return nullptr;
}

// The bytes of the record, from the parts that follow.
bool CallReader::collect(const Record& head, std::uint64_t bytes, std::uint64_t parts) {
  const auto offset = head.offset, number = head.number;
  bytes_.clear();
  for (std::uint64_t i = 0; i < parts; ++i) {
    const auto* const r = records_.next();
    if (r == nullptr && records_.error()) return false;
    if (r == nullptr || !is_annotated_part(*r))
      return fail(offset, number, fmt::format("has {} parts, expected {}", i, parts));
    const char* const part = r->arguments[0].data;
    bytes_.insert(bytes_.end(), part, part + kBytesOfPart);
  }
  bytes_.resize(bytes);
  return true;
}

bool CallReader::decode(std::uint64_t offset, std::uint64_t number) {
  RecordReader reader(file_, {bytes_.data(), bytes_.size()});
  const auto* const r = reader.next();
  if (r == nullptr) {
    const auto& wrong = reader.error();
    return fail(offset, number,
                wrong ? fmt::format("holds {}: {}", wrong->where, wrong->message) : "holds no record");
  }
  if (reader.position() != bytes_.size())
    return fail(offset, number,
                fmt::format("holds {} bytes, of which {} has {}", bytes_.size(),
                            kFunctionTable[r->function].name, reader.position()));
  call_ = *r;
  call_.offset = offset;
  call_.number = number;
  return true;
}

bool CallReader::fail(std::uint64_t offset, std::uint64_t number, const std::string& message) {
  error_ = damaged(file_.path(), offset, fmt::format("annotated record {}", number), message);
  return false;
}

}  // namespace busline::dumpi
