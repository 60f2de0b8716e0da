#include "workloads/dumpi/compile/datatypes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace busline::dumpi {
namespace {

constexpr std::int64_t kFirstUserType = 28;
// Predefined types on x86-64, where the file's table has no size (docs/reference/dumpi.md, "Datatypes").
constexpr std::array<std::int8_t, kFirstUserType> kPredefined{-1, 0,  1, 1, 1, 1, 4, 2, 2, 4,  4,  8, 8, 4,
                                                              8,  16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20};
constexpr std::int64_t kMostBytes = std::int64_t{1} << 62;

// Array distributions of MPI_Type_create_darray.
constexpr std::uint8_t kBlock = 1, kCyclic = 2, kNone = 3;

std::size_t index_of(std::int64_t id) {
  return static_cast<std::uint16_t>(id);
}

// The number of `size` places along one dimension that a process owns (MPI 3.1, section 4.1.4).
std::int64_t places_owned(std::int64_t size, std::uint8_t distribution, std::int64_t argument,
                          std::int64_t processes, std::int64_t process) {
  if (distribution == kNone || processes <= 1) return size;
  std::int64_t block = argument > 0 ? argument : 1;
  if (distribution == kBlock && argument <= 0) block = (size + processes - 1) / processes;
  if (distribution == kBlock) return std::clamp(size - block * process, std::int64_t{0}, block);
  if (distribution != kCyclic) return size;
  const auto whole = size / block;  // blocks, dealt out in turn
  const auto mine = whole / processes * block;
  if (process < whole % processes) return mine + block;
  return process == whole % processes ? mine + size % block : mine;
}

// A product or a sum within bounds, or -1.
std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  return a < 0 || b < 0 || __builtin_mul_overflow(a, b, &r) || r > kMostBytes ? -1 : r;
}
std::int64_t plus(std::int64_t a, std::int64_t b) {
  return a < 0 || b < 0 || a + b > kMostBytes ? -1 : a + b;
}

std::int64_t sum(IntegerView<std::int32_t> values) {
  std::int64_t s = 0;
  for (std::size_t i = 0; i < values.size(); ++i) s = values[i] < 0 ? -1 : plus(s, values[i]);
  return s;
}

std::int64_t product(IntegerView<std::int32_t> values) {
  std::int64_t p = 1;
  for (std::size_t i = 0; i < values.size(); ++i) p = times(p, values[i]);
  return p;
}

std::int64_t elements_of_darray(const Record& r) {
  const auto sizes = r.list(argument("MPI_Type_create_darray", "gsizes"));
  const auto distributions = r.list<std::uint8_t>(argument("MPI_Type_create_darray", "distribs"));
  const auto arguments = r.list(argument("MPI_Type_create_darray", "dargs"));
  const auto processes = r.list(argument("MPI_Type_create_darray", "psizes"));
  const auto n = sizes.size();
  if (distributions.size() != n || arguments.size() != n || processes.size() != n) return -1;
  // The grid of processes is in C order whatever the order of the array.
  std::int64_t rank = r[argument("MPI_Type_create_darray", "rank")], all = 1;
  if (rank < 0) return -1;
  for (std::size_t i = n; i-- > 0;) {
    if (processes[i] < 1 || sizes[i] < 0) return -1;
    all =
        times(all, places_owned(sizes[i], distributions[i], arguments[i], processes[i], rank % processes[i]));
    rank /= processes[i];
  }
  return all;
}

}  // namespace

Datatypes::Datatypes(const TraceFile& file) : table_(file.type_sizes()) {}

std::optional<std::uint64_t> Datatypes::size(std::int64_t id) const {
  if (index_of(id) < sizes_.size() && sizes_[index_of(id)] != kFromTable) {
    const auto s = sizes_[index_of(id)];
    return s == kUnknown ? std::nullopt : std::optional(static_cast<std::uint64_t>(s));
  }
  if (id < 0) return std::nullopt;
  const auto at = static_cast<std::size_t>(id);
  if (at < table_.size() && table_[at] > 0) return static_cast<std::uint64_t>(table_[at]);
  if (id < kFirstUserType) {
    if (kPredefined[at] < 0) return std::nullopt;
    return static_cast<std::uint64_t>(kPredefined[at]);
  }
  if (at < table_.size() && table_[at] == 0) return 0;  // an empty type
  return std::nullopt;
}

void Datatypes::define(std::int64_t id, std::int64_t size) {
  if (id >= 0 && id < kFirstUserType) return;
  if (index_of(id) >= sizes_.size()) sizes_.resize(index_of(id) + 1, kFromTable);
  sizes_[index_of(id)] = size;
}

