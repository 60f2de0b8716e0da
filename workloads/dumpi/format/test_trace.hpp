// Small DUMPI traces for tests, written call by call.
#pragma once
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "workloads/dumpi/format/function_table.hpp"

namespace busline::dumpi {

/// One argument of a call: a number, a list, a list of lists (of lists), or a list of statuses. Texts are
/// lists of their bytes.
struct TestStatus {
  std::int32_t bytes = 0, source = 0, tag = 0;
  bool cancelled = false;
  std::uint8_t error = 0;
};
using TestArgument =
    std::variant<std::int64_t, std::vector<std::int64_t>, std::vector<std::vector<std::int64_t>>,
                 std::vector<std::vector<std::vector<std::int64_t>>>, std::vector<TestStatus>>;
using List = std::vector<std::int64_t>;
using StatusList = std::vector<TestStatus>;

/// MPI_INT and MPI_COMM_WORLD, as numbered in a trace.
inline constexpr std::int64_t kInt = 9, kWorld = 2;

/// The file of one rank. Times are in nanoseconds since the rank's origin. Independent of the writer, so that
/// the two can be compared.
class TestRank {
 public:
  std::uint8_t mask = 0x4b;  ///< statuses, wall time and thread id
  std::uint16_t thread = 0;
  std::int64_t cpu_share = 100;                   ///< CPU time passes at this percentage of wall time
  std::array<std::uint8_t, 3> version{13, 0, 0};  ///< to be set before the first call
  std::string end_mark{"\x01\x25"};
  std::size_t index_bytes = 64;  ///< of older files 56, 48 or 40
  std::vector<std::int32_t> type_sizes = std::vector<std::int32_t>(28, 0);
  std::vector<std::pair<std::uint64_t, std::string>> labels;
  std::vector<std::string> counter_labels;
  std::vector<std::pair<std::string, std::string>> key_values;
  std::vector<std::int32_t> mesh_coordinates, mesh_size;
  std::int32_t cpu_bias = 0, wall_bias = 0;
  std::vector<std::uint64_t> counters;  ///< of each call, if the mask has them: at entry and exit, by turns

  /// A call that is entered and left at these times.
  TestRank& call(std::string_view name, std::int64_t entry, std::int64_t exit,
                 std::vector<TestArgument> arguments) {
    std::uint16_t function = 0;
    while (kFunctionTable[function].name != name) ++function;
    if (function >= kFirstMpi3 && !inside_annotation_) return annotated(function, entry, exit, arguments);
    if (function < kCountedFunctions) ++called_[function];
    put(body_, 2, function);
    put(body_, 1, mask);
    if ((mask & 0x40) != 0) put(body_, 2, thread);
    for (const int clock : {0x04, 0x08}) {
      if ((mask & clock) == 0) continue;
      for (auto t : {entry, exit}) {
        if (clock == 0x04) t = t * cpu_share / 100;
        put(body_, 2, t / kSecond % 65536);
        put(body_, 4, t % kSecond);
      }
    }
    if ((mask & 0x80) != 0) {
      put(body_, 1, static_cast<std::int64_t>(counters.size() / 2));
      for (const auto v : counters) put(body_, 8, static_cast<std::int64_t>(v));
    }
    if (name == "MPI_Init" && version < std::array<std::uint8_t, 3>{0, 6, 2})
      put(body_, 4, lists_of(arguments));
    std::string_view types = kFunctionTable[function].arguments;
    const auto all =
        arguments.size() == static_cast<std::size_t>(std::count(types.begin(), types.end(), ':'));
    for (const auto& a : arguments) {
      std::string_view word;
      do {  // without root-only ones, if they are not given
        word = types.substr(0, types.find(' '));
        types.remove_prefix(std::min(types.size(), word.size() + 1));
      } while (!all && word.ends_with('?'));
      put_argument(word.substr(word.find(':') + 1), a);
    }
    return *this;
  }
  /// A part of an annotated record, as a tracer writes them: a Function_exit without times.
  TestRank& part(std::uint64_t fn) {
    put(body_, 2, 292);
    put(body_, 1, 0x40);
    put(body_, 2, thread);
    put(body_, 8, static_cast<std::int64_t>(fn));
    return *this;
  }
  /// A call of no length at `time`.
  TestRank& call(std::string_view name, std::int64_t time, std::vector<TestArgument> arguments) {
    return call(name, time, time, std::move(arguments));
  }
  TestRank& init(std::int64_t time = 0) { return call("MPI_Init", time, {std::vector<std::int64_t>{}}); }
  TestRank& finalize(std::int64_t time) { return call("MPI_Finalize", time, {}); }
  TestRank& ignore(std::string_view name, std::uint32_t times) {
    for (std::size_t i = 0; i < kCountedFunctions; ++i)
      if (kFunctionTable[i].name == name) ignored_[i] += times;
    return *this;
  }

