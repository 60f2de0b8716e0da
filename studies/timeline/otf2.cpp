// An OTF2 archive, through its library: FILE.otf2, FILE.def, and a folder FILE with the events of each
// strand. Ticks are picoseconds. Source: the library's documentation (Open Trace Format 2, 3.0).
#ifdef BUSLINE_HAS_OTF2
#include <fmt/format.h>
#include <otf2/otf2.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <utility>

#include "studies/timeline/format.hpp"

namespace busline::timeline {
namespace {

namespace fs = std::filesystem;

Error failure(const std::string& path, std::string what) {
  return file_error(Error::Kind::unreadable, path, std::move(what));
}

// The library prints errors unless it has somebody to tell them to. The first one is the cause of the others;
// what it returns is often one of those. Warnings are below 0.
OTF2_ErrorCode keep_first(void* first, const char*, std::uint64_t, const char*, OTF2_ErrorCode code,
                          const char*, va_list) {
  auto& kept = *static_cast<OTF2_ErrorCode*>(first);
  if (kept == OTF2_SUCCESS && code > OTF2_SUCCESS) kept = code;
  return code;
}
OTF2_FlushType flush_always(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
  return OTF2_FLUSH;
}

// Collectives that move data, as the format knows them; others are told as calls only.
std::optional<OTF2_CollectiveOp> operation_of(CollectiveKind k) {
  static const std::map<CollectiveKind, OTF2_CollectiveOp> all{
      {CollectiveKind::barrier, OTF2_COLLECTIVE_OP_BARRIER},
      {CollectiveKind::bcast, OTF2_COLLECTIVE_OP_BCAST},
      {CollectiveKind::gather, OTF2_COLLECTIVE_OP_GATHER},
      {CollectiveKind::gatherv, OTF2_COLLECTIVE_OP_GATHERV},
      {CollectiveKind::scatter, OTF2_COLLECTIVE_OP_SCATTER},
      {CollectiveKind::scatterv, OTF2_COLLECTIVE_OP_SCATTERV},
      {CollectiveKind::allgather, OTF2_COLLECTIVE_OP_ALLGATHER},
      {CollectiveKind::allgatherv, OTF2_COLLECTIVE_OP_ALLGATHERV},
      {CollectiveKind::alltoall, OTF2_COLLECTIVE_OP_ALLTOALL},
      {CollectiveKind::alltoallv, OTF2_COLLECTIVE_OP_ALLTOALLV},
      {CollectiveKind::alltoallw, OTF2_COLLECTIVE_OP_ALLTOALLW},
      {CollectiveKind::allreduce, OTF2_COLLECTIVE_OP_ALLREDUCE},
      {CollectiveKind::reduce, OTF2_COLLECTIVE_OP_REDUCE},
      {CollectiveKind::reduce_scatter, OTF2_COLLECTIVE_OP_REDUCE_SCATTER},
      {CollectiveKind::reduce_scatter_block, OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK},
      {CollectiveKind::scan, OTF2_COLLECTIVE_OP_SCAN},
      {CollectiveKind::exscan, OTF2_COLLECTIVE_OP_EXSCAN},
  };
  const auto found = all.find(k);
  return found == all.end() ? std::nullopt : std::optional(found->second);
}

// An archive that is being written, in a folder of its own. The first error stays.
class Archive {
 public:
  Archive(const Writing& w, const fs::path& folder, const std::string& name)
      : timeline_(w.timeline),
        writing_(w),
        events_of_(w.timeline.tracks.size()),
        regions_(w.timeline.calls.size() + kStates, OTF2_UNDEFINED_REGION) {
    before_ = OTF2_Error_RegisterCallback(keep_first, &code_);
    constexpr std::uint64_t kEvents = OTF2_CHUNK_SIZE_MIN, kDefinitions = 4U << 20;
    archive_ = OTF2_Archive_Open(folder.c_str(), name.c_str(), OTF2_FILEMODE_WRITE, kEvents, kDefinitions,
                                 OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive_ == nullptr) {
      keep(OTF2_ERROR_FILE_CAN_NOT_OPEN);
      return;
    }
    // A time stamp after a flush would be an event of its own: there is none in simulated time.
    static const OTF2_FlushCallbacks flush{flush_always, nullptr};
    keep(OTF2_Archive_SetFlushCallbacks(archive_, &flush, nullptr));
    keep(OTF2_Archive_SetSerialCollectiveCallbacks(archive_));
    keep(OTF2_Archive_SetCreator(archive_, "busline"));
    keep(OTF2_Archive_OpenEvtFiles(archive_));
    for (const auto& t : timeline_.tracks) add_track(t);
    index_communicators();
  }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;
  ~Archive() {
    close();
    OTF2_Error_RegisterCallback(before_, nullptr);
  }

