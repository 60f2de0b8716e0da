#include "workloads/dumpi/format/names.hpp"

#include <span>

#include "workloads/dumpi/format/special_numbers.hpp"

namespace busline::dumpi {
namespace {

using Names = std::span<const std::string_view>;

// By number. Numbers past the end of a list are handles that the program made.
constexpr std::string_view kDatatypes[] = {"",
                                           "MPI_DATATYPE_NULL",
                                           "MPI_CHAR",
                                           "MPI_SIGNED_CHAR",
                                           "MPI_UNSIGNED_CHAR",
                                           "MPI_BYTE",
                                           "MPI_WCHAR",
                                           "MPI_SHORT",
                                           "MPI_UNSIGNED_SHORT",
                                           "MPI_INT",
                                           "MPI_UNSIGNED",
                                           "MPI_LONG",
                                           "MPI_UNSIGNED_LONG",
                                           "MPI_FLOAT",
                                           "MPI_DOUBLE",
                                           "MPI_LONG_DOUBLE",
                                           "MPI_LONG_LONG_INT",
                                           "MPI_UNSIGNED_LONG_LONG",
                                           "MPI_LONG_LONG",
                                           "MPI_PACKED",
                                           "MPI_LB",
                                           "MPI_UB",
                                           "MPI_FLOAT_INT",
                                           "MPI_DOUBLE_INT",
                                           "MPI_LONG_INT",
                                           "MPI_SHORT_INT",
                                           "MPI_2INT",
                                           "MPI_LONG_DOUBLE_INT"};
constexpr std::string_view kCommunicators[] = {"", "MPI_COMM_NULL", "MPI_COMM_WORLD", "MPI_COMM_SELF"};
constexpr std::string_view kGroups[] = {"", "MPI_GROUP_NULL", "MPI_GROUP_EMPTY"};
constexpr std::string_view kOperations[] = {
    "",        "MPI_MAX",  "MPI_MIN",  "MPI_SUM",    "MPI_PROD",   "MPI_LAND",    "MPI_BAND",   "MPI_LOR",
    "MPI_BOR", "MPI_LXOR", "MPI_BXOR", "MPI_MINLOC", "MPI_MAXLOC", "MPI_REPLACE", "MPI_OP_NULL"};
constexpr std::string_view kRequests[] = {"", "MPI_REQUEST_NULL"};
constexpr std::string_view kErrorHandlers[] = {"", "MPI_ERRHANDLER_NULL"};
constexpr std::string_view kFiles[] = {"MPI_FILE_NULL"};
constexpr std::string_view kInfos[] = {"MPI_INFO_NULL"};
constexpr std::string_view kWindows[] = {"MPI_WIN_NULL"};
constexpr std::string_view kKeyvalNames[] = {
    "MPI_TAG_UB",       "MPI_HOST",   "MPI_IO",       "MPI_WTIME_IS_GLOBAL", "MPI_UNIVERSE_SIZE",
    "MPI_LASTUSEDCODE", "MPI_APPNUM", "MPI_WIN_BASE", "MPI_WIN_SIZE",        "MPI_WIN_DISP_UNIT"};
constexpr std::string_view kThreadLevels[] = {"", "MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED",
                                              "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE"};
constexpr std::string_view kTopologies[] = {"", "MPI_GRAPH", "MPI_CART", "MPI_UNDEFINED"};
constexpr std::string_view kComparisons[] = {"", "MPI_IDENT", "MPI_CONGRUENT", "MPI_SIMILAR", "MPI_UNEQUAL"};
constexpr std::string_view kOrders[] = {"", "MPI_ORDER_C", "MPI_ORDER_FORTRAN"};
constexpr std::string_view kDistributions[] = {"", "MPI_DISTRIBUTE_BLOCK", "MPI_DISTRIBUTE_CYCLIC",
                                               "MPI_DISTRIBUTE_NONE", "MPI_DISTRIBUTE_DFLT_DARG"};
constexpr std::string_view kLocks[] = {"", "MPI_LOCK_SHARED", "MPI_LOCK_EXCLUSIVE"};
constexpr std::string_view kWhences[] = {"", "MPI_SEEK_SET", "MPI_SEEK_CUR", "MPI_SEEK_END"};
constexpr std::string_view kTypeClasses[] = {"", "MPI_TYPECLASS_REAL", "MPI_TYPECLASS_INTEGER",
                                             "MPI_TYPECLASS_COMPLEX"};
// The tracer has no numbers for combined modes: 0 stands for all of them.
constexpr std::string_view kFileModes[] = {
    "(several modes)",          "MPI_MODE_RDONLY",      "MPI_MODE_RDWR",
    "MPI_MODE_WRONLY",          "MPI_MODE_CREATE",      "MPI_MODE_EXCL",
    "MPI_MODE_DELETE_ON_CLOSE", "MPI_MODE_UNIQUE_OPEN", "MPI_MODE_SEQUENTIAL",
    "MPI_MODE_APPEND"};
constexpr std::string_view kCombiners[] = {"",
                                           "MPI_COMBINER_NAMED",
                                           "MPI_COMBINER_DUP",
                                           "MPI_COMBINER_CONTIGUOUS",
                                           "MPI_COMBINER_VECTOR",
                                           "MPI_COMBINER_HVECTOR_INTEGER",
                                           "MPI_COMBINER_HVECTOR",
                                           "MPI_COMBINER_INDEXED",
                                           "MPI_COMBINER_HINDEXED_INTEGER",
                                           "MPI_COMBINER_HINDEXED",
                                           "MPI_COMBINER_INDEXED_BLOCK",
                                           "MPI_COMBINER_STRUCT_INTEGER",
                                           "MPI_COMBINER_STRUCT",
                                           "MPI_COMBINER_SUBARRAY",
                                           "MPI_COMBINER_DARRAY",
                                           "MPI_COMBINER_F90_REAL",
                                           "MPI_COMBINER_F90_COMPLEX",
                                           "MPI_COMBINER_F90_INTEGER",
                                           "MPI_COMBINER_RESIZED"};

struct Table {
  Meaning meaning = Meaning::plain;
  Names names;
};
constexpr Table kTables[] = {
    {Meaning::plain, {}},
    {Meaning::datatype, kDatatypes},
    {Meaning::communicator, kCommunicators},
    {Meaning::group, kGroups},
    {Meaning::operation, kOperations},
    {Meaning::request, kRequests},
    {Meaning::error_handler, kErrorHandlers},
    {Meaning::file, kFiles},
    {Meaning::info, kInfos},
    {Meaning::window, kWindows},
    {Meaning::keyval, kKeyvalNames},
    {Meaning::thread_level, kThreadLevels},
    {Meaning::topology, kTopologies},
    {Meaning::comparison, kComparisons},
    {Meaning::order, kOrders},
    {Meaning::distribution, kDistributions},
    {Meaning::lock, kLocks},
    {Meaning::whence, kWhences},
    {Meaning::type_class, kTypeClasses},
    {Meaning::file_mode, kFileModes},
    {Meaning::combiner, kCombiners},
};
constexpr bool is_in_order() {
  for (std::size_t i = 0; i < std::size(kTables); ++i)
    if (static_cast<std::size_t>(kTables[i].meaning) != i) return false;
  return true;
}
static_assert(is_in_order());

std::string_view name_of_assertion(std::int64_t value) {
  switch (value) {
    case 1:
      return "MPI_MODE_NOCHECK";
    case 2:
      return "MPI_MODE_NOSTORE";
    case 4:
      return "MPI_MODE_NOPUT";
    case 8:
      return "MPI_MODE_NOPRECEDE";
    case 16:
      return "MPI_MODE_NOSUCCEED";
    case 255:
      return "(none or several modes)";  // the tracer writes one number for both
    default:
      return {};
  }
}

std::string_view name_of_root(std::int64_t value) {
  if (value >= 0 || value < kLowestMpiRoot) return {};
  return value <= kHighestMpiRoot ? "MPI_ROOT" : "MPI_PROC_NULL";
}

constexpr bool has_argument(const Layout& layout, std::string_view name) {
  for (std::size_t i = 0; i < layout.arguments; ++i)
    if (layout.all[i].name == name) return true;
  return false;
}

constexpr Meaning meaning_by_type(std::string_view type) {
  struct Kind {
    std::string_view type;
    Meaning meaning;
  };
  constexpr Kind kKinds[] = {
      {"dtype", Meaning::datatype},
      {"comm", Meaning::communicator},
      {"group", Meaning::group},
      {"op", Meaning::operation},
      {"req", Meaning::request},
      {"ioreq", Meaning::request},
      {"errh", Meaning::error_handler},
      {"file", Meaning::file},
      {"info", Meaning::info},
      {"win", Meaning::window},
      {"keyval", Meaning::keyval},
      {"thrlevel", Meaning::thread_level},
      {"topo", Meaning::topology},
      {"cmp", Meaning::comparison},
      {"order", Meaning::order},
      {"distrib", Meaning::distribution},
      {"locktype", Meaning::lock},
      {"whence", Meaning::whence},
      {"typeclass", Meaning::type_class},
      {"winassert", Meaning::assertion},
      {"filemode", Meaning::file_mode},
      {"combiner", Meaning::combiner},
      {"dest", Meaning::null_rank},
      {"source", Meaning::source},
  };
  for (const auto& k : kKinds)
    if (type.substr(0, type.find('[')) == k.type) return k.meaning;
  return Meaning::plain;
}

// MPI-1's keyvals (MPI_Attr_get, ...) are numbers of the MPI library, which the tracer does not translate.
constexpr Meaning meaning_in(const Layout& layout, const ArgumentLayout& a) {
  const bool receives = has_argument(layout, "source") && !has_argument(layout, "displ");
  if (a.type == "source" && !receives) return Meaning::null_rank;  // MPI_Cart_shift
  if (a.type == "tag")
    return a.name == "recvtag" || (a.name == "tag" && receives) ? Meaning::tag : Meaning::plain;
  if (a.name == "targetrank") return Meaning::null_rank;
  if (a.name == "root") return Meaning::root;
  for (const std::string_view name : {"color", "index", "outcount", "rank", "ranks2", "newrank"})
    if (a.name == name) return Meaning::may_be_undefined;
  return meaning_by_type(a.type);
}

constexpr auto make_meanings() {
  std::array<std::array<Meaning, kMostArguments>, kFunctions> all{};
  for (std::size_t f = 0; f < kFunctions; ++f)
    for (std::size_t i = 0; i < kLayouts[f].arguments; ++i)
      all[f][i] = meaning_in(kLayouts[f], kLayouts[f].all[i]);
  return all;
}
constexpr auto kMeanings = make_meanings();

}  // namespace

Meaning meaning_of(std::uint16_t function, std::size_t argument) {
  return kMeanings[function][argument];
}

std::string_view name_of(Meaning meaning, std::int64_t value) {
  const auto table = static_cast<std::size_t>(meaning);
  if (table < std::size(kTables)) {
    const auto names = kTables[table].names;
    return value >= 0 && static_cast<std::uint64_t>(value) < names.size()
               ? names[static_cast<std::size_t>(value)]
               : std::string_view();
  }
  switch (meaning) {
    case Meaning::assertion:
      return name_of_assertion(value);
    case Meaning::source:
      return value == kAnyNumber  ? "MPI_ANY_SOURCE"
             : value < kAnyNumber ? "MPI_PROC_NULL"
                                  : std::string_view();
    case Meaning::tag:
      return value == kAnyNumber ? "MPI_ANY_TAG" : std::string_view();
    case Meaning::null_rank:
      return value < 0 ? "MPI_PROC_NULL" : std::string_view();
    case Meaning::root:
      return name_of_root(value);
    case Meaning::may_be_undefined:
      return value == kUndefinedNumber ? "MPI_UNDEFINED" : std::string_view();
    default:
      return {};
  }
}

}  // namespace busline::dumpi