  std::string bytes() const {
    std::string all = kMagic;
    put(all, 4, cpu_bias);
    put(all, 4, wall_bias);
    all += body_;
    all += end_mark;
    const auto header = all.size();
    for (const auto v : version) put(all, 1, v);
    put(all, 8, 1'700'000'000);
    put_text(all, "h");
    put_text(all, "u");
    for (const auto* mesh : {&mesh_coordinates, &mesh_size}) {
      if (mesh == &mesh_size && version < std::array<std::uint8_t, 3>{0, 5, 0}) continue;
      put(all, 4, static_cast<std::int64_t>(mesh->size()));
      for (const auto v : *mesh) put(all, 4, v);
    }
    const auto footer = all.size();
    put(all, 8, 0xf007fee7);
    std::uint32_t total = 0;
    for (std::size_t i = 0; i < kCountedFunctions; ++i) {
      put(all, 4, called_[i] + ignored_[i]);
      total += called_[i] + ignored_[i];
    }
    put(all, 4, total);
    for (const auto n : ignored_) put(all, 4, n);
    put(all, 4, 0);
    put(all, 4, static_cast<std::int64_t>(key_values.size()));
    for (const auto& [key, value] : key_values) {
      put_text(all, key);
      put_text(all, value);
    }
    const auto counter_names = all.size();
    if (index_bytes >= 48) {
      put(all, 4, static_cast<std::int64_t>(counter_labels.size()));
      for (const auto& text : counter_labels) put_text(all, text);
    }
    const auto sizes = all.size();
    if (index_bytes >= 64) {
      put(all, 4, static_cast<std::int64_t>(type_sizes.size()));
      for (const auto s : type_sizes) put(all, 4, s);
    }
    const auto functions = all.size();
    if (index_bytes >= 56) {
      put(all, 4, static_cast<std::int64_t>(labels.size()));
      for (const auto& [key, text] : labels) {
        put(all, 8, static_cast<std::int64_t>(key));
        put_text(all, text);
      }
    }
    all += kMagic;
    std::string index;
    for (const auto at : {sizes, functions, counter_names, header, kMagic.size(), footer, std::size_t{0}})
      put(index, 8, static_cast<std::int64_t>(at));
    return all + index.substr(index.size() - (index_bytes - kMagic.size()));
  }

 private:
  // A call of MPI-3: its record in parts of 8 bytes between the marks of its begin and its end.
  TestRank& annotated(std::uint16_t function, std::int64_t entry, std::int64_t exit,
                      const std::vector<TestArgument>& arguments) {
    const std::string name(kFunctionTable[function].name);
    const auto key = std::uint64_t{4096} + function;
    const std::pair<std::uint64_t, std::string> label(key, "ANNOTATION: MPI-3: " + name);
    if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
    std::string record;
    record.swap(body_);
    inside_annotation_ = true;
    call(name, entry, exit, arguments);
    inside_annotation_ = false;
    record.swap(body_);
    call("Function_enter", entry, {static_cast<std::int64_t>(key)});
    part(0x4d50'3301'0000'0000 + record.size());
    record.resize((record.size() + 7) / 8 * 8);
    for (std::size_t at = 0; at < record.size(); at += 8) {
      std::uint64_t fn = 0;
      for (std::size_t i = 0; i < 8; ++i) fn = fn << 8U | static_cast<unsigned char>(record[at + i]);
      part(fn);
    }
    return call("Function_exit", exit, {static_cast<std::int64_t>(key)});
  }

  static constexpr std::int64_t kSecond = 1'000'000'000;
  inline static const std::string kMagic = "\xff\xaa\xdd\x44\x55\x4d\x50\x49";

  static void put(std::string& to, int width, std::int64_t value) {
    for (int i = width - 1; i >= 0; --i) to += static_cast<char>(value >> (8 * i) & 0xff);
  }
  static std::int64_t lists_of(const std::vector<TestArgument>& arguments) {
    const auto* lists = std::get_if<std::vector<std::vector<std::int64_t>>>(&arguments.front());
    return lists == nullptr ? 0 : static_cast<std::int64_t>(lists->size());
  }
  static void put_text(std::string& to, const std::string& text) {
    put(to, 2, static_cast<std::int64_t>(text.size()));
    to += text;
  }
  // Width of a number, or of one element of a list.
  static int width_of(std::string_view type) {
    type = type.substr(0, type.find_first_of("[?"));
    constexpr std::array<std::string_view, 8> kInt16{"comm", "dtype", "group", "errh",
                                                     "file", "info",  "win",   "keyval"};
    constexpr std::array<std::string_view, 6> kInt32{"i32", "tag", "source", "dest", "req", "ioreq"};
    if (std::find(kInt16.begin(), kInt16.end(), type) != kInt16.end()) return 2;
    if (std::find(kInt32.begin(), kInt32.end(), type) != kInt32.end()) return 4;
    return type == "i64" ? 8 : 1;
  }
  void put_argument(std::string_view type, const TestArgument& a) {
    const auto width = width_of(type);
    if (const auto* number = std::get_if<std::int64_t>(&a)) put(body_, width, *number);
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&a)) {
      put(body_, 4, static_cast<std::int64_t>(list->size()));
      for (const auto v : *list) put(body_, width, v);
    }
    if (const auto* lists = std::get_if<std::vector<std::vector<std::int64_t>>>(&a)) {
      put(body_, 4, static_cast<std::int64_t>(lists->size()));
      for (const auto& list : *lists) put_argument(type, list);
    }
    if (const auto* all = std::get_if<std::vector<std::vector<std::vector<std::int64_t>>>>(&a)) {
      put(body_, 4, static_cast<std::int64_t>(all->size()));
      for (const auto& lists : *all) put_argument(type, lists);
    }
    if (const auto* statuses = std::get_if<std::vector<TestStatus>>(&a);
        statuses != nullptr && (mask & 3) != 0) {
      put(body_, 4, static_cast<std::int64_t>(statuses->size()));
      for (const auto& s : *statuses) {
        put(body_, 4, s.bytes);
        put(body_, 4, s.source);
        put(body_, 1, s.cancelled ? 1 : 0);
        put(body_, 1, s.error);
        if (version >= std::array<std::uint8_t, 3>{0, 6, 3}) put(body_, 4, s.tag);
      }
    }
  }

  std::string body_;
  bool inside_annotation_ = false;
  std::array<std::uint32_t, kCountedFunctions> called_{}, ignored_{};
};

/// A trace in its own folder, which is removed with this object.
class TestTrace {
 public:
  explicit TestTrace(std::size_t n) : ranks(n) {
    static int made = 0;
    folder_ = std::filesystem::temp_directory_path() /
              ("busline-dumpi-" + std::to_string(::getpid()) + "-" + std::to_string(made++));
    std::filesystem::create_directories(folder_);
  }
  TestTrace(const TestTrace&) = delete;
  TestTrace& operator=(const TestTrace&) = delete;
  ~TestTrace() { std::filesystem::remove_all(folder_); }

  std::vector<TestRank> ranks;

  const std::filesystem::path& folder() const { return folder_; }
  void write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
  }
  /// Writes the files; gives the folder.
  std::string write() const {
    write("t.meta", "numprocs=" + std::to_string(ranks.size()) + "\nfileprefix=t\n");
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      auto number = std::to_string(r);
      number.insert(0, 4 - number.size(), '0');
      write("t-" + number + ".bin", ranks[r].bytes());
    }
    return folder_.string();
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace busline::dumpi
