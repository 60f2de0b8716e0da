#include "workloads/dumpi/format/trace_writer.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "workloads/dumpi/format/call_reader.hpp"

namespace busline::dumpi {
namespace {

template <class Int>
void put_numbers(ByteBuffer& to, const IntegerView<Int>& list) {
  to.put(static_cast<std::uint32_t>(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) to.put(list[i]);
}

template <class Element>
std::vector<typename Element::Value> copy_of(const Sequence<Element>& list) {
  std::vector<typename Element::Value> all;
  all.reserve(list.size());
  for (const auto& element : list) all.push_back(element);
  return all;
}

}  // namespace

TraceParts parts_of(const TraceFile& file) {
  TraceParts parts;
  parts.header = file.header();
  for (std::size_t i = 0; i < file.called().size(); ++i) {
    parts.counts.called[i] = file.called()[i];
    parts.counts.ignored[i] = file.ignored()[i];
  }
  parts.key_values = copy_of(file.key_values());
  parts.counter_labels = copy_of(file.counter_labels());
  parts.type_sizes.reserve(file.type_sizes().size());
  for (std::size_t i = 0; i < file.type_sizes().size(); ++i) parts.type_sizes.push_back(file.type_sizes()[i]);
  parts.labels = copy_of(file.labels());
  return parts;
}

FileForm form_of(const TraceFile& file, const RecordReader& records) {
  const auto& index = file.index();
  FileForm form;
  form.first_indexed = index.first;
  form.key_values_indexed = file.key_values_indexed();
  form.has_mesh_size = file.header().has_mesh_size;
  form.order.clear();
  for (std::size_t part = 0; part < kParts; ++part)
    if (part != kBody && index.at[part] != 0) form.order.push_back(static_cast<Part>(part));
  std::stable_sort(form.order.begin(), form.order.end(),
                   [&](Part a, Part b) { return index.at[a] < index.at[b]; });
  if (!records.at_end_mark()) form.zeros_at_end = file.records_end() - records.position();
  return form;
}

TraceWriter::TraceWriter(ByteSink& sink, std::int32_t cpu_bias, std::int32_t wall_bias, Version version,
                         std::size_t buffer)
    : sink_(sink), record_(buffer_, version), annotated_record_(annotated_, version), limit_(buffer) {
  buffer_.put_bytes(kMagic);
  buffer_.put(cpu_bias);
  buffer_.put(wall_bias);
}

void TraceWriter::flush() {
  if (!error_)
    if (auto written = sink_.write(buffer_.bytes()); !written) error_ = std::move(written.error());
  written_ += buffer_.size();
  buffer_.clear();
}

void TraceWriter::end_annotated_record(std::uint16_t thread) {
  annotated_record_.end();
  const auto n = annotated_.size();
  while (annotated_.size() % kBytesOfPart != 0) annotated_.put(std::uint8_t{0});
  const auto put = [&](std::uint64_t part) {
    record_.begin(
        {.function = function_id("Function_exit"), .thread = thread, .mask = RecordPrefix::has_thread});
    record_.number(static_cast<std::int64_t>(part));
    end_record();
  };
  put(kAnnotatedMark | kAnnotatedLayout << 32U | n);
  for (const auto* at = annotated_.bytes().data(); at != annotated_.bytes().data() + annotated_.size();
       at += kBytesOfPart)
    put(load_big_endian<std::uint64_t>(at));
  annotated_.clear();
}

void TraceWriter::copy(const Record& record) {
  record_.begin(record);
  for (std::size_t i = 0; i < kLayouts[record.function].arguments; ++i) record_.value(value_of(record, i));
  end_record();
}

void TraceWriter::put_header(const Header& header, bool has_mesh_size) {
  for (const int number : {header.version.major, header.version.minor, header.version.patch})
    buffer_.put(static_cast<std::uint8_t>(number));
  buffer_.put(header.start_time);
  buffer_.put_text<std::uint16_t>(header.host);
  buffer_.put_text<std::uint16_t>(header.user);
  put_numbers(buffer_, header.mesh_coordinates);
  if (has_mesh_size) put_numbers(buffer_, header.mesh_size);
}

void TraceWriter::put_footer(const CallCounts& counts) {
  buffer_.put(kFooterMagic);
  for (const auto n : counts.called) buffer_.put(n);
  for (const auto n : counts.ignored) buffer_.put(n);
}

void TraceWriter::put_part(Part part, const TraceParts& parts, const FileForm& form) {
  const auto put_length = [this](std::size_t n) { buffer_.put(static_cast<std::uint32_t>(n)); };
  switch (part) {
    case kHeader:
      return put_header(parts.header, form.has_mesh_size);
    case kFooter:
      return put_footer(parts.counts);
    case kKeyvals:
      put_length(parts.key_values.size());
      for (const auto& [key, value] : parts.key_values) {
        buffer_.put_text<std::uint16_t>(key);
        buffer_.put_text<std::uint16_t>(value);
      }
      return;
    case kCounterLabels:
      put_length(parts.counter_labels.size());
      for (const auto label : parts.counter_labels) buffer_.put_text<std::uint16_t>(label);
      return;
    case kSizes:
      put_length(parts.type_sizes.size());
      for (const auto size : parts.type_sizes) buffer_.put(size);
      return;
    case kLabels:
      put_length(parts.labels.size());
      for (const auto& [key, text] : parts.labels) {
        buffer_.put(key);
        buffer_.put_text<std::uint16_t>(text);
      }
      return;
    case kBody:
    case kParts:
      return;
  }
}

Expected<void> TraceWriter::finish(const TraceParts& parts, const FileForm& form) {
  if (form.zeros_at_end)
    buffer_.put_bytes(std::string(*form.zeros_at_end, '\0'));
  else
    buffer_.put(kEndOfStream);
  std::array<std::uint64_t, kParts> at{};
  at[kBody] = kBodyStart;
  for (const auto part : form.order) {
    at[part] = offset();
    put_part(part, parts, form);
  }
  if (!form.key_values_indexed) at[kKeyvals] = 0;
  buffer_.put_bytes(kMagic);
  for (std::size_t part = form.first_indexed; part < kParts; ++part) buffer_.put(at[part]);
  flush();
  if (error_) return tl::unexpected(*error_);
  return {};
}

}  // namespace busline::dumpi
