#include "studies/timeline/format.hpp"

#include <algorithm>

#include "sim/base/shared_library.hpp"

namespace busline::timeline {
namespace {

constexpr std::int64_t kNanosecond = 1000;
#ifdef BUSLINE_HAS_OTF2
constexpr auto kWriteOtf2 = write_otf2;
#else
constexpr Expected<bool> (*kWriteOtf2)(const Writing&) = nullptr;
#endif

constexpr unsigned kStrands = set_of(Kind::state, Kind::enter, Kind::leave, Kind::event, Kind::message);

std::int64_t by_time(const Record& r) {
  return r.at;
}
// Links are drawn between the physical times.
std::int64_t by_drawn_time(const Record& r) {
  return r.kind == Kind::message ? r.physical_send : r.kind == Kind::arrival ? r.physical_receive : r.at;
}
// A message belongs to the track that has received it. Levels, which belong to none, come first.
std::int64_t by_track(const Record& r) {
  if (r.kind == Kind::level) return -1;
  return r.kind == Kind::message ? r.peer : r.track;
}

}  // namespace

const std::vector<Format>& formats() {
  static const std::vector<Format> all{
      {".prv", "Paraver", kStrands | set_of(Kind::level, Kind::collective_begin), kNanosecond, by_time,
       write_paraver},
      {".json", "Perfetto", kStrands | set_of(Kind::send, Kind::level), 1, by_track, write_perfetto},
      {".otf2", "OTF2",
       kStrands | set_of(Kind::send, Kind::collective_begin, Kind::collective_end, Kind::request,
                         Kind::posted, Kind::send_complete),
       1, by_track, kWriteOtf2},
      {".paje", "Paje", set_of(Kind::state, Kind::event, Kind::message, Kind::arrival, Kind::level), 1,
       by_drawn_time, write_paje},
  };
  return all;
}

Expected<const Format*> format_of(const std::string& path) {
  std::string names;
  for (const auto& f : formats()) {
    if (path.ends_with(f.suffix) && path.size() > f.suffix.size()) {
      if (f.write != nullptr) return &f;
      auto e = option_error({}, "this program was built without OTF2",
                            how_to_build_with("libopen-trace-format2-dev"));
      e.path = path;
      return tl::unexpected(std::move(e));
    }
    names.append(names.empty() ? "" : ", ").append(f.suffix).append(" (").append(f.description).append(")");
  }
  auto e = option_error({}, "the name does not end in a timeline format", "expected one of " + names);
  e.path = path;
  return tl::unexpected(std::move(e));
}

Expected<bool> for_each(const Writing& writing, const std::function<bool(const Record&)>& take) {
  constexpr std::uint64_t kReportEvery = 1U << 16;
  const auto all = std::max<std::uint64_t>(writing.records.size(), 1);
  std::uint64_t done = 0;
  bool stopped = false;
  auto given = writing.records.for_each([&](const Record& record) {
    if (!take(record)) return false;
    if (++done % kReportEvery == 0 && writing.progress)
      stopped = !writing.progress(static_cast<double>(done) / static_cast<double>(all));
    return !stopped;
  });
  if (!given) return tl::unexpected(std::move(given.error()));
  return !stopped;
}

Expected<bool> write_records(const Writing& writing, TextLines& out,
                             const std::function<void(const Record&)>& line) {
  return for_each(writing, [&](const Record& record) {
    line(record);
    return !out.failed();
  });
}

Expected<bool> commit(OutputFile& file, TextLines& out, Expected<bool> complete) {
  if (!complete || !*complete) return complete;
  if (auto done = out.finish().and_then([&] { return file.commit(); }); !done)
    return tl::unexpected(std::move(done.error()));
  return true;
}

}  // namespace busline::timeline
