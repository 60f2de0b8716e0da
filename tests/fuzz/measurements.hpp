// Fuzz targets: measurements of machines and of programs, our own and those of other benchmarks. What is read
// of theirs can be written as ours, and read again.
#pragma once
#include <string>
#include <string_view>

namespace busline::fuzz {

std::string fault_in_measurement(std::string_view text);
/// For the emulated cluster's network program.
std::string fault_in_network_results(std::string_view text);
std::string fault_in_osu_results(std::string_view text);
std::string fault_in_imb_results(std::string_view text);
std::string fault_in_smpi_results(std::string_view text);
std::string fault_in_run_set(std::string_view text);
std::string fault_in_run_times(std::string_view text);
std::string fault_in_baseline(std::string_view text);
/// A SION container: every rank's stream can be read where it is said to be.
std::string fault_in_sion(std::string_view bytes);
/// The same, with LinkTest's results in it.
std::string fault_in_linktest(std::string_view bytes);

}  // namespace busline::fuzz