std::optional<std::string> Datatypes::apply(const Record& r) {
  switch (r.function) {
    case function_id("MPI_Type_size"):
      if (const auto size = r[argument("MPI_Type_size", "size")]; size >= 0)
        define(r[argument("MPI_Type_size", "datatype")], size);
      return std::nullopt;
    case function_id("MPI_Type_match_size"):
      if (const auto size = r[argument("MPI_Type_match_size", "size")]; size >= 0)
        define(r[argument("MPI_Type_match_size", "datatype")], size);
      return std::nullopt;
    case function_id("MPI_Type_free"):
      define(r[0], kFromTable);
      return std::nullopt;
    case function_id("MPI_Type_contiguous"):
    case function_id("MPI_Type_vector"):
    case function_id("MPI_Type_hvector"):
    case function_id("MPI_Type_indexed"):
    case function_id("MPI_Type_hindexed"):
    case function_id("MPI_Type_struct"):
    case function_id("MPI_Type_dup"):
    case function_id("MPI_Type_create_darray"):
    case function_id("MPI_Type_create_hindexed"):
    case function_id("MPI_Type_create_hvector"):
    case function_id("MPI_Type_create_indexed_block"):
    case function_id("MPI_Type_create_resized"):
    case function_id("MPI_Type_create_struct"):
    case function_id("MPI_Type_create_subarray"):
      return construct(r);
    default:
      return std::nullopt;
  }
}

std::optional<std::string> Datatypes::construct(const Record& r) {
  // The meaning of the record's arguments, for constructors with one old type.
  std::size_t old = 0, made = 0;
  std::int64_t elements = 0;
  switch (r.function) {
    case function_id("MPI_Type_contiguous"):
      old = argument("MPI_Type_contiguous", "oldtype");
      made = argument("MPI_Type_contiguous", "newtype");
      elements = r[0];
      break;
    case function_id("MPI_Type_vector"):
    case function_id("MPI_Type_hvector"):
    case function_id("MPI_Type_create_hvector"):
      old = argument("MPI_Type_vector", "oldtype");
      made = argument("MPI_Type_vector", "newtype");
      elements =
          times(r[argument("MPI_Type_vector", "count")], r[argument("MPI_Type_vector", "blocklength")]);
      break;
    case function_id("MPI_Type_indexed"):
    case function_id("MPI_Type_hindexed"):
    case function_id("MPI_Type_create_hindexed"):
      old = argument("MPI_Type_indexed", "oldtype");
      made = argument("MPI_Type_indexed", "newtype");
      elements = sum(r.list(argument("MPI_Type_indexed", "lengths")));
      break;
    case function_id("MPI_Type_create_indexed_block"):
      old = argument("MPI_Type_create_indexed_block", "oldtype");
      made = argument("MPI_Type_create_indexed_block", "newtype");
      elements = times(r[0], r[argument("MPI_Type_create_indexed_block", "blocklength")]);
      break;
    case function_id("MPI_Type_create_subarray"):
      old = argument("MPI_Type_create_subarray", "oldtype");
      made = argument("MPI_Type_create_subarray", "newtype");
      elements = product(r.list(argument("MPI_Type_create_subarray", "subsizes")));
      break;
    case function_id("MPI_Type_create_darray"):
      old = argument("MPI_Type_create_darray", "oldtype");
      made = argument("MPI_Type_create_darray", "newtype");
      elements = elements_of_darray(r);
      break;
    case function_id("MPI_Type_dup"):
      old = argument("MPI_Type_dup", "oldtype");
      made = argument("MPI_Type_dup", "newtype");
      elements = 1;
      break;
    case function_id("MPI_Type_create_resized"):
      old = argument("MPI_Type_create_resized", "oldtype");
      made = argument("MPI_Type_create_resized", "newtype");
      elements = 1;
      break;
    default: {  // MPI_Type_struct and MPI_Type_create_struct
      const auto lengths = r.list(argument("MPI_Type_struct", "lengths"));
      const auto types = r.list<std::int16_t>(argument("MPI_Type_struct", "oldtypes"));
      if (lengths.size() != types.size())
        return fmt::format("has {} lengths and {} types", lengths.size(), types.size());
      std::int64_t total = 0;
      bool known = true;
      for (std::size_t i = 0; i < types.size(); ++i) {
        const auto each = size(types[i]);
        known = known && each.has_value();
        total = plus(total, times(lengths[i], static_cast<std::int64_t>(each.value_or(0))));
      }
      if (total < 0) return "has a negative length, or a size that is too large";
      define(r[argument("MPI_Type_struct", "newtype")], known ? total : kUnknown);
      return std::nullopt;
    }
  }
  if (elements < 0) return "has a negative count, or a size that is too large";
  const auto each = size(r[old]);
  const auto total = times(elements, static_cast<std::int64_t>(each.value_or(0)));
  if (total < 0) return "makes a type that is too large";
  define(r[made], each ? total : kUnknown);
  return std::nullopt;
}

}  // namespace busline::dumpi
