#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "workloads/program/checksum.hpp"
#include "workloads/program/layout.hpp"
#include "workloads/program/program_file.hpp"

namespace busline {
namespace program_file {
namespace {

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  static_assert(std::has_unique_object_representations_v<T>, "padding would be written");
  const auto bytes = std::as_bytes(values);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void append(std::string& to, std::uint32_t number) {
  to.append(bytes_of(std::span<const std::uint32_t>(&number, 1)));
}

// Their number, the length of each, then all of them one after the other.
template <class Texts>
std::string text_list(const Texts& texts) {
  std::string bytes;
  append(bytes, static_cast<std::uint32_t>(texts.size()));
  for (const auto& t : texts) append(bytes, static_cast<std::uint32_t>(t.size()));
  for (const auto& t : texts) bytes += t;
  return bytes;
}

std::string origin_section(const Origin& origin) {
  std::vector<std::string_view> texts;
  for (const auto& line : origin) {
    texts.push_back(line.key);
    texts.push_back(line.value);
  }
  return text_list(texts);
}

std::string strands_section(const Program& p) {
  std::vector<StrandRecord> records;
  records.reserve(p.strands().size());
  for (const auto& s : p.strands()) records.push_back({s.rank, 0, s.begin, s.end});
  return std::string(bytes_of(std::span<const StrandRecord>(records)));
}

std::string collectives_section(const Program& p) {
  std::vector<CollectiveRecord> records;
  records.reserve(p.collectives().size());
  for (const auto& a : p.collectives())
    records.push_back({static_cast<std::uint8_t>(a.kind), static_cast<std::uint8_t>(a.sync),
                       static_cast<std::uint8_t>(a.is_root), 0, a.communicator, a.root, a.block_list,
                       a.send_bytes, a.recv_bytes});
  return std::string(bytes_of(std::span<const CollectiveRecord>(records)));
}

std::string block_lists_section(const Program& p) {
  const auto& lists = p.block_lists();
  const std::uint64_t number = lists.size();
  std::string bytes(bytes_of(std::span<const std::uint64_t>(&number, 1)));
  bytes += bytes_of(lists.ends);
  bytes += bytes_of(lists.bytes);
  return bytes;
}

std::string communicators_section(const Program& p) {
  std::string bytes;
  append(bytes, static_cast<std::uint32_t>(p.communicators().size()));
  for (const auto& c : p.communicators()) append(bytes, static_cast<std::uint32_t>(c.members.size()));
  for (const auto& c : p.communicators()) bytes += bytes_of(std::span<const std::uint32_t>(c.members));
  return bytes;
}

std::string labels_section(const Program& p) {
  std::vector<LabelRecord> records;
  records.reserve(p.event_labels().size());
  for (const auto& l : p.event_labels())
    records.push_back({l.type, static_cast<std::uint32_t>(l.text.size()), l.value});
  std::string bytes;
  append(bytes, static_cast<std::uint32_t>(records.size()));
  append(bytes, 0);  // so that the records are aligned
  bytes += bytes_of(std::span<const LabelRecord>(records));
  for (const auto& l : p.event_labels()) bytes += l.text;
  return bytes;
}

// Passes bytes on in pieces and reports progress between them. Does nothing once stopped.
class Output {
 public:
  Output(ByteSink& sink, std::uint64_t all, const std::function<bool(double)>& progress)
      : sink_(sink), all_(all), progress_(progress) {}

  void put(std::string_view bytes) {
    constexpr std::size_t kPiece = 1U << 22;
    while (!bytes.empty() && going_on_ && *going_on_) {
      const auto piece = bytes.substr(0, kPiece);
      bytes.remove_prefix(piece.size());
      done_ += piece.size();
      if (auto written = sink_.write(piece); !written)
        going_on_ = tl::unexpected(std::move(written.error()));
      else if (progress_ && !progress_(static_cast<double>(done_) / static_cast<double>(all_)))
        going_on_ = false;
    }
  }
  /// Zeros up to the next section.
  void pad() {
    constexpr std::array<char, kAlignment> kZeros{};
    put({kZeros.data(), static_cast<std::size_t>(aligned(done_) - done_)});
  }
  Expected<bool> result() && { return std::move(going_on_); }

 private:
  ByteSink& sink_;
  std::uint64_t all_, done_ = 0;
  const std::function<bool(double)>& progress_;
  Expected<bool> going_on_ = true;
};

std::string_view bytes_of(const Front& front) {
  return bytes_of(std::span<const Front>(&front, 1)).substr(0, front_size(front.header.version));
}

Front front_of(const Program& program, std::span<const std::string_view> sections) {
  Front front;
  auto& h = front.header;
  h.version = sections.size() == kSections ? kVersion : kFirstVersion;
  h.sections = static_cast<std::uint32_t>(sections.size());
  std::copy(kMagic.begin(), kMagic.end(), h.magic.begin());
  if (const auto t = program.traced_run_time()) h.traced_run_time = t->count();
  std::uint64_t at = aligned(front_size(h.version));
  for (std::size_t i = 0; i < sections.size(); ++i) {
    front.sections[i] = {static_cast<Section>(i), 0, at, sections[i].size(), xxh64(sections[i])};
    at = aligned(at + sections[i].size());
  }
  h.file_bytes = at;
  h.checksum = xxh64(bytes_of(front));
  return front;
}

}  // namespace
}  // namespace program_file

Expected<bool> write_program(const Program& program, const Origin& origin, ByteSink& sink,
                             const std::function<bool(double)>& progress) {
  using namespace program_file;
  if constexpr (!kSameByteOrder) return tl::unexpected(wrong_byte_order({}));
  // Only small tables are copied.
  const auto origins = origin_section(origin), strands = strands_section(program),
             collectives = collectives_section(program), communicators = communicators_section(program),
             names = text_list(program.call_names()), labels = labels_section(program),
             lists = block_lists_section(program);
  const std::array<std::string_view, kSections> all{origins,
                                                    strands,
                                                    bytes_of(program.operations()),
                                                    bytes_of(program.channels()),
                                                    bytes_of(program.wildcards()),
                                                    collectives,
                                                    bytes_of(program.request_slots()),
                                                    communicators,
                                                    names,
                                                    labels,
                                                    lists};
  // Without lists an older version can read it.
  const auto sections =
      std::span(all).first(sections_of(program.block_lists().size() == 0 ? kFirstVersion : kVersion));
  const Front front = front_of(program, sections);
  Output out(sink, front.header.file_bytes, progress);
  out.put(bytes_of(front));
  for (const auto section : sections) {
    out.pad();
    out.put(section);
  }
  out.pad();
  return std::move(out).result();
}

}  // namespace busline
