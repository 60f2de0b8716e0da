#include "measuring/sion/container_writer.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "measuring/sion/container.hpp"
#include "measuring/sion/layout.hpp"
#include "sim/base/assert.hpp"
#include "workloads/files/output_file.hpp"

namespace busline::sion {
namespace {

// As a file of SIONlib 1.7.6 names it.
constexpr std::int32_t kLibraryVersion = 1007, kLibraryPatch = 6;
constexpr std::size_t kBufferBytes = 1U << 20;

// Collects small pieces; an Error of the file is kept, and what follows it is dropped.
class Buffer {
 public:
  Buffer(OutputFile& file, ByteOrder order) : file_(file), order_(order) {}

  void bytes(std::string_view bytes) {
    buffer_.append(bytes);
    if (buffer_.size() >= kBufferBytes) flush();
  }
  void zeros(std::uint64_t n) {
    for (; n > 0 && !error_; flush()) {
      const auto some = static_cast<std::size_t>(std::min<std::uint64_t>(n, kBufferBytes));
      buffer_.append(some, '\0');
      n -= some;
      if (buffer_.size() < kBufferBytes) return;
    }
  }
  void zeros_until(std::uint64_t position) {
    SIM_ASSERT(position >= this->position());
    zeros(position - this->position());
  }
  template <class Int>
  void number(Int value) {
    char text[sizeof value];
    store(text, value, order_);
    bytes({text, sizeof value});
  }
  std::uint64_t position() const { return flushed_ + buffer_.size(); }
  Expected<void> finish() {
    flush();
    if (error_) return tl::unexpected(std::move(*error_));
    return {};
  }

 private:
  void flush() {
    if (!error_)
      if (auto written = file_.write(buffer_); !written) error_ = std::move(written.error());
    flushed_ += buffer_.size();
    buffer_.clear();
  }

  OutputFile& file_;
  ByteOrder order_;
  std::string buffer_;
  std::uint64_t flushed_ = 0;
  std::optional<Error> error_;
};

// The ranks `first` to `first` + `ranks` - 1 in one file.
class FileWriter {
 public:
  FileWriter(const Streams& streams, const WriteOptions& options, std::uint32_t number, std::uint32_t first,
             std::uint32_t ranks)
      : streams_(streams), options_(options), number_(number), first_(first), ranks_(ranks), chunks_(ranks) {
    lay_out();
  }

  Expected<void> write(OutputFile& file, std::string_view name) const {
    Buffer out(file, options_.metadata_order);
    first_metablock(out, name);
    data(out);
    second_metablock(out);
    if (number_ == 0 && options_.files > 1) mapping(out);
    return out.finish();
  }

 private:
  std::uint64_t length(std::uint32_t local) const { return streams_.bytes[first_ + local]; }
  // An empty stream has a block, too.
  std::uint64_t blocks(std::uint32_t local) const {
    return std::max<std::uint64_t>(1, (length(local) + chunks_[local] - 1) / chunks_[local]);
  }
  std::uint64_t in_block(std::uint32_t local, std::uint64_t block) const {
    const auto before = std::min(length(local), block * chunks_[local]);
    return std::min(length(local) - before, chunks_[local]);
  }

  void lay_out() {
    const std::uint64_t block = options_.file_system_block;
    data_begin_ = rounded_up(first_metablock_bytes(ranks_), block);
    for (std::uint32_t local = 0; local < ranks_; ++local) {
      const auto wished = options_.chunk_bytes == 0 ? length(local) : options_.chunk_bytes;
      chunks_[local] = std::max<std::uint64_t>(1, wished);
      if (options_.aligned) chunks_[local] = rounded_up(chunks_[local], block);
      stride_ += chunks_[local];
    }
    // SIONlib fills up the last chunk of ranks that are packed, so that each block begins at a boundary.
    chunks_.back() += rounded_up(stride_, block) - stride_;
    stride_ = rounded_up(stride_, block);
    for (std::uint32_t local = 0; local < ranks_; ++local) blocks_ = std::max(blocks_, blocks(local));
    SIM_ASSERT(blocks_ <= std::numeric_limits<std::int32_t>::max());
  }

