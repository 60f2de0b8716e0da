#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "sim/base/assert.hpp"
#include "sim/program/program_rules.hpp"
#include "workloads/files/mapped_file.hpp"
#include "workloads/program/checksum.hpp"
#include "workloads/program/layout.hpp"
#include "workloads/program/program_file.hpp"

namespace busline {
namespace program_file {
namespace {

// The memory behind a Program of a file: the tables that are not views, and the file.
struct Loaded {
  std::shared_ptr<const void> file;
  std::vector<Communicator> communicators;
  std::vector<std::string> call_names;
  std::vector<EventLabel> event_labels;
};

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  Expected<ProgramFile> read(std::shared_ptr<const void> owner) {
    auto loaded = std::make_shared<Loaded>();
    loaded->file = std::move(owner);
    ProgramTables tables;
    ProgramFile result;
    if (!front() || !sections() || !views(tables) || !texts(*loaded, tables, result.origin) || !rules(tables))
      return tl::unexpected(*std::move(error_));
    result.program = Program(tables, std::move(loaded));
    return result;
  }

 private:
  // Each of these returns false with error_ set if what it reads is wrong.
  bool front();
  bool sections();
  bool views(ProgramTables& tables);
  bool block_lists(ProgramTables& tables);
  bool texts(Loaded& loaded, ProgramTables& tables, Origin& origin);
  bool communicators(Loaded& loaded);
  bool labels(Loaded& loaded);
  bool text_list(Section section, std::vector<std::string>& texts);
  bool rules(const ProgramTables& tables);
  bool lengths(Section section, std::size_t size, std::vector<std::uint64_t>& lengths);
  template <class T>
  bool view(Section section, std::span<const T>& table);

  const SectionEntry& entry(Section s) const { return front_.sections[static_cast<std::size_t>(s)]; }
  std::string_view bytes_of(const SectionEntry& e) const { return bytes_.substr(e.offset, e.bytes); }
  bool fail(std::uint64_t offset, std::string_view where, std::string message);
  bool fail_in(Section section, std::uint64_t at, std::string message) {
    return fail(entry(section).offset + at, kSectionNames[static_cast<std::size_t>(section)],
                std::move(message));
  }

