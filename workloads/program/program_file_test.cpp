#include "workloads/program/program_file.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>
#include <string>

#include "sim/program/program_builder.hpp"
#include "workloads/files/text_sink.hpp"
#include "workloads/program/layout.hpp"
#include "workloads/program/test_seal.hpp"

using namespace busline;
namespace fs = std::filesystem;
using program_file::Front;
using program_file::Section;

namespace {

std::string program_bytes(const Program& p, const Origin& origin = {}) {
  TextSink sink;
  const auto done = write_program(p, origin, sink);
  REQUIRE(done.has_value());
  CHECK(*done);
  return sink.text;
}

Expected<ProgramFile> program_in(const std::string& bytes) {
  const auto owner = std::make_shared<const std::string>(bytes);
  return read_program(*owner, owner, "x.program");
}

std::string problem(const std::string& bytes) {
  const auto read_back = program_in(bytes);
  return read_back ? "" : to_string(read_back.error());
}

// Each kind of operation and table once.
Program everything() {
  ProgramBuilder b(3);
  b.add_communicator({2, 0});
  b.add_communicator({});
  b.label_event(291, 1, "solve");
  b.label_event(291, -2, "");
  b.set_traced_run_time(Duration::picoseconds(123'456'789));
  b.begin_strand(0);
  b.compute(Duration::picoseconds(10));
  b.begin_call(b.call_name("MPI_Send"));
  b.send({.peer = 1, .tag = 4}, Bytes{8}, SendMode::synchronous);
  b.wait(b.isend({.peer = 1, .tag = 5}, Bytes{8}, SendMode::buffered));
  b.recv({.peer = 1, .tag = 4}, Bytes{8});
  b.wait(b.irecv({.peer = kAnySource, .tag = kAnyTag, .communicator = 1}, Bytes{8}));
  b.probe({.peer = 1, .tag = 4});
  b.collective({.kind = CollectiveKind::reduce,
                .sync = CollectiveArgs::Sync::root_synchronised,
                .communicator = 1,
                .root = 2,
                .send_bytes = 77});
  b.wait(b.collective_start({.sync = CollectiveArgs::Sync::nonblocking, .is_root = true}));
  b.event(291, 1);
  const std::vector<std::uint64_t> sizes{5, 0, 9}, others{5, 0, 8};
  for (const auto& blocks : {sizes, others})
    b.collective({.kind = CollectiveKind::alltoallv, .block_list = b.block_list(blocks), .send_bytes = 5});
  b.begin_strand(1, false);
  b.isend_and_forget({.peer = 0, .tag = 4}, Bytes{8});
  b.begin_strand(1, false);
  b.noop();
  b.begin_strand(2);
  b.wait(b.put({.peer = 1, .tag = 9}, Bytes{8}));
  b.wait(b.get({.peer = 1, .tag = 9}, Bytes{8}));
  b.elapse(Duration::picoseconds(3));
  return b.build();
}

bool same(const Operation& a, const Operation& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

void check_same(const Program& a, const Program& b) {
  REQUIRE(a.ranks() == b.ranks());
  REQUIRE(a.strands().size() == b.strands().size());
  for (std::size_t i = 0; i < a.strands().size(); ++i) {
    CHECK(a.strands()[i].rank == b.strands()[i].rank);
    CHECK(a.strands()[i].begin == b.strands()[i].begin);
    CHECK(a.strands()[i].end == b.strands()[i].end);
  }
  CHECK(std::equal(a.operations().begin(), a.operations().end(), b.operations().begin(), b.operations().end(),
                   same));
  REQUIRE(a.channels().size() == b.channels().size());
  CHECK(std::memcmp(a.channels().data(), b.channels().data(), a.channels().size_bytes()) == 0);
  REQUIRE(a.wildcards().size() == b.wildcards().size());
  for (std::size_t i = 0; i < a.wildcards().size(); ++i) {
    CHECK(a.wildcards()[i].source == b.wildcards()[i].source);
    CHECK(a.wildcards()[i].tag == b.wildcards()[i].tag);
  }
  REQUIRE(a.communicators().size() == b.communicators().size());
  for (std::size_t i = 0; i < a.communicators().size(); ++i)
    CHECK(a.communicators()[i].members == b.communicators()[i].members);
  CHECK(std::equal(a.collectives().begin(), a.collectives().end(), b.collectives().begin(),
                   b.collectives().end()));
  CHECK(std::ranges::equal(a.block_lists().ends, b.block_lists().ends));
  CHECK(std::ranges::equal(a.block_lists().bytes, b.block_lists().bytes));
  CHECK(
      std::equal(a.call_names().begin(), a.call_names().end(), b.call_names().begin(), b.call_names().end()));
  REQUIRE(a.event_labels().size() == b.event_labels().size());
  for (std::size_t i = 0; i < a.event_labels().size(); ++i) {
    CHECK(a.event_labels()[i].type == b.event_labels()[i].type);
    CHECK(a.event_labels()[i].value == b.event_labels()[i].value);
    CHECK(a.event_labels()[i].text == b.event_labels()[i].text);
  }
  for (std::uint32_t r = 0; r < a.ranks(); ++r) CHECK(a.request_slots(r) == b.request_slots(r));
  CHECK(a.traced_run_time() == b.traced_run_time());
}

// The same file with checksums that fit its bytes.
std::string sealed(std::string bytes) {
  program_file::seal(bytes);
  return bytes;
}

// One number of the file changed, with checksums that fit.
template <class Number>
std::string changed(std::string bytes, std::size_t at, Number value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
  return sealed(std::move(bytes));
}

std::size_t begin_of(const std::string& bytes, Section section) {
  Front front;
  std::memcpy(&front, bytes.data(), sizeof front);
  return front.sections[static_cast<std::size_t>(section)].offset;
}

}  // namespace

TEST_CASE("a Program read back from its file is unchanged, with its origin") {
  const Program program = everything();
  const Origin origin{{"format", "DUMPI trace"}, {"source", "a.meta"}, {"source", ""}};
  const auto bytes = program_bytes(program, origin);
  const auto read_back = program_in(bytes);
  REQUIRE_MESSAGE(read_back.has_value(), problem(bytes));
  check_same(program, read_back->program);
  CHECK(read_back->origin == origin);
  CHECK(looks_like_program(bytes));
  CHECK(!looks_like_program("#DIMEMAS:"));
}

TEST_CASE("equal Programs give equal bytes, even after reading") {
  const auto bytes = program_bytes(everything());
  CHECK(bytes == program_bytes(everything()));
  CHECK(bytes == program_bytes(program_in(bytes)->program));
  CHECK(bytes.size() % program_file::kAlignment == 0);
}

TEST_CASE("a Program without block lists is written as older versions read it") {
  ProgramBuilder b(1);
  const auto bytes = program_bytes(b.build());
  program_file::Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  CHECK(header.version == program_file::kFirstVersion);
  CHECK(header.sections == 10);
  CHECK(problem(bytes).empty());
}

TEST_CASE("the operations of a Program file are used in place") {
  const auto owner = std::make_shared<const std::string>(program_bytes(everything()));
  const auto file = read_program(*owner, owner, "x.program");
  REQUIRE(file.has_value());
  const auto* const at = reinterpret_cast<const char*>(file->program.operations().data());
  CHECK(at == owner->data() + begin_of(*owner, Section::operations));
}

TEST_CASE("a Program outlives the file that it was read from and the first copy of it") {
  const auto path = fs::temp_directory_path() / "busline-outlives.program";
  {
    auto file = OutputFile::create(path.string());
    REQUIRE(file.has_value());
    REQUIRE(write_program(everything(), {}, *file).has_value());
    REQUIRE(file->commit().has_value());
  }
  Program copy;
  {
    const auto file = read_program(path.string());
    REQUIRE(file.has_value());
    copy = file->program;
  }
  fs::remove(path);
  check_same(everything(), copy);
}

TEST_CASE("stopped writing returns false, and a full sink is an error") {
  TextSink sink;
  const auto stopped = write_program(everything(), {}, sink, [](double) { return false; });
  REQUIRE(stopped.has_value());
  CHECK(!*stopped);

  struct FullSink final : ByteSink {
    Expected<void> write(std::string_view) override {
      Error e;
      e.message = "no room";
      return tl::unexpected(std::move(e));
    }
  } full;
  const auto failed = write_program(everything(), {}, full);
  REQUIRE(!failed.has_value());
  CHECK(failed.error().message == "no room");
}

TEST_CASE("flipping or cutting any byte of a Program file is an error") {
  const auto whole = program_bytes(everything(), {{"source", "a.dim"}});
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const unsigned mask : {0x01U, 0x80U, 0xffU}) {
      auto bytes = whole;
      bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ mask);
      INFO("byte ", at, " xor ", mask);
      CHECK(!program_in(bytes).has_value());
    }
    INFO("cut after ", at);
    CHECK(!program_in(whole.substr(0, at)).has_value());
  }
  CHECK(!program_in(whole + std::string(64, '\0')).has_value());
}

