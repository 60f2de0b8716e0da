// Makes a run set: runs a program several times with libbusline-times, and once with the tracer.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "measuring/runs/run_set.hpp"
#include "sim/base/error.hpp"

namespace busline::runs {

/// How to treat a folder that already holds a recording.
enum class Earlier {
  refused,
  appended_to,  ///< runs are added to those of the document that is there
  completed,    ///< the runs and the trace are made that the document lacks, if any
  replaced,     ///< what record_runs() wrote there is removed first
};

struct RecordingOptions {
  std::vector<std::string>
      command;            ///< a launcher, with the mark of preload.hpp before the program or without it
  std::string folder;     ///< where everything goes; on a file system that all nodes see
  std::string name{};     ///< name of the program; empty: from the command or the folder
  std::string machine{};  ///< its name; empty: that of the job scheduler or the host
  Borders region{};
  std::uint32_t runs = 5, warmup = 1;  ///< those that are timed, and those before them that are not
  bool trace = true;
  Earlier earlier = Earlier::refused;
  bool pin = false;                 ///< binds each rank to a CPU
  std::optional<Duration> limit{};  ///< of each run
  std::string times_library, tracer;
  std::function<bool()> go_on{};       ///< Polled from time to time; false ends the run that is in progress
  std::function<void(double)> tell{};  ///< the share of runs that are done
  std::function<Provenance()> provenance{};  ///< asked for each time the document is written
};

/// The document is in the folder, written again after each run; beside it what each run printed (run-1.out,
/// run-1.err, ...) and the trace. Interrupted: what was recorded until then, if anything was. Errors
/// (bad_option): a border that cannot be timed, a folder that is not empty, another command than that of the
/// document to append to, ranks to be bound that earlier runs did not bind, or without the mark of
/// preload.hpp; (unsupported): a run that failed or was not timed, with the end of what it printed, and a
/// call that no rank makes. Runs before it are kept.
Expected<RunSet> record_runs(const RecordingOptions& options);

/// Refuses borders that libbusline-times does not know. `option` is for messages.
Expected<void> check_border(const std::optional<CallRef>& call, const std::string& option, bool is_end);

}  // namespace busline::runs
