#include "tests/fuzz/workloads.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
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
#include "workloads/goal/read_goal.hpp"
#include "workloads/liballprof/read_liballprof.hpp"
#include "workloads/otf2/read_otf2.hpp"
#include "workloads/otf2/test_archive.hpp"
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

// Two ranks that do a little of everything.
std::map<std::string, std::string> small_archive() {
  using enum otf2::EventType;
  otf2::TestArchive a(2);
  const auto other = a.comm({1, 0}), window = a.window(0);
  for (const std::uint32_t r : {0U, 1U}) {
    auto& rank = a.rank(r);
    rank.map_ids(6, true, {7, other}).clock_offset(0, 5).clock_offset(1000, 9);
    rank.call(0, 10, "MPI_Init").call(10, 20, "solve").call(20, 21, "MPI_Irecv", mpi_irecv_request, {1});
    rank.call(22, 23, "MPI_Isend", mpi_isend, {r, 7, 3, 40, 2});
    rank.enter(24, "MPI_Waitall").event(25, mpi_irecv, {r, 7, 3, 40, 1}).event(25, mpi_isend_complete, {2});
    rank.leave(26, "MPI_Waitall");
    rank.enter(27, "MPI_Bcast").collective(28, 1, 0, 0, 16, 8).leave(29, "MPI_Bcast");
    rank.call(30, 31, "MPI_Comm_split").call(32, 33, "MPI_Put", rma_put, {window, 1 - r, 80, 1});
    rank.call(34, 35, "MPI_Win_flush", rma_op_complete_remote, {window, 1});
    rank.measurement(36, false).measurement(40, true);
    rank.enter(41, "MPI_Sendrecv")
        .event(41, mpi_send, {1 - r, 0, 1, 2})
        .event(42, mpi_recv, {1 - r, 0, 1, 2});
    rank.leave(43, "MPI_Sendrecv").call(44, 45, "MPI_Finalize");
  }
  return a.files();
}

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

std::string fault_in_goal(std::string_view bytes) {
  Diagnostics told;
  const auto program = read_goal_content(bytes, kInput, {}, told);
  if (auto fault = fault_in_diagnostics(told); !fault.empty()) return fault;
  return fault_in_read_program(program, bytes);
}

std::string fault_in_liballprof(std::string_view text) {
  static MemoryFile file;
  const bool two = text.starts_with('\x01');
  if (two) text.remove_prefix(1);
  file.write(text);
  Diagnostics told;
  const std::vector<std::string> files(two ? 2 : 1, file.path());
  const auto program = read_liballprof(files, {.library = LiballprofOptions::Library::mpich}, told);
  if (auto fault = fault_in_diagnostics(told); !fault.empty()) return fault;
  return fault_in_read_program(program, text);
}

std::string fault_in_otf2_archive(std::string_view bytes) {
  static const auto whole = small_archive();
  static constexpr std::array kNames{"t/0.evt", "t/1.evt", "t.def", "t/0.def", "t.otf2"};
  if (bytes.empty()) return {};
  const auto choice = static_cast<unsigned char>(bytes.front());
  const auto* const name = kNames[choice % kNames.size()];
  bytes.remove_prefix(1);
  auto files = whole;
  files[name] = bytes;
  Diagnostics told;
  const auto program = read_otf2(otf2::in_memory(std::move(files)), told);
  if (auto fault = fault_in_diagnostics(told); !fault.empty()) return fault;
  if (program) return fault_in_program(*program);
  auto error = program.error();
  if (error.path == name && error.offset) error.path = kInput;
  return fault_in_error(error, bytes);
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
