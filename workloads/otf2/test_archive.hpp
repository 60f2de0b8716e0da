// Small OTF2 archives for tests, written event by event. Independent of OTF2's library.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "workloads/files/test_folder.hpp"
#include "workloads/otf2/archive.hpp"
#include "workloads/otf2/record_types.hpp"

namespace busline::otf2 {

/// Appends values as they stand in records.
class TestValues {
 public:
  explicit TestValues(bool big_endian = false) : big_endian_(big_endian) {}
  TestValues& fixed(std::uint64_t v, std::size_t size) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) text += static_cast<char>(v >> 8U * i & 0xffU);
    if (big_endian_) std::reverse(text.begin(), text.end());
    bytes += text;
    return *this;
  }
  TestValues& byte(std::uint64_t v) { return fixed(v, 1); }
  TestValues& number(std::uint64_t v) {
    if (v == 0xffff'ffff) return byte(0xff);  // undefined
    std::size_t n = 0;
    while (n < 8 && v >> 8U * n != 0) ++n;
    return byte(n).fixed(v, n);
  }
  TestValues& numbers(std::initializer_list<std::uint64_t> all) {
    for (const auto v : all) number(v);
    return *this;
  }
  TestValues& text(std::string_view t) {
    bytes += t;
    return byte(0);
  }
  std::string bytes;

 private:
  bool big_endian_;
};

/// A file of records.
class TestRecords {
 public:
  static constexpr std::size_t kChunk = 256U << 10U;  // the smallest that OTF2 allows

  explicit TestRecords(bool big_endian) : big_endian_(big_endian) { begin_chunk(); }
  TestRecords& record(std::uint64_t type, const TestValues& values) {
    const auto n = values.bytes.size();
    TestValues r(big_endian_);
    r.byte(type);
    if (n < 255)
      r.byte(n);
    else
      r.byte(255).fixed(n, 8);
    return put(r.bytes + values.bytes);
  }
  /// Whole records, which share a chunk.
  TestRecords& put(const std::string& bytes) {
    if (file_.size() + bytes.size() >= begin_ + kChunk) {
      file_.resize(begin_ + kChunk, '\0');
      begin_chunk();
    }
    file_ += bytes;
    return *this;
  }
  std::string finished() const { return file_ + std::string("\x02\x01\x00", 3); }
  bool big_endian() const { return big_endian_; }
  TestValues values() const { return TestValues(big_endian_); }

 private:
  void begin_chunk() {
    begin_ = file_.size();
    file_ += TestValues(big_endian_)
                 .byte(kChunkHeader)
                 .byte(big_endian_ ? '#' : 'B')
                 .fixed(0, 8)
                 .fixed(0, 8)
                 .bytes;
  }
  bool big_endian_;
  std::size_t begin_ = 0;
  std::string file_;
};

class TestArchive;

