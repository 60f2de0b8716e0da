// That no function of MPI is forgotten: mpi.h of the MPI libraries that are installed, the wrappers, and the
// tables of docs/how-to/tracer.md.
#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "measuring/tracer/mpi3_calls.hpp"
#include "workloads/dumpi/compile/call_class.hpp"
#include "workloads/dumpi/format/function_table.hpp"

using namespace busline;
using namespace busline::tracer;

namespace {

using Names = std::set<std::string>;

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path);
  REQUIRE_MESSAGE(file.good(), path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// What `pattern` has in its parentheses, wherever `text` has it.
Names matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  Names names;
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
    names.insert(match->str(1));
  return names;
}

// Calls in the first columns of the tables of a section of docs/how-to/tracer.md.
Names names_in_section(const std::string& title) {
  const auto page = content(BUSLINE_SOURCE_DIR "/docs/how-to/tracer.md");
  const auto begin = page.find("\n### " + title + "\n");
  REQUIRE_MESSAGE(begin != page.npos, title);
  const auto section = page.substr(begin, page.find("\n#", begin + 2) - begin);
  Names names;
  for (const auto& cell : matches(section, "\n\\| (MPI_[^|]*) \\|")) names.merge(matches(cell, "(MPI_\\w+)"));
  return names;
}

Names wrapped() {
  Names names;
  for (const auto& entry : std::filesystem::directory_iterator(BUSLINE_SOURCE_DIR "/measuring/tracer"))
    if (entry.path().filename().string().starts_with("calls_"))
      names.merge(matches(content(entry.path()), "\nBUSLINE_(?:TRACED|TRACED_0|UNRECORDED|DEFINE)\\((\\w+)"));
  Names whole{"MPI_Pcontrol"};  // the only one without a fixed number of parameters
  for (const auto& name : names) whole.insert("MPI_" + name);
  return whole;
}

Names recordable() {
  Names names;
  for (const auto& row : dumpi::kFunctionTable) names.emplace(row.name);
  return names;
}

// Whether it takes no time in a replay.
bool is_local(const std::string& name) {
  for (std::uint16_t f = 0; f < dumpi::kFunctions; ++f)
    if (dumpi::kFunctionTable[f].name == name)
      return dumpi::call_class(f) == dumpi::CallClass::local ||
             dumpi::call_class(f) == dumpi::CallClass::handle;
  return false;
}

Names annotated() {
  return {kMpi3Names.begin(), kMpi3Names.end()};
}

// The headers, of Open MPI and MPICH, that are there.
std::vector<std::string> declarations() {
  std::vector<std::string> headers;
  for (const std::filesystem::path folder :
       {BUSLINE_MPI_HEADERS, "/usr/include/x86_64-linux-gnu/mpich", "/usr/include/mpich-x86_64"}) {
    std::string all;
    for (const char* name : {"mpi.h", "mpi_proto.h", "mpio.h"})  // MPICH has it in three
      if (const auto header = folder / name; std::filesystem::exists(header)) all += content(header);
    if (!all.empty()) headers.push_back(all);
  }
  return headers;
}

// Not functions for programs that communicate: conversions of handles and statuses, and what tools use.
bool is_conversion_or_tool(const std::string& name) {
  return name.starts_with("MPI_T_") || name.ends_with("_c2f") || name.ends_with("_f2c") ||
         name.find("f08") != name.npos || name == "MPI_DUP_FN";
}

}  // namespace

TEST_CASE("docs/how-to/tracer.md names each annotated call of MPI-3 and later once, but for those with _c") {
  auto documented = names_in_section("Annotated calls");
  for (const auto& name : annotated())
    if (!name.ends_with("_c")) CHECK_MESSAGE(documented.erase(name) == 1, name << " is missing on the page");
  CHECK_MESSAGE(documented.empty(), *documented.begin() << " is not annotated");
}

TEST_CASE("every function of mpi.h is recorded, counted, annotated, or on the page's list of local ones") {
  const auto local = names_in_section("Calls that are not seen");
  const auto known = recordable(), marked = annotated(), wrappers = wrapped();
  for (const auto& header : declarations()) {
    const auto functions =
        matches(header, "\n(?:OMPI_DECLSPEC +)?(?:int|double|MPI_Aint|MPI_Fint) +(MPI_[A-Z]\\w*) ?\\(");
    CHECK(functions.size() > 300);
    for (const auto& name : functions) {
      if (is_conversion_or_tool(name) || marked.contains(name)) continue;
      CAPTURE(name);
      if (known.contains(name)) {
        CHECK(wrappers.contains(name));
        continue;
      }
      const auto base = name.ends_with("_c") ? name.substr(0, name.size() - 2) : name;  // with large counts
      CHECK_MESSAGE((local.contains(base) || is_local(base)), "not wrapped and not on the page");
    }
  }
}