  bool failed() const { return code_ != OTF2_SUCCESS; }
  const char* what() const { return OTF2_Error_GetDescription(code_); }

  // Tracks come one after the other, so that one file at a time is open and in memory.
  void write(const Record& r) {
    const auto track = r.kind == Kind::message ? r.peer : r.track;
    while (next_ <= track) open_next();
    const auto at = static_cast<OTF2_TimeStamp>(std::max(r.at, last_));
    switch (r.kind) {
      case Kind::state:
        if (r.state == State::ended) return;
        keep(OTF2_EvtWriter_Enter(writer_, nullptr, at, region(r.state)));
        last_ = r.until;
        return keep(
            OTF2_EvtWriter_Leave(writer_, nullptr, static_cast<OTF2_TimeStamp>(r.until), region(r.state)));
      case Kind::enter:
        last_ = r.at;
        return keep(OTF2_EvtWriter_Enter(writer_, nullptr, at, region(r.name)));
      case Kind::leave:
        last_ = r.at;
        return keep(OTF2_EvtWriter_Leave(writer_, nullptr, at, region(r.name)));
      case Kind::event:
        return keep(OTF2_EvtWriter_ParameterInt(writer_, nullptr, at, parameter(r.name), r.value));
      case Kind::send:
        return keep(OTF2_EvtWriter_MpiSend(writer_, nullptr, at, position(r.name, r.peer),
                                           communicator(r.name), static_cast<std::uint32_t>(r.tag),
                                           static_cast<std::uint64_t>(r.value)));
      case Kind::message:
        return receive(r);
      case Kind::collective_begin:
        if (operation_of(timeline_.collectives[r.name].kind))
          keep(OTF2_EvtWriter_MpiCollectiveBegin(writer_, nullptr, at));
        return;
      case Kind::collective_end:
        return collective(r, at);
      default:
        return;
    }
  }

  // After the last record.
  void finish() {
    while (next_ <= timeline_.tracks.size()) open_next();
    if (archive_ == nullptr) return;
    keep(OTF2_Archive_CloseEvtFiles(archive_));
    // Readers expect a file of definitions for each location, even an empty one.
    keep(OTF2_Archive_OpenDefFiles(archive_));
    for (OTF2_LocationRef l = 0; l < timeline_.tracks.size() && !failed(); ++l)
      keep(OTF2_Archive_CloseDefWriter(archive_, OTF2_Archive_GetDefWriter(archive_, l)));
    keep(OTF2_Archive_CloseDefFiles(archive_));
    if (!failed()) definitions();
    close();
  }

 private:
  void keep(OTF2_ErrorCode code) {
    if (code_ == OTF2_SUCCESS) code_ = code;
  }
  void close() {
    if (archive_ != nullptr) keep(OTF2_Archive_Close(std::exchange(archive_, nullptr)));
  }
  void add_track(const Track& t) {
    if (first_tracks_.empty() || timeline_.tracks[first_tracks_.back()].rank != t.rank) {
      task_of_rank_.emplace(t.rank, static_cast<std::uint32_t>(first_tracks_.size()));
      first_tracks_.push_back(static_cast<std::uint32_t>(tasks_.size()));
    }
    tasks_.push_back(static_cast<std::uint32_t>(first_tracks_.size() - 1));
  }
  // Messages name ranks of their communicator.
  void index_communicators() {
    positions_.resize(timeline_.communicators.size());
    for (std::size_t c = 0; c < positions_.size(); ++c)
      for (const auto rank : timeline_.communicators[c].members)
        positions_[c].emplace(rank, static_cast<std::uint32_t>(positions_[c].size()));
  }
  // Those without members are only named by messages: they are told as of all ranks.
  OTF2_CommRef communicator(std::uint32_t c) const {
    return c < positions_.size() && !positions_[c].empty() ? c : 0;
  }
  std::uint32_t position(std::uint32_t c, std::uint32_t track) const {
    const auto& of = positions_[communicator(c)];
    const auto found = of.find(timeline_.tracks[track].rank);
    return found == of.end() ? OTF2_UNDEFINED_UINT32 : found->second;
  }
  OTF2_RegionRef region(State s) { return region(timeline_.calls.size() + static_cast<std::size_t>(s)); }
  // Of a call, or of what follows the calls. Numbers are those of first use: otf2-print warns of gaps.
  OTF2_RegionRef region(std::size_t index) {
    auto& self = regions_[index];
    if (self == OTF2_UNDEFINED_REGION) {
      self = static_cast<OTF2_RegionRef>(used_.size());
      used_.push_back(index);
    }
    return self;
  }
  OTF2_ParameterRef parameter(std::uint32_t type) {
    return parameters_.emplace(type, static_cast<OTF2_ParameterRef>(parameters_.size())).first->second;
  }
  void receive(const Record& r) {
    if (r.flags != 0) return;  // sent by no call
    keep(OTF2_EvtWriter_MpiRecv(writer_, nullptr, static_cast<OTF2_TimeStamp>(std::max(r.until, last_)),
                                position(r.name, r.track), communicator(r.name),
                                static_cast<std::uint32_t>(r.tag), static_cast<std::uint64_t>(r.value)));
  }
  void collective(const Record& r, OTF2_TimeStamp at) {
    const auto& args = timeline_.collectives[r.name];
    const auto operation = operation_of(args.kind);
    if (!operation) return;
    const auto root =
        has_root(args.kind) && args.is_root ? position(args.communicator, r.track) : OTF2_UNDEFINED_UINT32;
    keep(OTF2_EvtWriter_MpiCollectiveEnd(writer_, nullptr, at, *operation, communicator(args.communicator),
                                         root, args.send_bytes, args.recv_bytes));
  }
  void open_next() {
    if (writer_ != nullptr) {
      keep(OTF2_EvtWriter_GetNumberOfEvents(writer_, &events_of_[next_ - 1]));
      keep(OTF2_Archive_CloseEvtWriter(archive_, std::exchange(writer_, nullptr)));
    }
    if (next_ < timeline_.tracks.size() && archive_ != nullptr) {
      writer_ = OTF2_Archive_GetEvtWriter(archive_, next_);
      if (writer_ == nullptr) keep(OTF2_ERROR_FILE_CAN_NOT_OPEN);
    }
    ++next_;
    last_ = writing_.begin;
  }