/// The events of one location. Times are in ticks, of which a second has 10^9 unless a test says otherwise.
class TestEvents {
 public:
  TestEvents(TestArchive& archive, bool big_endian)
      : archive_(archive), records_(big_endian), local_(big_endian) {}
  TestEvents& enter(std::uint64_t time, std::string_view region);
  TestEvents& leave(std::uint64_t time, std::string_view region);
  /// A call without a record.
  TestEvents& call(std::uint64_t time, std::uint64_t until, std::string_view region) {
    return enter(time, region).leave(until, region);
  }
  /// A call with one record, which has its entry's time.
  TestEvents& call(std::uint64_t time, std::uint64_t until, std::string_view region, EventType type,
                   std::initializer_list<std::uint64_t> values) {
    return enter(time, region).event(time, type, values).leave(until, region);
  }
  /// An event whose values are compressed numbers.
  TestEvents& event(std::uint64_t time, EventType type, std::initializer_list<std::uint64_t> values) {
    auto v = records_.values();
    v.numbers(values);
    return put(time, type, v);
  }
  TestEvents& collective(std::uint64_t time, std::uint64_t operation, std::uint64_t comm, std::uint64_t root,
                         std::uint64_t sent, std::uint64_t received) {
    auto v = records_.values();
    v.byte(operation).numbers({comm, root, sent, received});
    return put(time, EventType::mpi_collective_end, v);
  }
  TestEvents& measurement(std::uint64_t time, bool on) {
    auto v = records_.values();
    return put(time, EventType::measurement_on_off, v.byte(on ? 1 : 2));
  }
  TestEvents& put(std::uint64_t time, EventType type, const TestValues& values);
  /// A mapping table of local ids: 3 regions, 6 communicators; in order, or as pairs.
  TestEvents& map_ids(std::uint64_t table, bool pairs, std::initializer_list<std::uint64_t> ids) {
    auto v = local_.values();
    v.byte(table).number(pairs ? ids.size() / 2 : ids.size()).byte(pairs ? 1 : 0).numbers(ids);
    local_.record(static_cast<std::uint64_t>(LocalDefinitionType::mapping_table), v);
    return *this;
  }
  TestEvents& clock_offset(std::uint64_t time, std::int64_t offset) {
    auto v = local_.values();
    v.fixed(time, 8).number(static_cast<std::uint64_t>(offset)).fixed(0, 8);
    local_.record(static_cast<std::uint64_t>(LocalDefinitionType::clock_offset), v);
    return *this;
  }

  std::uint64_t id = 0;
  std::string name = "Master thread";
  std::optional<std::uint64_t> stated_events;
  std::uint64_t events() const { return stated_events.value_or(count_); }
  std::string event_file() const { return records_.finished(); }
  std::string local_file() const { return local_.finished(); }

 private:
  TestArchive& archive_;
  TestRecords records_, local_;
  std::uint64_t count_ = 0;
};

class TestArchive {
 public:
  /// MPI_COMM_WORLD is communicator 0.
  explicit TestArchive(std::uint32_t ranks, bool big_endian = false) : big_endian_(big_endian) {
    std::vector<std::uint64_t> all;
    for (std::uint32_t r = 0; r < ranks; ++r) {
      all.push_back(r);
      location().id = r;
    }
    group(4, all);
    comm(all, "MPI_COMM_WORLD");
  }
  TestArchive(const TestArchive&) = delete;

  std::string creator = "Score-P 8.4";
  std::uint64_t ticks_per_second = 1'000'000'000;

  TestEvents& rank(std::uint32_t r) { return locations_[r]; }
  /// A location that is not a rank, unless the constructor calls it.
  TestEvents& location() {
    auto& l = locations_.emplace_back(*this, big_endian_);
    l.id = 1000 + locations_.size();
    return l;
  }
  /// Id of a new communicator.
  std::uint64_t comm(const std::vector<std::uint64_t>& ranks, const std::string& name = "") {
    auto v = values();
    v.numbers({comms_, text(name), group(5, ranks), kUndefinedId, 0});
    definitions_.emplace_back(22, v);
    return comms_++;
  }
  /// A communicator of one rank on each rank.
  std::uint64_t self_comm() {
    auto v = values();
    v.numbers({comms_, text(""), group(6, {}), kUndefinedId, 0});
    definitions_.emplace_back(22, v);
    return comms_++;
  }
  std::uint64_t inter_comm(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
    auto v = values();
    v.numbers({comms_, text(""), group(5, a), group(5, b), 0, 0});
    definitions_.emplace_back(43, v);
    return comms_++;
  }
  std::uint64_t window(std::uint64_t comm) {
    auto v = values();
    v.numbers({windows_, text("window"), comm, 0});
    definitions_.emplace_back(24, v);
    return windows_++;
  }
  std::uint64_t region(std::string_view name, std::uint64_t role = 0) {
    const auto [at, fresh] = regions_.try_emplace(std::string(name), regions_.size());
    if (fresh) {
      auto v = values();
      const auto text_of_name = text(name);
      v.numbers({at->second, text_of_name, text_of_name}).byte(0).numbers({kUndefinedId, 0, 0, text_of_name});
      v.byte(role).byte(4).number(0);
      definitions_.emplace_back(15, v);
    }
    return at->second;
  }

