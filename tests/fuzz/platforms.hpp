// Fuzz targets: machines, as documents and as Dimemas has them.
#pragma once
#include <string>
#include <string_view>

namespace busline::fuzz {

/// A platform document; what is read is written and read to the same.
std::string fault_in_platform(std::string_view text);
/// Dimemas's .cfg, without the files that it names; what is read is a platform document.
std::string fault_in_cfg(std::string_view text);
/// Parameters of LogGOPSim; what is read is a platform document.
std::string fault_in_loggops(std::string_view text);
/// Dimemas's communication file, for a platform of two machines.
std::string fault_in_communication_file(std::string_view text);
/// Dimemas's scheduler file.
std::string fault_in_scheduler_file(std::string_view text);

}  // namespace busline::fuzz
