// An OTF2 archive, through its library: FILE.otf2, FILE.def, and a folder FILE with the events of each
// strand. Ticks are picoseconds. Source: the library's documentation (Open Trace Format 2, 3.0).
#ifdef BUSLINE_HAS_OTF2
#include <fmt/format.h>
#include <otf2/otf2.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "studies/timeline/format.hpp"
#include "studies/timeline/otf2_definitions.hpp"
#include "studies/timeline/otf2_errors.hpp"
#include "studies/timeline/otf2_numbers.hpp"

namespace busline::timeline {
namespace {

namespace fs = std::filesystem;

Error failure(const std::string& path, std::string what) {
  return file_error(Error::Kind::unreadable, path, std::move(what));
}

OTF2_FlushType flush_always(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
  return OTF2_FLUSH;
}

// An archive that is being written, in a folder of its own.
class Archive {
 public:
  Archive(const Writing& w, const fs::path& folder, const std::string& name)
      : timeline_(w.timeline), writing_(w), numbers_(w.timeline), events_of_(w.timeline.tracks.size()) {
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
  }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;
  ~Archive() { close(); }

  bool failed() const { return errors_.any(); }
  const char* what() const { return errors_.what(); }

  // Tracks come one after the other, so that one file at a time is open and in memory.
  void write(const Record& r) {
    const auto track = r.kind == Kind::message ? r.peer : r.track;
    while (next_ <= track) open_next();
    const auto at = static_cast<OTF2_TimeStamp>(std::max(r.at, last_));
    const auto request = std::exchange(request_, std::nullopt);
    switch (r.kind) {
      case Kind::state:
        if (r.state == State::ended) return;
        keep(OTF2_EvtWriter_Enter(writer_, nullptr, at, numbers_.region(r.state)));
        last_ = r.until;
        return keep(OTF2_EvtWriter_Leave(writer_, nullptr, static_cast<OTF2_TimeStamp>(r.until),
                                         numbers_.region(r.state)));
      case Kind::enter:
        last_ = r.at;
        return keep(OTF2_EvtWriter_Enter(writer_, nullptr, at, numbers_.region(r.name)));
      case Kind::leave:
        last_ = r.at;
        return keep(OTF2_EvtWriter_Leave(writer_, nullptr, at, numbers_.region(r.name)));
      case Kind::event:
        return keep(OTF2_EvtWriter_ParameterInt(writer_, nullptr, at, numbers_.parameter(r.name), r.value));
      case Kind::send:
        return send(r, at, request);
      case Kind::message:
        return receive(r, request);
      case Kind::request:
        request_ = static_cast<std::uint64_t>(r.value);
        return;
      case Kind::posted:
        receives_.insert(static_cast<std::uint64_t>(r.value));
        return keep(
            OTF2_EvtWriter_MpiIrecvRequest(writer_, nullptr, at, static_cast<std::uint64_t>(r.value)));
      case Kind::send_complete:  // a put and a get are waited for, too
        if (sends_.erase(static_cast<std::uint64_t>(r.value)) > 0)
          keep(OTF2_EvtWriter_MpiIsendComplete(writer_, nullptr, at, static_cast<std::uint64_t>(r.value)));
        return;
      case Kind::collective_begin:
        if (otf2_operation(timeline_.collectives[r.name].kind))
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
  void keep(OTF2_ErrorCode code) { errors_.keep(code); }
  void close() {
    if (archive_ != nullptr) keep(OTF2_Archive_Close(std::exchange(archive_, nullptr)));
  }
  void send(const Record& r, OTF2_TimeStamp at, std::optional<std::uint64_t> request) {
    const auto peer = numbers_.position(r.name, r.peer), communicator = numbers_.communicator(r.name);
    const auto tag = static_cast<std::uint32_t>(r.tag);
    const auto bytes = static_cast<std::uint64_t>(r.value);
    if (!request) return keep(OTF2_EvtWriter_MpiSend(writer_, nullptr, at, peer, communicator, tag, bytes));
    sends_.insert(*request);
    keep(OTF2_EvtWriter_MpiIsend(writer_, nullptr, at, peer, communicator, tag, bytes, *request));
  }
  void receive(const Record& r, std::optional<std::uint64_t> request) {
    if (r.flags != 0) return;  // sent by no call
    const auto at = static_cast<OTF2_TimeStamp>(std::max(r.until, last_));
    const auto peer = numbers_.position(r.name, r.track), communicator = numbers_.communicator(r.name);
    const auto tag = static_cast<std::uint32_t>(r.tag);
    const auto bytes = static_cast<std::uint64_t>(r.value);
    if (request && receives_.erase(*request) > 0)
      keep(OTF2_EvtWriter_MpiIrecv(writer_, nullptr, at, peer, communicator, tag, bytes, *request));
    else
      keep(OTF2_EvtWriter_MpiRecv(writer_, nullptr, at, peer, communicator, tag, bytes));
  }
  void collective(const Record& r, OTF2_TimeStamp at) {
    const auto& args = timeline_.collectives[r.name];
    const auto operation = otf2_operation(args.kind);
    if (!operation) return;
    const auto root = has_root(args.kind) && args.is_root ? numbers_.position(args.communicator, r.track)
                                                          : OTF2_UNDEFINED_UINT32;
    keep(OTF2_EvtWriter_MpiCollectiveEnd(writer_, nullptr, at, *operation,
                                         numbers_.communicator(args.communicator), root, args.send_bytes,
                                         args.recv_bytes));
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
    request_.reset();
    sends_.clear();
    receives_.clear();
  }

  void definitions() {
    auto* const to = OTF2_Archive_GetGlobalDefWriter(archive_);
    if (to == nullptr) return keep(OTF2_ERROR_FILE_CAN_NOT_OPEN);
    write_otf2_definitions(to, writing_, numbers_, events_of_, errors_);
  }

  Otf2Errors errors_;
  const Timeline& timeline_;
  const Writing& writing_;
  Otf2Numbers numbers_;
  OTF2_Archive* archive_ = nullptr;
  OTF2_EvtWriter* writer_ = nullptr;
  std::uint32_t next_ = 0;                    // track to be opened
  std::int64_t last_ = 0;                     // of the track that is open, like the next ones
  std::optional<std::uint64_t> request_;      // slot that the next send or message is of
  std::set<std::uint64_t> sends_, receives_;  // slots that are open
  std::vector<std::uint64_t> events_of_;      // by track
};

/// Moves the files into place, the file that names the others last. Removes an earlier archive of that name;
/// leaves a folder with other contents alone.
Expected<void> take_place(const fs::path& from, const std::string& path) {
  const auto stem = path.substr(0, path.rfind('.'));
  const auto name = fs::path(stem).filename();
  std::error_code code, none;
  if (fs::is_directory(stem, none)) {
    for (const auto& entry : fs::directory_iterator(stem, code)) {
      const auto suffix = entry.path().extension();
      if (suffix != ".evt" && suffix != ".def")
        return tl::unexpected(
            failure(stem, "this folder contains files that are not part of an OTF2 archive"));
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