TEST_CASE("with checksums that fit, a damaged file is an error or a Program that keeps the rules") {
  const auto whole = program_bytes(everything(), {{"source", "a.dim"}});
  std::size_t accepted = 0;
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const unsigned mask : {0x01U, 0x80U, 0xffU}) {
      auto bytes = whole;
      bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ mask);
      INFO("byte ", at, " xor ", mask);
      bytes = sealed(std::move(bytes));
      const auto file = program_in(bytes);
      if (!file) continue;
      ++accepted;
      CHECK(program_bytes(file->program, file->origin) == bytes);  // nothing was ignored
    }
  CHECK(accepted > 100);  // sizes, times and tags may be anything
}

TEST_CASE("errors name the place in the file and what was expected") {
  const auto whole = program_bytes(everything());
  const auto hint = "\n  the file is damaged: convert the trace again";
  CHECK(problem("") == std::string("x.program:+0: header: this is not a Program file") + hint);
  CHECK(problem(whole.substr(0, 40)) ==
        std::string("x.program:+40: header: the file ends here, expected 384 bytes") + hint);
  CHECK(problem(whole.substr(0, 500)).starts_with("x.program:+500: the file ends here, expected "));
  CHECK(problem(changed(whole, 12, std::uint32_t{3})) ==
        "x.program:+12: header: version is 3, expected 1 to 2\n"
        "  another version of busline wrote it: convert the trace again with this one");
  auto wrong = whole;
  wrong[begin_of(whole, Section::operations)] ^= 1;
  const auto operations = std::to_string(begin_of(whole, Section::operations));
  CHECK(problem(wrong) == "x.program:+" + operations + ": operations: the checksum is wrong" + hint);
  CHECK(problem(sealed(wrong)) ==
        "x.program:+" + operations + ": operations 0: a field that its kind does not have is not 0" + hint);
  const auto collectives = begin_of(whole, Section::collectives);
  CHECK(problem(changed(whole, collectives + 2, std::uint8_t{2})) ==
        "x.program:+" + std::to_string(collectives) +
            ": collectives: a byte has a value that it cannot have" + hint);
}

