#include "workloads/otf2/survey.hpp"

#include <unordered_map>

#include "workloads/otf2/definitions.hpp"
#include "workloads/otf2/record_reader.hpp"

namespace busline::otf2 {
namespace {

class Surveyor {
 public:
  Surveyor(LocalIndex& regions, const std::vector<Region>& table) : regions_(regions), table_(table) {}

  void take(const Record& r) {
    const auto type = r.event();
    if (is_of_mpi(type) && !made_.first_of_mpi) made_.first_of_mpi = r.offset;
    switch (type) {
      case EventType::enter:
        return enter(r);
      case EventType::leave:
        ++made_.operations;
        return;
      case EventType::metric:
        ++made_.metrics;
        return;
      case EventType::measurement_on_off:
        made_.was_off = true;
        return;
      case EventType::calling_context_enter:
      case EventType::calling_context_sample:
        if (!made_.first_sample) made_.first_sample = r.offset;
        return;
      case EventType::mpi_irecv_request:
        open_[r.value] = made_.fates.size();
        made_.fates.push_back({{.bytes = r.offset}, Fate::Kind::unknown});
        ++made_.operations;
        return;
      case EventType::mpi_irecv:
        ++made_.operations;
        return received(r);
      case EventType::non_blocking_collective_request: {
        auto c = r.cursor();
        open_collectives_[c.number()] = made_.started_collectives.size();
        made_.started_collectives.emplace_back();
        ++made_.operations;
        return;
      }
      case EventType::non_blocking_collective_complete:
        ++made_.operations;
        return completed(r);
      case EventType::mpi_request_cancelled:
        if (const auto at = open_.find(r.value); at != open_.end()) {
          made_.fates[at->second].kind = Fate::Kind::cancelled;
          open_.erase(at);
        }
        return;
      case EventType::mpi_isend:
        open_.erase(request_of(r));
        ++made_.isends;
        ++made_.operations;
        return;
      case EventType::mpi_isend_complete:
        ++made_.isend_completions;
        ++made_.operations;
        return;
      case EventType::mpi_send:
      case EventType::mpi_recv:
      case EventType::mpi_collective_end:
        ++made_.operations;
        return;
      default:
        return;
    }
  }

  Survey finish(std::uint64_t events) {
    made_.events = events;
    for (const auto& f : made_.fates)
      if (f.kind == Fate::Kind::unknown && made_.unknown_fates++ == 0) made_.first_unknown = f.message.bytes;
    return std::move(made_);
  }

 private:
  void enter(const Record& r) {
    const auto region = regions_.of(r.value);
    if (region == LocalIndex::kNone) return;
    const auto of = table_[region].of;
    if (of == RegionClass::init) made_.has_init = true;
    if (of == RegionClass::finalize) made_.has_finalize = true;
    if (of == RegionClass::user) made_.operations += 2;
  }
  void received(const Record& r) {
    auto c = r.cursor();
    const Fate f{message_fields(c), Fate::Kind::received};
    const auto at = open_.find(c.number());
    if (!c.ok() || at == open_.end()) return;
    made_.fates[at->second] = f;
    open_.erase(at);
  }
  void completed(const Record& r) {
    auto c = r.cursor();
    const auto fields = collective_fields(c);
    const auto at = open_collectives_.find(c.number());
    if (!c.ok() || at == open_collectives_.end()) return;
    made_.started_collectives[at->second] = fields;
    open_collectives_.erase(at);
  }
  static std::uint64_t request_of(const Record& r) {
    auto c = r.cursor();
    message_fields(c);
    return c.number();
  }

  LocalIndex& regions_;
  const std::vector<Region>& table_;
  Survey made_;
  std::unordered_map<std::uint64_t, std::size_t> open_;  // receives by request
  std::unordered_map<std::uint64_t, std::size_t> open_collectives_;
};

}  // namespace

Expected<Survey> survey_events(std::string_view file, std::uint64_t chunk_size, const std::string& path,
                               LocalIndex& regions, const std::vector<Region>& table) {
  Surveyor surveyor(regions, table);
  if (file.empty()) return surveyor.finish(0);
  RecordReader records(file, RecordReader::Kind::events, chunk_size);
  while (records.next()) surveyor.take(records.record());
  if (records.fault()) return tl::unexpected(damage_at(path, records.position(), *records.fault()));
  return surveyor.finish(records.record().number);
}

}  // namespace busline::otf2