  void definitions() {
    global_ = OTF2_Archive_GetGlobalDefWriter(archive_);
    if (global_ == nullptr) return keep(OTF2_ERROR_FILE_CAN_NOT_OPEN);
    constexpr std::uint64_t kPicoseconds = 1'000'000'000'000;
    keep(OTF2_GlobalDefWriter_WriteClockProperties(
        global_, kPicoseconds, static_cast<std::uint64_t>(writing_.begin),
        static_cast<std::uint64_t>(writing_.end - writing_.begin), OTF2_UNDEFINED_TIMESTAMP));
    empty_ = text("");
    const auto calls = timeline_.calls.size();
    for (OTF2_RegionRef self = 0; self < used_.size(); ++self) {
      if (const auto index = used_[self]; index < calls)
        define(self, timeline_.calls[index], OTF2_PARADIGM_MPI);
      else
        define(self, std::string(kStateNames[index - calls]), OTF2_PARADIGM_USER);
    }
    for (const auto& [type, self] : parameters_)
      keep(OTF2_GlobalDefWriter_WriteParameter(global_, self, text(fmt::format("user event {}", type)),
                                               OTF2_PARAMETER_TYPE_INT64));
    places();
    groups();
  }
  OTF2_StringRef text(const std::string& s) {
    keep(OTF2_GlobalDefWriter_WriteString(global_, strings_, s.c_str()));
    return strings_++;
  }
  void define(OTF2_RegionRef self, const std::string& name, OTF2_Paradigm paradigm) {
    const auto n = text(name);
    keep(OTF2_GlobalDefWriter_WriteRegion(global_, self, n, n, empty_, OTF2_REGION_ROLE_FUNCTION, paradigm,
                                          OTF2_REGION_FLAG_NONE, empty_, 0, 0));
  }
  void places() {
    const auto machine = text("machine"), node = text("node");
    keep(OTF2_GlobalDefWriter_WriteSystemTreeNode(global_, 0, text(timeline_.title), machine,
                                                  OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (std::uint32_t n = 0; n < timeline_.nodes.size(); ++n)
      keep(OTF2_GlobalDefWriter_WriteSystemTreeNode(
          global_, n + 1, text(fmt::format("node {}", timeline_.nodes[n].number)), node, 0));
    for (std::uint32_t task = 0; task < first_tracks_.size(); ++task) {
      const auto& t = timeline_.tracks[first_tracks_[task]];
      keep(OTF2_GlobalDefWriter_WriteLocationGroup(global_, task, text(timeline_.name_of(t)),
                                                   OTF2_LOCATION_GROUP_TYPE_PROCESS, t.node + 1,
                                                   OTF2_UNDEFINED_LOCATION_GROUP));
    }
    for (std::uint32_t i = 0; i < timeline_.tracks.size(); ++i)
      keep(OTF2_GlobalDefWriter_WriteLocation(global_, i, text(timeline_.name_of(timeline_.tracks[i])),
                                              OTF2_LOCATION_TYPE_CPU_THREAD, events_of_[i], tasks_[i]));
  }
  // The locations of ranks, then the groups, whose members are indices into those.
  void groups() {
    std::vector<std::uint64_t> members(first_tracks_.begin(), first_tracks_.end());
    keep(OTF2_GlobalDefWriter_WriteGroup(global_, 0, empty_, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                         OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                         static_cast<std::uint32_t>(members.size()), members.data()));
    for (std::uint32_t c = 0; c < timeline_.communicators.size(); ++c) {
      members.clear();
      for (const auto rank : timeline_.communicators[c].members) members.push_back(task_of_rank_.at(rank));
      if (members.empty()) continue;
      keep(OTF2_GlobalDefWriter_WriteGroup(global_, c + 1, empty_, OTF2_GROUP_TYPE_COMM_GROUP,
                                           OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                           static_cast<std::uint32_t>(members.size()), members.data()));
      const auto name = c == 0 ? std::string("MPI_COMM_WORLD") : fmt::format("communicator {}", c);
      keep(OTF2_GlobalDefWriter_WriteComm(global_, c, text(name), c + 1, OTF2_UNDEFINED_COMM,
                                          OTF2_COMM_FLAG_NONE));
    }
  }

  const Timeline& timeline_;
  const Writing& writing_;
  OTF2_ErrorCallback before_ = nullptr;
  OTF2_Archive* archive_ = nullptr;
  OTF2_EvtWriter* writer_ = nullptr;
  OTF2_GlobalDefWriter* global_ = nullptr;
  OTF2_ErrorCode code_ = OTF2_SUCCESS;
  OTF2_StringRef strings_ = 0, empty_ = 0;
  std::uint32_t next_ = 0;                   // track to be opened
  std::int64_t last_ = 0;                    // of the track that is open
  std::vector<std::uint64_t> events_of_;     // by track
  std::vector<OTF2_RegionRef> regions_;      // by call, then by state
  std::vector<std::size_t> used_;            // the other way round
  std::vector<std::uint32_t> first_tracks_;  // by task, that is: a rank that has tracks
  std::vector<std::uint32_t> tasks_;         // by track
  std::map<std::uint32_t, std::uint32_t> task_of_rank_;
  std::vector<std::map<std::uint32_t, std::uint32_t>> positions_;  // by communicator, of ranks
  std::map<std::uint32_t, OTF2_ParameterRef> parameters_;          // by type of user event
};

/// Puts what was written where it belongs, the file that names the rest last. What an earlier archive of that
/// name had goes; a folder that has anything else in it is left alone.
Expected<void> take_place(const fs::path& from, const std::string& path) {
  const auto stem = path.substr(0, path.rfind('.'));
  const auto name = fs::path(stem).filename();
  std::error_code code, none;
  if (fs::is_directory(stem, none)) {
    for (const auto& entry : fs::directory_iterator(stem, code)) {
      const auto suffix = entry.path().extension();
      if (suffix != ".evt" && suffix != ".def")
        return tl::unexpected(failure(stem, "this folder has files that are no part of an OTF2 archive"));
    }
    fs::remove_all(stem, code);
  }
  for (const auto* suffix : {"", ".def", ".otf2"}) {
    if (!code) fs::rename(from / (name.string() + suffix), stem + suffix, code);
    if (code) return tl::unexpected(failure(path, fmt::format("cannot be written: {}", code.message())));
  }
  return {};
}

}  // namespace

Expected<bool> write_otf2(const Writing& w) {
  const fs::path part = fmt::format("{}.part-{}", w.path, ::getpid());
  std::error_code code;
  fs::create_directory(part, code);
  if (code) return tl::unexpected(failure(w.path, fmt::format("cannot be written: {}", code.message())));
  struct Removed {
    const fs::path& folder;
    ~Removed() {
      std::error_code ignored;
      fs::remove_all(folder, ignored);
    }
  } const removed{part};

  const auto name = fs::path(w.path).stem().string();
  Expected<bool> complete = true;
  std::string error;
  {
    Archive archive(w, part, name);
    complete = for_each(w, [&](const Record& r) {
      if (!archive.failed()) archive.write(r);
      return !archive.failed();
    });
    if (complete && *complete) archive.finish();
    if (archive.failed()) error = archive.what();
  }
  if (!complete || !*complete) return complete;
  if (!error.empty()) return tl::unexpected(failure(w.path, fmt::format("cannot be written: {}", error)));
  if (auto done = take_place(part, w.path); !done) return tl::unexpected(std::move(done.error()));
  return true;
}

}  // namespace busline::timeline
#endif
