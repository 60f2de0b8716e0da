#include "workloads/otf2/record_reader.hpp"

#include <fmt/format.h>

namespace busline::otf2 {
namespace {

constexpr std::uint8_t kLittleEndian = 'B', kBigEndian = '#';
constexpr const char* kCut = "the file is cut: it has no end mark";

}  // namespace

// A chunk's header: its mark, the byte order, and the numbers of its first and last event.
void RecordReader::begin_chunk() {
  const auto mark = cursor_.byte(), order = cursor_.byte();
  big_endian_ = order == kBigEndian;
  cursor_.set_big_endian(big_endian_);
  cursor_.take(2 * sizeof(std::uint64_t));
  if (!cursor_.ok())
    fail(kCut);
  else if (mark != kChunkHeader || (order != kBigEndian && order != kLittleEndian))
    fail("expected the header of a chunk of OTF2 records");
}

bool RecordReader::next_chunk() {
  if (chunk_size_ > file_.size() - chunk_begin_) return fail(kCut);
  const auto begin = chunk_begin_ + static_cast<std::size_t>(chunk_size_);
  if (begin < cursor_.position()) return fail("a chunk of records is longer than the archive's chunk size");
  chunk_begin_ = begin;
  cursor_ = Cursor(file_, begin, false);
  begin_chunk();
  return !fault_;
}

bool RecordReader::advance() {
  for (;;) {
    if (cursor_.position() - chunk_begin_ == chunk_size_ && cursor_.left() > 0 && !next_chunk()) return false;
    record_.offset = cursor_.position();
    const auto type = cursor_.byte();
    if (!cursor_.ok()) return fail(kCut);
    switch (type) {
      case kEndOfFile:
        ended_ = true;
        return false;
      case kEndOfChunk:
        if (!next_chunk()) return false;
        continue;
      case kTimeStamp:
        if (kind_ == Kind::definitions) break;
        record_.time = cursor_.fixed<std::uint64_t>();
        continue;
      case kAttributeList:
        if (kind_ == Kind::definitions) break;
        cursor_.take(cursor_.record_length());
        continue;
      default:
        break;
    }
    record_.type = type;
    record_.big_endian = big_endian_;
    if (kind_ == Kind::events && has_no_length(record_.event())) {
      record_.value = cursor_.number();
      record_.values = {};
    } else {
      record_.values = cursor_.take(cursor_.record_length());
    }
    if (!cursor_.ok()) return fail("a record is longer than the file, or not one of OTF2");
    ++record_.number;
    return true;
  }
}

}  // namespace busline::otf2