TEST_CASE("errors name the section of a Program file and what is wrong with it") {
  const auto whole = program_bytes(everything(), {{"source", "a.dim"}});
  // The error for the valid file with one number changed, without the hint and the place in bytes.
  const auto said = [&](std::size_t at, auto number, bool seals = true) {
    auto bytes = whole;
    std::memcpy(bytes.data() + at, &number, sizeof number);
    const auto file = program_in(seals ? sealed(std::move(bytes)) : bytes);
    return file ? "" : file.error().where + ": " + file.error().message;
  };
  const auto entry = [](Section s) {
    return sizeof(program_file::Header) + static_cast<std::size_t>(s) * sizeof(program_file::SectionEntry);
  };
  const auto bytes_of = [&](Section s) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, whole.data() + entry(s) + offsetof(program_file::SectionEntry, bytes), sizeof bytes);
    return bytes;
  };
  const auto longer = [&](Section s, std::uint64_t bytes) {
    return said(entry(s) + offsetof(program_file::SectionEntry, bytes), bytes);
  };
  CHECK(said(offsetof(program_file::Header, sections), std::uint32_t{9}, false) ==
        "header: the checksum of header and section table is wrong");
  CHECK(said(offsetof(program_file::Header, sections), std::uint32_t{9}) ==
        "header: a field has a value that it cannot have");
  CHECK(problem(whole + "more").find(": the file continues after its end\n") != std::string::npos);
  CHECK(longer(Section::operations, 1'000'000) ==
        "operations: 1000000 bytes at 640 are not in the file, or not at their place");
  CHECK(longer(Section::operations, bytes_of(Section::operations) - 1) ==
        "channels: bytes before it are not 0");
  CHECK(longer(Section::operations, bytes_of(Section::operations) + 1) ==
        "operations: 505 bytes are not a whole number of 24");
  CHECK(said(begin_of(whole, Section::strands) + offsetof(program_file::StrandRecord, zero), 1U) ==
        "strands: unused bytes are not 0");
  CHECK(said(begin_of(whole, Section::communicators), 1'000'000U) ==
        "communicators: its entries do not fit into it");
  CHECK(said(begin_of(whole, Section::communicators) + 4, 2U) ==
        "communicators: its entries take more or fewer bytes than it has");
  CHECK(said(begin_of(whole, Section::labels), 1'000'000U) == "event labels: its entries do not fit into it");
  CHECK(said(begin_of(whole, Section::labels) + 8 + offsetof(program_file::LabelRecord, bytes), 99U) ==
        "event labels: a text does not fit into it");
  CHECK(said(begin_of(whole, Section::labels) + 8 + offsetof(program_file::LabelRecord, bytes), 4U) ==
        "event labels: it continues after its last text");
  // One text instead of "source" and "a.dim": the second length and both texts are its 15 bytes.
  CHECK(said(begin_of(whole, Section::origin), std::uint64_t{15} << 32U | 1U) ==
        "origin: a key has no value");
  CHECK(said(whole.size() - 1, 'x') == ": bytes after the last section are not 0");
  CHECK(said(begin_of(whole, Section::block_lists), std::uint64_t{0}) ==
        "block lists: its entries do not fit into it");
  CHECK(said(begin_of(whole, Section::block_lists), std::uint64_t{9}) ==
        "block lists: its entries do not fit into it");
  CHECK(longer(Section::block_lists, 0) == ": the file continues after its last section");
}

