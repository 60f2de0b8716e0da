#include "tests/fuzz/workloads.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tests/damage/damaged_job.hpp"
#include "tests/fuzz/fault_in_program.hpp"
#include "tests/fuzz/faults.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "workloads/dim/read_dim.hpp"
#include "workloads/dumpi/format/meta_file.hpp"
#include "workloads/files/unpack.hpp"
#include "workloads/paraver/read_paraver.hpp"
#include "workloads/program/program_file.hpp"
#include "workloads/program/test_seal.hpp"
#include "workloads/ti/read_ti.hpp"

namespace busline::fuzz {
namespace {

std::string fault_in_read_program(const Expected<Program>& program, std::string_view bytes) {
  return program ? fault_in_program(*program) : fault_in_error(program.error(), bytes);
}

// Where a Program file may lie.
struct Aligned {
  explicit Aligned(std::string_view bytes) : words((bytes.size() + 7) / 8), size(bytes.size()) {
    if (size > 0) std::memcpy(words.data(), bytes.data(), size);
  }
  std::string_view bytes() const {
    return {reinterpret_cast<const char*>(words.data()), size};  // NOLINT(*-reinterpret-cast)
  }
  std::vector<std::uint64_t> words;
  std::size_t size;
};

std::string fault_in_whole_program_file(std::string_view bytes) {
  const auto owner = std::make_shared<const Aligned>(bytes);
  auto file = read_program(owner->bytes(), owner, kInput);
  return fault_in_read_program(std::move(file).map([](ProgramFile&& f) { return std::move(f.program); }),
                               bytes);
}

}  // namespace

std::string fault_in_dim_file(std::string_view text) {
  Diagnostics told;
  const auto program = read_dim_text(text, kInput, told);
  if (auto fault = fault_in_diagnostics(told); !fault.empty()) return fault;
  return fault_in_read_program(program, text);
}

std::string fault_in_paraver_file(std::string_view text) {
  constexpr std::string_view kSeparator = "\n#\n";
  const auto end = text.find(kSeparator);
  const auto prv = text.substr(0, end == text.npos ? end : end + 1);
  const auto names = end == text.npos ? std::string_view() : text.substr(end + kSeparator.size());
  for (const bool salvage : {false, true}) {
    ParaverOptions options;
    options.salvage = salvage;
    Diagnostics told;
    auto trace = read_paraver_texts({prv, names, names}, kInput, options, told);
    if (auto fault = fault_in_diagnostics(told); !fault.empty()) return fault;
    const auto program = std::move(trace).map([](ParaverTrace&& t) { return std::move(t.program); });
    if (auto fault = fault_in_read_program(program, text); !fault.empty()) return fault;
  }
  return {};
}

std::string fault_in_ti_file(std::string_view text) {
  static MemoryFile file;
  file.write(text);
  return fault_in_read_program(read_ti({file.path()}), text);
}

std::string fault_in_program_bytes(std::string_view bytes) {
  if (auto fault = fault_in_whole_program_file(bytes); !fault.empty()) return fault;
  if (bytes.size() < sizeof(program_file::Front)) return {};
  std::string sealed(bytes);
  program_file::seal(sealed);
  return fault_in_whole_program_file(sealed);
}

std::string fault_in_packed_file(std::string_view bytes) {
  if (compression_of(bytes) == nullptr) return {};
  const auto unpacked = unpack(kInput, bytes, std::size_t{1} << 20U);
  if (!unpacked) return fault_in_error(unpacked.error(), bytes);
  if (unpacked->bytes().size() > most_unpacked(bytes.size())) return "more is unpacked than is allowed";
  return {};
}

std::string fault_in_dumpi_job(std::string_view bytes) {
  // The last byte of the CPU clock's bias. So that files of traces can be seeds.
  constexpr std::size_t kChoice = 11;
  const unsigned choice = bytes.size() > kChoice ? static_cast<unsigned char>(bytes[kChoice]) : 0U;
  const std::uint32_t ranks = 1 + (choice & 7U), rank = (choice >> 3U & 7U) % ranks;
  std::vector<std::optional<std::string>> files(ranks);
  if ((choice & 64U) != 0) files.assign(ranks, std::string(bytes));
  return DamagedJob(std::move(files)).read(rank, bytes).fault;
}

std::string fault_in_dumpi_meta(std::string_view text) {
  static MemoryFile file;
  return fault_in_round_trip(
      text,
      [](const std::string& t) {
        file.write(t);
        return dumpi::read_meta_file(file.path());
      },
      [](const dumpi::MetaFile& meta) { return dumpi::to_text(meta); });
}

}  // namespace busline::fuzz
