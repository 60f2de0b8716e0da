// The timeline of a run: watches the run without changing it, and writes the timeline at the end.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/program/request_layout.hpp"
#include "sim/replay/machine.hpp"
#include "sim/replay/observer.hpp"
#include "sim/results/result.hpp"
#include "studies/timeline/format.hpp"
#include "studies/timeline/recorder.hpp"

namespace busline::timeline {

/// What of a run is wanted, and where.
struct TimelineOptions {
  std::string path;                       ///< its end says the format
  std::vector<std::uint32_t> ranks{};     ///< empty: all
  std::optional<Duration> from{}, to{};   ///< simulated times; without them from the begin, to the end
  std::string title{};                    ///< what was run, and on what
  std::vector<std::string> rank_names{};  ///< Timeline::rank_names
};

/// For one run. Takes some 17 MB, 60 bytes for each message in flight or not yet received by a call, and 64
/// bytes per event in a temporary file.
class RunTimeline final : public RunObserver {
 public:
  /// `program` and `machine` must outlive it. An Error of kind bad_option for a format that does not exist
  /// and ranks that the program has not; of kind unreadable where nothing can be written.
  static Expected<std::unique_ptr<RunTimeline>> of(const TimelineOptions& options, const Program& program,
                                                   const Machine& machine);

  /// Nothing more can be kept: write() will give the Error.
  bool failed() const { return records_.failed(); }
  /// After the run: all of it if it is complete, what happened so far if it is stuck. False if `progress`
  /// stopped it; the file does not exist then. Errors are of kind unreadable.
  Expected<bool> write(const Result& result, const std::function<bool(double)>& progress = {});

  void reached(StrandId strand, std::uint64_t index, std::int64_t now) override;
  void charged(StrandId strand, Activity next, std::int64_t when) override;
  void finished(StrandId strand, std::int64_t now) override;
  void sent(MessageId id, const Message& message, StrandId strand, std::int64_t now) override;
  void queued(MessageId id, const Message& message, const ResourceId& place, std::int64_t now) override;
  void left_queue(MessageId id, const Message& message, std::int64_t now) override;
  void began(MessageId id, const Message& message, std::int64_t alone, std::int64_t now) override;
  void ended(MessageId id, const Message& message, std::int64_t now) override;
  void arrived(MessageId id, const Message& message, std::int64_t now) override;
  void received(MessageId id, RequestId request, std::int64_t now) override;

 private:
  struct Strand {
    std::uint32_t track = kNone;
    std::uint64_t end = 0;          // of its operations
    const Operation* at = nullptr;  // null: before the first one, or after the last one
  };
  RunTimeline(const TimelineOptions& options, const Format& format, const Program& program,
              const Machine& machine);
  void add_tracks(const std::vector<std::uint32_t>& ranks, const Machine& machine);
  void over(StrandId strand, const Operation& op, std::int64_t now);
  Record& record_of(MessageId id);
  void change_level(std::uint32_t level, std::int64_t by, std::int64_t now);
  std::uint32_t level_of(const char* name, std::uint32_t node);
  std::uint32_t level_of(const Message& message, const ResourceId& place);
  std::uint32_t node_of_rank(RankId rank) const { return node_index_[machine_.rank_node[rank]]; }

  const Format& format_;
  const Program& program_;
  const Machine& machine_;
  std::string path_;
  RequestLayout layout_;
  Timeline timeline_;
  IdVector<NodeId, std::uint32_t> node_index_;  // in the timeline; kNone
  IdVector<RankId, std::uint32_t> first_track_;
  IdVector<StrandId, Strand> strands_;
  RecordSorter records_;
  std::optional<Recorder> recorder_;
  IdVector<MessageId, Record> messages_;
  IdVector<MessageId, std::uint32_t> waits_at_;     // the level that counts it
  std::unordered_map<RequestId, Record> received_;  // until a call has it
  std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> level_index_;
  std::vector<std::int64_t> level_values_;
  std::uint32_t in_transfer_ = 0;
  std::uint32_t sent_ = 0;
  std::int64_t last_ = 0;
};

}  // namespace busline::timeline
