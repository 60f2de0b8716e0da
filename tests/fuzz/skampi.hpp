// Fuzz targets: the files of SKaMPI.
#pragma once
#include <string>
#include <string_view>

namespace busline::fuzz {

/// A parameter file, read strictly and leniently; what is read is written and read to the same.
std::string fault_in_parameter_file(std::string_view text);
/// A result file of any version; what is read is a measurement.
std::string fault_in_skampi_results(std::string_view text);
/// A script of SKaMPI 5, interpreted for a job of four ranks.
std::string fault_in_ski_script(std::string_view text);
/// A log.
std::string fault_in_run_log(std::string_view text);

}  // namespace busline::fuzz
