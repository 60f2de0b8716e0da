#include "tests/fuzz/fuzz_target.hpp"

#include <array>

#include "tests/damage/damaged_file.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/measurements.hpp"
#include "tests/fuzz/networks.hpp"
#include "tests/fuzz/platforms.hpp"
#include "tests/fuzz/quantities.hpp"
#include "tests/fuzz/skampi.hpp"
#include "tests/fuzz/workloads.hpp"

namespace busline::fuzz {

std::span<const FuzzTarget> reader_targets() {
  // A new reader is a line here, its seeds in seeds.txt or a folder of corpus/.
  static constexpr std::array kTargets{
      FuzzTarget{"quantity", fault_in_quantity, 100},
      FuzzTarget{"mapping", fault_in_mapping, 200},
      FuzzTarget{"short_topology", fault_in_short_topology, 200},
      FuzzTarget{"set", fault_in_set, 200},
      FuzzTarget{"dumpi_file", fault_in_file, 4096},
      FuzzTarget{"dumpi_job", fault_in_dumpi_job, 4096},
      FuzzTarget{"dumpi_meta", fault_in_dumpi_meta, 1000},
      FuzzTarget{"dim", fault_in_dim_file, 4096},
      FuzzTarget{"paraver", fault_in_paraver_file, 4096},
      FuzzTarget{"ti", fault_in_ti_file, 2000},
      FuzzTarget{"goal", fault_in_goal, 4096},
      FuzzTarget{"liballprof", fault_in_liballprof, 4096},
      FuzzTarget{"otf2", fault_in_otf2_archive, 2000},
      FuzzTarget{"program", fault_in_program_bytes, 8192},
      FuzzTarget{"packed", fault_in_packed_file, 2000},
      FuzzTarget{"platform", fault_in_platform, 8000},
      FuzzTarget{"cfg", fault_in_cfg, 4096},
      FuzzTarget{"loggops", fault_in_loggops, 1000},
      FuzzTarget{"communication", fault_in_communication_file, 1000},
      FuzzTarget{"scheduler", fault_in_scheduler_file, 500},
      FuzzTarget{"topology", fault_in_topology, 1000},
      FuzzTarget{"json_graph", fault_in_json_graph, 2000},
      FuzzTarget{"graphml", fault_in_graphml, 2000},
      FuzzTarget{"dot", fault_in_dot, 2000},
      FuzzTarget{"simgrid_xml", fault_in_simgrid_xml, 4000},
      FuzzTarget{"measurement", fault_in_measurement, 4096},
      FuzzTarget{"network_results", fault_in_network_results, 4096},
      FuzzTarget{"osu", fault_in_osu_results, 4096},
      FuzzTarget{"imb", fault_in_imb_results, 4096},
      FuzzTarget{"smpi", fault_in_smpi_results, 4096},
      FuzzTarget{"run_set", fault_in_run_set, 4096},
      FuzzTarget{"run_times", fault_in_run_times, 2000},
      FuzzTarget{"baseline", fault_in_baseline, 4096},
      FuzzTarget{"sion", fault_in_sion, 8192},
      FuzzTarget{"linktest", fault_in_linktest, 8192},
      FuzzTarget{"skampi_parameters", fault_in_parameter_file, 4096},
      FuzzTarget{"skampi_results", fault_in_skampi_results, 4096},
      FuzzTarget{"ski", fault_in_ski_script, 4096},
      FuzzTarget{"skampi_log", fault_in_run_log, 1000},
  };
  return kTargets;
}

}  // namespace busline::fuzz