TEST_CASE("lengths in a Program file that exceed its bytes are refused") {
  const auto whole = program_bytes(everything(), {{"source", "a.dim"}});
  for (const auto section : {Section::origin, Section::communicators, Section::call_names, Section::labels})
    for (const std::uint32_t length : {0U, 1U, 0x7fff'ffffU, 0xffff'ffffU})
      for (const std::size_t number : {0U, 1U, 2U}) {
        const auto at = begin_of(whole, section) + number * sizeof length;
        std::uint32_t before = 0;
        std::memcpy(&before, whole.data() + at, sizeof before);
        if (before == length) continue;
        INFO("section ", static_cast<std::uint32_t>(section), " number ", number, " set to ", length);
        const auto file = program_in(changed(whole, at, length));
        if (file) CHECK(section == Section::labels);  // its third number is a type, which may be anything
      }
  // In the section table: offsets and lengths.
  for (std::size_t i = 0; i < program_file::kSections; ++i)
    for (const std::size_t field : {8U, 16U})
      for (const std::uint64_t value :
           {std::uint64_t{1}, ~std::uint64_t{0}, std::uint64_t{1} << 63, std::uint64_t{whole.size()}}) {
        INFO("section ", i, " field at ", field, " set to ", value);
        CHECK(
            !program_in(changed(whole,
                                sizeof(program_file::Header) + i * sizeof(program_file::SectionEntry) + field,
                                value))
                 .has_value());
      }
}
