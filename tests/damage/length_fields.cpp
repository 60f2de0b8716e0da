#include "tests/damage/length_fields.hpp"

#include <algorithm>
#include <cstdint>

#include "workloads/dumpi/format/big_endian.hpp"
#include "workloads/dumpi/format/layout.hpp"
#include "workloads/dumpi/format/part_index.hpp"
#include "workloads/dumpi/format/record.hpp"
#include "workloads/dumpi/format/trace_file.hpp"

namespace busline {
namespace {

using namespace dumpi;

class Finder {
 public:
  Finder(std::string_view bytes, const PartIndex& index) : bytes_(bytes), index_(index) {}

  std::vector<LengthField> find(const TraceFile& file) {
    RecordReader reader(file);
    while (const Record* const r = reader.next()) in_record(*r);
    in_header();
    in_texts(index_.at[kCounterLabels], 0);
    in_texts(index_.at[kLabels], 8);
    if (index_.at[kSizes] != 0) fields_.push_back({static_cast<std::size_t>(index_.at[kSizes]), 4});
    for (auto at = index_.begin + kMagic.size(); at < bytes_.size(); at += 8) fields_.push_back({at, 8});
    std::sort(fields_.begin(), fields_.end(),
              [](const LengthField& a, const LengthField& b) { return a.offset < b.offset; });
    return std::move(fields_);
  }

 private:
  // Notes the field at the cursor and gives its value.
  template <class Int>
  Int length(ByteCursor& cursor) {
    fields_.push_back({cursor.position(), sizeof(Int)});
    return cursor.read<Int>();
  }
  std::size_t offset_of(const char* at) const { return static_cast<std::size_t>(at - bytes_.data()); }

  void in_record(const Record& r) {
    if ((r.mask & Record::has_counters) != 0)  // behind id, mask and what else the mask says
      fields_.push_back({static_cast<std::size_t>(r.offset) + 3 +
                             ((r.mask & Record::has_thread) != 0 ? 2 : 0) +
                             ((r.mask & Record::has_cpu_time) != 0 ? 12 : 0) +
                             ((r.mask & Record::has_wall_time) != 0 ? 12 : 0),
                         1});
    const auto& layout = kLayouts[r.function];
    for (std::size_t i = 0; i < layout.arguments; ++i) {
      if (!r.present(i)) continue;
      const auto shape = shape_in(r.version, r.function, i);
      if (shape < Shape::text) continue;  // a number
      if (shape == Shape::statuses && (r.mask & Record::has_statuses) == 0) continue;
      const auto at = offset_of(r.arguments[i].data);
      fields_.push_back({at - 4, 4});
      in_elements(shape, at, r[i]);
    }
  }

  // The lengths of what is in a list of lists or of texts.
  void in_elements(Shape shape, std::size_t at, std::int64_t n) {
    if (shape != Shape::texts && shape != Shape::int32_lists && shape != Shape::text_lists) return;
    ByteCursor cursor(bytes_, at);
    for (std::int64_t i = 0; i < n && cursor.ok(); ++i) {
      const auto inner = length<std::int32_t>(cursor);
      for (std::int32_t k = 0; shape == Shape::text_lists && k < inner; ++k)
        cursor.take(static_cast<std::uint32_t>(length<std::int32_t>(cursor)), 1);
      if (shape != Shape::text_lists)
        cursor.take(static_cast<std::uint32_t>(inner), shape == Shape::texts ? 1 : 4);
    }
  }

  void in_header() {
    if (index_.at[kHeader] == 0) return;
    ByteCursor cursor(bytes_, static_cast<std::size_t>(index_.at[kHeader]) + 3 + 8);  // version, time
    for (int text = 0; text < 2; ++text) cursor.take(length<std::uint16_t>(cursor), 1);
    for (int list = 0; list < 2; ++list)
      cursor.take(static_cast<std::uint32_t>(length<std::int32_t>(cursor)), 4);
  }

  // A list of texts with a key of that many bytes before each.
  void in_texts(std::uint64_t part, std::size_t key) {
    if (part == 0) return;
    ByteCursor cursor(bytes_, static_cast<std::size_t>(part));
    const auto n = length<std::int32_t>(cursor);
    for (std::int32_t i = 0; i < n && cursor.ok(); ++i) {
      cursor.take(key, 1);
      cursor.take(length<std::uint16_t>(cursor), 1);
    }
  }

  std::string_view bytes_;
  const PartIndex& index_;
  std::vector<LengthField> fields_;
};

}  // namespace

std::vector<LengthField> length_fields(std::string_view bytes) {
  Diagnostics told;
  const auto index = read_index("", bytes, Opening::whole, told);
  if (!index) return {};
  const auto file = TraceFile::in_memory("", bytes, told);
  return file ? Finder(bytes, *index).find(*file) : std::vector<LengthField>();
}

}  // namespace busline
