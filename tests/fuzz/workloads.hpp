// Fuzz targets: traces and Program files.
#pragma once
#include <string>
#include <string_view>

namespace busline::fuzz {

/// A Dimemas trace: what is read keeps the rules of Programs (fault_in_program.hpp).
std::string fault_in_dim_file(std::string_view text);
/// A Paraver trace, after a line with '#' and nothing else also its file of names.
std::string fault_in_paraver_file(std::string_view text);
/// A time-independent trace of SimGrid, one file with all ranks.
std::string fault_in_ti_file(std::string_view text);
/// A GOAL schedule, text or binary.
std::string fault_in_goal(std::string_view bytes);
/// A liballprof trace of one rank, or, with a byte of 1 before it, of two ranks that do the same.
std::string fault_in_liballprof(std::string_view text);
/// A file of an OTF2 archive of two ranks, whose other files are good. The first byte says which one.
std::string fault_in_otf2_archive(std::string_view bytes);
/// A Program file as it is, and once more with checksums that fit.
std::string fault_in_program_bytes(std::string_view bytes);
/// A compressed file: what is in it, or an Error; never more than most_unpacked().
std::string fault_in_packed_file(std::string_view bytes);
/// The file of a rank of a DUMPI trace (tests/damage/damaged_file.hpp), and the same among those of a
/// job: a byte that the reader makes nothing of says which rank of how many it is, and what the others have.
std::string fault_in_dumpi_job(std::string_view bytes);
/// A metafile: what is read is written and read to the same.
std::string fault_in_dumpi_meta(std::string_view text);

}  // namespace busline::fuzz