  std::string_view bytes_;
  const std::string& path_;
  Front front_;
  std::optional<Error> error_;
};

bool Reader::fail(std::uint64_t offset, std::string_view where, std::string message) {
  Error e;
  e.path = path_;
  e.offset = offset;
  e.where = where;
  e.message = std::move(message);
  e.hint = "the file is damaged: convert the trace again";
  error_ = std::move(e);
  return false;
}

// The header and the table of sections, as far as they can be checked alone.
bool Reader::front() {
  const auto& h = front_.header;
  if (bytes_.substr(0, kMagic.size()) != kMagic) return fail(0, "header", "this is not a Program file");
  const auto ends_before = [&](std::size_t size) {
    return bytes_.size() < size &&
           !fail(bytes_.size(), "header", fmt::format("the file ends here, expected {} bytes", size));
  };
  if (ends_before(front_size(kFirstVersion))) return false;
  std::memcpy(&front_.header, bytes_.data(), sizeof(Header));
  if (h.version < kFirstVersion || h.version > kVersion) {
    fail(offsetof(Header, version), "header",
         fmt::format("version is {}, expected {} to {}", h.version, kFirstVersion, kVersion));
    error_->hint = "another version of busline wrote it: convert the trace again with this one";
    return false;
  }
  const auto size = front_size(h.version);
  if (ends_before(size)) return false;
  std::memcpy(&front_, bytes_.data(), size);
  Front without_checksum = front_;
  without_checksum.header.checksum = 0;
  if (xxh64({reinterpret_cast<const char*>(&without_checksum), size}) != h.checksum)
    return fail(offsetof(Header, checksum), "header", "the checksum of header and section table is wrong");
  if (h.sections != sections_of(h.version) || h.zero != decltype(h.zero){} || h.traced_run_time < -1)
    return fail(offsetof(Header, traced_run_time), "header", "a field has a value that it cannot have");
  if (bytes_.size() < h.file_bytes)
    return fail(bytes_.size(), "", fmt::format("the file ends here, expected {} bytes", h.file_bytes));
  if (bytes_.size() > h.file_bytes) return fail(h.file_bytes, "", "the file continues after its end");
  return true;
}

// Sections lie one after the other, so that there is only one place for each.
bool Reader::sections() {
  const auto& h = front_.header;
  std::uint64_t end = front_size(h.version);
  const auto padding_from = [&](std::uint64_t from) {
    const auto padding = bytes_.substr(from, aligned(from) - from);
    return std::all_of(padding.begin(), padding.end(), [](char c) { return c == 0; });
  };
  for (std::size_t i = 0; i < h.sections; ++i) {
    const auto& e = front_.sections[i];
    const auto at = sizeof(Header) + i * sizeof(SectionEntry);
    if (e.section != static_cast<Section>(i) || e.zero != 0 || e.offset != aligned(end) ||
        e.offset > bytes_.size() || e.bytes > bytes_.size() - e.offset)
      return fail(
          at, kSectionNames[i],
          fmt::format("{} bytes at {} are not in the file, or not at their place", e.bytes, e.offset));
    if (!padding_from(end)) return fail(end, kSectionNames[i], "bytes before it are not 0");
    if (xxh64(bytes_of(e)) != e.checksum) return fail(e.offset, kSectionNames[i], "the checksum is wrong");
    end = e.offset + e.bytes;
  }
  if (aligned(end) != bytes_.size()) return fail(end, "", "the file continues after its last section");
  return padding_from(end) || fail(end, "", "bytes after the last section are not 0");
}

template <class T>
bool Reader::view(Section section, std::span<const T>& table) {
  const auto bytes = bytes_of(entry(section));
  if (bytes.size() % sizeof(T) != 0)
    return fail_in(section, 0, fmt::format("{} bytes are not a whole number of {}", bytes.size(), sizeof(T)));
  // The struct's bytes are the file's (layout.hpp), and sections are aligned.
  table = {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  return true;
}

bool Reader::views(ProgramTables& t) {
  std::span<const StrandRecord> strands;
  std::span<const CollectiveRecord> collectives;
  if (!view(Section::strands, strands) || !view(Section::operations, t.operations) ||
      !view(Section::channels, t.channels) || !view(Section::wildcards, t.wildcards) ||
      !view(Section::collectives, collectives) || !view(Section::request_slots, t.request_slots))
    return false;
  // The padding in a Strand and the bool in CollectiveArgs may not have arbitrary values.
  for (const auto& s : strands)
    if (s.zero != 0) return fail_in(Section::strands, 0, "unused bytes are not 0");
  for (const auto& c : collectives)
    if (c.zero != 0 || c.is_root > 1)
      return fail_in(Section::collectives, 0, "a byte has a value that it cannot have");
  if (!view(Section::strands, t.strands) || !view(Section::collectives, t.collectives) || !block_lists(t))
    return false;
  if (front_.header.traced_run_time >= 0)
    t.traced_run_time = Duration::picoseconds(front_.header.traced_run_time);
  return true;
}

// A file without lists is of the first version.
bool Reader::block_lists(ProgramTables& t) {
  if (front_.header.version == kFirstVersion) return true;
  std::span<const std::uint64_t> numbers;
  if (!view(Section::block_lists, numbers)) return false;
  if (numbers.empty() || numbers[0] == 0 || numbers[0] > numbers.size() - 1)
    return fail_in(Section::block_lists, 0, "its entries do not fit into it");
  t.block_lists = {numbers.subspan(1, numbers[0]), numbers.subspan(1 + numbers[0])};
  return true;
}

// The head of a list: the number of elements, and how many entries of `size` bytes each has. The section must
// hold exactly as many after it.
bool Reader::lengths(Section section, std::size_t size, std::vector<std::uint64_t>& lengths) {
  const auto bytes = bytes_of(entry(section));
  const auto number = [&](std::uint64_t i) {
    std::uint32_t n = 0;
    std::memcpy(&n, bytes.data() + i * sizeof n, sizeof n);
    return std::uint64_t{n};
  };
  constexpr std::size_t kNumber = sizeof(std::uint32_t);
  if (bytes.size() < kNumber || number(0) > bytes.size() / kNumber - 1)
    return fail_in(section, 0, "its entries do not fit into it");
  lengths.resize(number(0));
  std::uint64_t end = (1 + lengths.size()) * kNumber;
  for (std::size_t i = 0; i < lengths.size() && end <= bytes.size(); ++i) {
    lengths[i] = number(1 + i);
    end += lengths[i] * size;
  }
  return end == bytes.size() || fail_in(section, 0, "its entries take more or fewer bytes than it has");
}

bool Reader::text_list(Section section, std::vector<std::string>& texts) {
  std::vector<std::uint64_t> sizes;
  if (!lengths(section, 1, sizes)) return false;
  auto rest = bytes_of(entry(section)).substr((1 + sizes.size()) * sizeof(std::uint32_t));
  texts.reserve(sizes.size());
  for (const auto size : sizes) {
    texts.emplace_back(rest.substr(0, size));
    rest.remove_prefix(size);
  }
  return true;
}

bool Reader::communicators(Loaded& loaded) {
  std::vector<std::uint64_t> sizes;
  if (!lengths(Section::communicators, sizeof(std::uint32_t), sizes)) return false;
  auto rest = bytes_of(entry(Section::communicators)).substr((1 + sizes.size()) * sizeof(std::uint32_t));
  loaded.communicators.resize(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto bytes = sizes[i] * sizeof(std::uint32_t);
    loaded.communicators[i].members.resize(sizes[i]);
    if (bytes > 0) std::memcpy(loaded.communicators[i].members.data(), rest.data(), bytes);
    rest.remove_prefix(bytes);
  }
  return true;
}

bool Reader::labels(Loaded& loaded) {
  const auto bytes = bytes_of(entry(Section::labels));
  std::array<std::uint32_t, 2> head{};  // how many, and 0
  if (bytes.size() < sizeof head) return fail_in(Section::labels, 0, "its entries do not fit into it");
  std::memcpy(head.data(), bytes.data(), sizeof head);
  if (head[1] != 0 || head[0] > (bytes.size() - sizeof head) / sizeof(LabelRecord))
    return fail_in(Section::labels, 0, "its entries do not fit into it");
  auto text = bytes.substr(sizeof head + head[0] * sizeof(LabelRecord));
  loaded.event_labels.reserve(head[0]);
  for (std::uint32_t i = 0; i < head[0]; ++i) {
    LabelRecord r;
    std::memcpy(&r, bytes.data() + sizeof head + i * sizeof r, sizeof r);
    if (r.bytes > text.size()) return fail_in(Section::labels, 0, "a text does not fit into it");
    loaded.event_labels.push_back({r.type, r.value, std::string(text.substr(0, r.bytes))});
    text.remove_prefix(r.bytes);
  }
  return text.empty() || fail_in(Section::labels, 0, "it continues after its last text");
}

bool Reader::texts(Loaded& loaded, ProgramTables& tables, Origin& origin) {
  std::vector<std::string> lines;
  if (!text_list(Section::origin, lines) || !text_list(Section::call_names, loaded.call_names) ||
      !communicators(loaded) || !labels(loaded))
    return false;
  if (lines.size() % 2 != 0) return fail_in(Section::origin, 0, "a key has no value");
  for (std::size_t i = 0; i < lines.size(); i += 2)
    origin.push_back({std::move(lines[i]), std::move(lines[i + 1])});
  tables.communicators = loaded.communicators;
  tables.call_names = loaded.call_names;
  tables.event_labels = loaded.event_labels;
  return true;
}

bool Reader::rules(const ProgramTables& tables) {
  const auto wrong = first_broken_rule(tables);
  if (!wrong) return true;
  const auto at = std::find(kSectionNames.begin(), kSectionNames.end(), wrong->table);
  const auto section = static_cast<std::size_t>(at - kSectionNames.begin());
  return fail(at == kSectionNames.end() ? 0 : front_.sections[section].offset,
              fmt::format("{} {}", wrong->table, wrong->entry), wrong->message);
}

}  // namespace
}  // namespace program_file

Expected<ProgramFile> read_program(std::string_view bytes, std::shared_ptr<const void> owner,
                                   const std::string& path) {
  using namespace program_file;
  if constexpr (!kSameByteOrder) return tl::unexpected(wrong_byte_order(path));
  SIM_ASSERT(reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(Operation) == 0);
  return Reader(bytes, path).read(std::move(owner));
}

Expected<ProgramFile> read_program(const std::string& path) {
  auto file = MappedFile::open(path);
  if (!file) return tl::unexpected(std::move(file.error()));
  const auto owner = std::make_shared<const MappedFile>(std::move(*file));
  return read_program(owner->text(), owner, path);
}

bool looks_like_program(std::string_view bytes) {
  return bytes.substr(0, program_file::kMagic.size()) == program_file::kMagic;
}

}  // namespace busline