  /// The files by name; the anchor is "t.otf2".
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> all;
    TestValues anchor(big_endian_);
    anchor.byte(kChunkHeader)
        .byte(big_endian_ ? '#' : 'B')
        .text("OTF2")
        .byte(3)
        .byte(2)
        .byte(3)
        .byte(0)
        .byte(3);
    anchor.fixed(TestRecords::kChunk, 8).fixed(TestRecords::kChunk, 8).byte(1).byte(1);
    anchor.fixed(locations_.size(), 8)
        .fixed(definitions_.size(), 8)
        .text("")
        .text(creator)
        .text("")
        .fixed(0, 4);
    all["t.otf2"] = anchor.bytes;
    TestRecords records(big_endian_);
    for (const auto& [type, v] : definitions_) records.record(type, v);
    auto clock = values();
    clock.numbers({ticks_per_second, 0, 0});
    records.record(5, clock);
    std::uint64_t names = texts_;
    for (const auto& l : locations_) {
      auto v = values();
      records.record(10, v.number(names).text(l.name));
      auto location = values();
      location.numbers({l.id, names++}).byte(1).numbers({l.events(), 0});
      records.record(14, location);
      all["t/" + std::to_string(l.id) + ".evt"] = l.event_file();
      all["t/" + std::to_string(l.id) + ".def"] = l.local_file();
    }
    all["t.def"] = records.finished();
    return all;
  }
  /// Writes all files and returns the anchor's path.
  std::string write(const TestFolder& folder) const {
    for (const auto& [name, bytes] : files()) folder.write(name, bytes);
    return folder.file("t.otf2");
  }

 private:
  static constexpr std::uint64_t kUndefinedId = 0xffff'ffff;
  TestValues values() const { return TestValues(big_endian_); }
  std::uint64_t text(std::string_view t) {
    auto v = values();
    definitions_.emplace_back(10, v.number(texts_).text(t));
    return texts_++;
  }
  std::uint64_t group(std::uint64_t type, const std::vector<std::uint64_t>& members) {
    auto v = values();
    v.numbers({groups_, text("")}).byte(0).number(members.size());
    for (const auto m : members) v.number(m);
    v.byte(type).byte(4).number(0);
    definitions_.emplace_back(18, v);
    return groups_++;
  }

  bool big_endian_;
  std::deque<TestEvents> locations_;
  std::vector<std::pair<std::uint64_t, TestValues>> definitions_;
  std::map<std::string, std::uint64_t> regions_;
  std::uint64_t texts_ = 0, groups_ = 0, comms_ = 0, windows_ = 0;
};

inline TestEvents& TestEvents::put(std::uint64_t time, EventType type, const TestValues& values) {
  ++count_;
  auto stamp = records_.values();
  stamp.byte(kTimeStamp).fixed(time, 8);
  if (!has_no_length(type)) {
    records_.put(stamp.bytes);
    records_.record(static_cast<std::uint64_t>(type), values);
  } else {
    stamp.byte(static_cast<std::uint64_t>(type));
    records_.put(stamp.bytes + values.bytes);
  }
  return *this;
}
inline TestEvents& TestEvents::enter(std::uint64_t time, std::string_view region) {
  return event(time, EventType::enter, {archive_.region(region)});
}
inline TestEvents& TestEvents::leave(std::uint64_t time, std::string_view region) {
  return event(time, EventType::leave, {archive_.region(region)});
}

/// Such files in memory, instead of on disk.
inline ArchiveFiles in_memory(std::map<std::string, std::string> files) {
  const auto kept = std::make_shared<const std::map<std::string, std::string>>(std::move(files));
  return {"t.otf2", [kept](const std::string& path) -> Expected<std::optional<FileBytes>> {
            const auto at = kept->find(path);
            if (at == kept->end()) return std::nullopt;
            return FileBytes{at->second, kept};
          }};
}

}  // namespace busline::otf2