  void first_metablock(Buffer& out, std::string_view name) const {
    out.bytes(kMagic);
    const char metadata = options_.metadata_order == ByteOrder::big,
               data = options_.data_order == ByteOrder::big;
    const char order[] = {metadata, data, data, metadata};
    out.bytes({order, sizeof order});
    for (const auto value :
         {kLibraryVersion, kLibraryPatch, kFormat, static_cast<std::int32_t>(options_.file_system_block),
          static_cast<std::int32_t>(ranks_), static_cast<std::int32_t>(options_.files),
          static_cast<std::int32_t>(number_)})
      out.number(value);
    out.number(kNoKeyValues << 32);
    out.number(std::int64_t{0});
    out.bytes(name.substr(0, kNameBytes - 1));
    out.zeros_until(kGlobalRanksAt);
    for (std::uint32_t local = 0; local < ranks_; ++local) out.number(std::int64_t{first_ + local});
    for (const auto chunk : chunks_) out.number(chunk);
    out.number(static_cast<std::int32_t>(blocks_));
    out.number(data_begin_ + blocks_ * stride_);
    out.zeros_until(data_begin_);
  }

  void data(Buffer& out) const {
    for (std::uint64_t block = 0; block < blocks_; ++block)
      for (std::uint32_t local = 0; local < ranks_; ++local) {
        const auto n = in_block(local, block);
        if (n > 0) {
          const auto stream = streams_.content(first_ + local);
          SIM_ASSERT(stream.size() == length(local));
          out.bytes(std::string_view(stream).substr(block * chunks_[local], n));
        }
        out.zeros(chunks_[local] - n);
      }
  }

  void second_metablock(Buffer& out) const {
    for (std::uint32_t local = 0; local < ranks_; ++local) out.number(blocks(local));
    for (std::uint64_t block = 0; block < blocks_; ++block)
      for (std::uint32_t local = 0; local < ranks_; ++local) out.number(in_block(local, block));
  }

  void mapping(Buffer& out) const;

  const Streams& streams_;
  const WriteOptions& options_;
  std::uint32_t number_, first_, ranks_;
  std::vector<std::uint64_t> chunks_;
  std::uint64_t data_begin_ = 0, stride_ = 0, blocks_ = 0;
};

// The first of the ranks in file `number`. All files get equally many, or one more.
std::uint32_t first_rank(std::uint64_t ranks, const WriteOptions& options, std::uint64_t number) {
  return static_cast<std::uint32_t>(ranks * number / options.files);
}

void FileWriter::mapping(Buffer& out) const {
  const auto ranks = streams_.bytes.size();
  out.number(static_cast<std::int32_t>(ranks));
  for (std::uint32_t file = 0; file < options_.files; ++file) {
    const auto n = first_rank(ranks, options_, file + 1) - first_rank(ranks, options_, file);
    for (std::uint32_t local = 0; local < n; ++local) {
      out.number(static_cast<std::int32_t>(file));
      out.number(static_cast<std::int32_t>(local));
    }
  }
}

}  // namespace

Expected<void> write_container(const std::string& path, const Streams& streams, const WriteOptions& options) {
  const auto ranks = streams.bytes.size();
  SIM_ASSERT(ranks > 0 && ranks <= std::numeric_limits<std::int32_t>::max());
  SIM_ASSERT(options.files > 0 && options.files <= ranks);
  SIM_ASSERT(options.file_system_block > 0 && options.file_system_block <= 1U << 30);
  const std::string_view name = std::string_view(path).substr(path.find_last_of('/') + 1);
  std::vector<OutputFile> files;
  for (std::uint32_t k = 0; k < options.files; ++k) {
    auto file = OutputFile::create(file_name(path, k));
    if (!file) return tl::unexpected(std::move(file.error()));
    const auto first = first_rank(ranks, options, k);
    const FileWriter writer(streams, options, k, first, first_rank(ranks, options, k + 1) - first);
    if (auto written = writer.write(*file, name); !written) return written;
    files.push_back(std::move(*file));
  }
  for (auto file = files.rbegin(); file != files.rend(); ++file)
    if (auto complete = file->commit(); !complete) return complete;
  return {};
}

}  // namespace busline::sion
