// XXH64, the checksum of Program files: 64 bits, several bytes per cycle without special instructions. As
// specified by Yann Collet, "xxHash fast digest algorithm", version 0.1.1; Zstandard frames (RFC 8878) use it
// too.
#pragma once
#include <cstdint>
#include <string_view>

namespace busline {

/// The checksum of `bytes` with seed 0. The same on every machine.
std::uint64_t xxh64(std::string_view bytes);

}  // namespace busline
