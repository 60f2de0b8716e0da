#include "measuring/tracer/fortran.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>

namespace busline::tracer {
namespace {

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

void remove_end(std::string_view& text, std::string_view end) {
  if (text.ends_with(end)) text.remove_suffix(end.size());
}

bool decide(const void* site, std::string_view function) {
  Dl_info info{};
  // The byte before it belongs to the call.
  if (::dladdr(static_cast<const char*>(site) - 1, &info) == 0 || info.dli_sname == nullptr) return false;
  return is_fortran_name(info.dli_sname, function);
}

// Sites that were decided: the address, with the answer in the highest bit, which no address has. What does
// not fit is decided again each time; an MPI library has some 800 sites.
constexpr std::size_t kSlots = 8192, kProbes = 16;
constexpr std::uint64_t kFortran = std::uint64_t{1} << 63;
std::array<std::atomic<std::uint64_t>, kSlots> known_sites{};

}  // namespace

bool is_fortran_name(std::string_view symbol, std::string_view function) {
  for (const std::string_view prefix : {"MPI_", "PMPI_"})
    if (symbol.starts_with(prefix) && symbol.substr(prefix.size()) == function) return false;
  const auto small = lower_case(symbol);
  std::string_view name = small;
  const auto remove_begin = [&name](std::string_view begin) {
    if (!name.starts_with(begin)) return false;
    name.remove_prefix(begin.size());
    return true;
  };
  // libmpi itself has functions whose names begin with ompi_.
  if (!remove_begin("mpi_") && !remove_begin("pmpi_") && !(small.ends_with("_f") && remove_begin("ompi_")))
    return false;
  while (name.ends_with('_')) name.remove_suffix(1);
  const bool is_large = name.ends_with("_large");  // MPICH's names of the functions that are _c in C
  remove_end(name, "_large");
  for (const std::string_view end : {"_f08ts", "_f08", "_f", "_cptr"}) remove_end(name, end);
  return is_large ? std::string(name) + "_c" == lower_case(function) : name == lower_case(function);
}

bool is_fortran_site(const void* site, std::string_view function) {
  const auto address = reinterpret_cast<std::uintptr_t>(site);
  const auto begin = address * 0x9e3779b97f4a7c15U >> 51U;  // Fibonacci hashing, to 13 bits
  std::atomic<std::uint64_t>* free = nullptr;
  for (std::size_t i = 0; i < kProbes; ++i) {
    auto& slot = known_sites[(begin + i) % kSlots];
    const auto known = slot.load(std::memory_order_relaxed);
    if ((known & ~kFortran) == address) return (known & kFortran) != 0;
    if (known == 0) {
      free = &slot;
      break;
    }
  }
  const bool is_fortran = decide(site, function);
  std::uint64_t none = 0;
  if (free != nullptr)
    free->compare_exchange_strong(none, is_fortran ? address | kFortran : address, std::memory_order_relaxed);
  return is_fortran;
}

}  // namespace busline::tracer
