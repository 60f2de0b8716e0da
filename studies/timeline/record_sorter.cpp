#include "studies/timeline/record_sorter.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <queue>
#include <utility>

namespace busline::timeline {
namespace {

constexpr std::size_t kLeastRead = 64;  // records of a piece at a time

// Without a name from the start where the file system can do that.
int open_unnamed(const std::string& folder) {
  if (const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); file >= 0) return file;
  std::string name = folder + "/.timeline-XXXXXX";
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file >= 0) ::unlink(name.c_str());
  return file;
}

// All of `bytes`; an error number, or 0.
int write_all(int file, const char* from, std::size_t bytes) {
  while (bytes > 0) {
    const auto n = ::write(file, from, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    from += n;
    bytes -= static_cast<std::size_t>(n);
  }
  return 0;
}

int read_all(int file, char* to, std::size_t bytes, std::uint64_t offset) {
  while (bytes > 0) {
    const auto n = ::pread(file, to, bytes, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : EIO;
    to += n;
    bytes -= static_cast<std::size_t>(n);
    offset += static_cast<std::uint64_t>(n);
  }
  return 0;
}

}  // namespace

/// A sorted part of the file, read some records at a time.
class RecordSorter::Piece {
 public:
  Piece(int file, std::uint64_t begin, std::uint64_t end, std::size_t room)
      : file_(file), next_(begin), end_(end), room_(room) {}

  /// Null at the end, or with an error number.
  const Record* next() {
    if (at_ == buffer_.size()) {
      if (next_ == end_) return nullptr;
      buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(room_, end_ - next_)));
      // Records are plain bytes, and these are our own.
      error_ = read_all(file_, reinterpret_cast<char*>(buffer_.data()), buffer_.size() * sizeof(Record),
                        next_ * sizeof(Record));
      if (error_ != 0) return nullptr;
      next_ += buffer_.size();
      at_ = 0;
    }
    return &buffer_[at_++];
  }
  int error() const { return error_; }

 private:
  int file_;
  std::uint64_t next_, end_;
  std::size_t room_;
  std::vector<Record> buffer_;
  std::size_t at_ = 0;
  int error_ = 0;
};

RecordSorter::RecordSorter(Key key, std::string folder, std::size_t room)
    : key_(key), folder_(std::move(folder)), room_(room) {}

RecordSorter::~RecordSorter() {
  if (file_ >= 0) ::close(file_);
}

void RecordSorter::fail(const char* what, int code) {
  Error e;
  e.kind = Error::Kind::unreadable;
  e.path = folder_;
  e.message = fmt::format("the timeline's records {} here for sorting: {}", what, std::strerror(code));
  error_ = std::move(e);
  records_.clear();
}

void RecordSorter::add(const Record& record) {
  if (error_) return;
  records_.push_back(record);
  ++added_;
  if (records_.size() == room_) spill();
}

const std::vector<RecordSorter::Place>& RecordSorter::sort() {
  places_.clear();
  for (std::size_t i = 0; i < records_.size(); ++i) places_.push_back({key_(records_[i]), i});
  std::sort(places_.begin(), places_.end());
  return places_;
}

void RecordSorter::spill() {
  if (file_ < 0) {
    file_ = open_unnamed(folder_);
    if (file_ < 0) return fail("cannot be kept", errno);
  }
  constexpr std::size_t kTogether = 1024;
  std::vector<Record> ordered;
  ordered.reserve(kTogether);
  int code = 0;
  const auto flush = [&] {
    if (code == 0)
      code = write_all(file_, reinterpret_cast<const char*>(ordered.data()), ordered.size() * sizeof(Record));
    ordered.clear();
  };
  for (const auto& place : sort()) {
    ordered.push_back(records_[place.index]);
    if (ordered.size() == kTogether) flush();
  }
  flush();
  if (code != 0) return fail("cannot be kept", code);
  pieces_.push_back(spilled_);
  spilled_ += records_.size();
  records_.clear();
}

Expected<void> RecordSorter::for_each(const std::function<bool(const Record&)>& take) {
  if (!error_ && !pieces_.empty()) return merge(take);
  if (error_) return tl::unexpected(*error_);
  for (const auto& place : sort())
    if (!take(records_[place.index])) break;
  return {};
}

Expected<void> RecordSorter::merge(const std::function<bool(const Record&)>& take) {
  if (!records_.empty()) spill();
  if (error_) return tl::unexpected(*error_);
  records_ = {};
  places_ = {};
  std::vector<Piece> pieces;
  const auto room = std::max(kLeastRead, room_ / pieces_.size());
  for (std::size_t i = 0; i < pieces_.size(); ++i)
    pieces.emplace_back(file_, pieces_[i], i + 1 < pieces_.size() ? pieces_[i + 1] : spilled_, room);

  // The least key first; of equal ones that of the earlier piece, which was added before.
  struct Head {
    Place place;  // its index is the piece
    const Record* record;
    bool operator<(const Head& o) const { return o.place < place; }
  };
  std::priority_queue<Head> heads;
  const auto advance = [&](std::size_t piece) {
    if (const auto* record = pieces[piece].next()) heads.push({{key_(*record), piece}, record});
    return pieces[piece].error();
  };
  int code = 0;
  for (std::size_t i = 0; i < pieces.size() && code == 0; ++i) code = advance(i);
  while (!heads.empty() && code == 0) {
    const auto head = heads.top();
    if (!take(*head.record)) return {};
    heads.pop();
    code = advance(head.place.index);
  }
  if (code != 0) {
    fail("cannot be read", code);
    return tl::unexpected(*error_);
  }
  return {};
}

}  // namespace busline::timeline
