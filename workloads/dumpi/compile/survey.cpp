#include "workloads/dumpi/compile/survey.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "workloads/dumpi/compile/clock.hpp"
#include "workloads/dumpi/compile/functions.hpp"
#include "workloads/dumpi/compile/requests.hpp"
#include "workloads/dumpi/format/call_reader.hpp"
#include "workloads/dumpi/format/record.hpp"
#include "workloads/dumpi/format/record_counts.hpp"
#include "workloads/dumpi/format/special_numbers.hpp"

namespace busline::dumpi {
namespace {

constexpr std::int64_t kNullOfMpich = -1;  // MPI_PROC_NULL as a destination

std::optional<std::string> negative_count(std::int64_t count) {
  if (count >= 0) return std::nullopt;
  return fmt::format("the count is {}, expected 0 or more", count);
}

class Survey {
 public:
  Survey(const TraceFile& file, std::optional<RankInJob> place, Notices& notices)
      : file_(file), place_(place), notices_(notices) {}
  RankSurvey run();

 private:
  enum Trait : std::uint8_t { receive = 1, open = 2, cancelling = 4, completed = 8 };

  std::optional<std::string> look_at(const Record& r);
  std::optional<std::string> check_world(const Record& r) const;
  void look_at_time(const Record& r);
  void begin(std::int32_t request, std::uint8_t traits);
  void end(std::uint32_t operation, const std::optional<Status>& status);
  void finish_requests();
  std::uint64_t operations() const;
  void check_length(const Record& r);
  void count_not_simulated(const Record& r);

  const TraceFile& file_;
  std::optional<RankInJob> place_;
  Notices& notices_;
  RankSurvey result_;
  HandleTable handles_;
  RankClock clock_{false};
  RequestTable requests_;
  FileRequests file_requests_;
  CompletionList completions_;
  std::vector<std::uint8_t> traits_;  // of each operation
  std::unordered_map<std::int32_t, std::uint8_t> persistent_;
  RecordCounts counts_{};
  std::string hint_;  // to the error, if there is a better hint than that the file is damaged
  std::optional<std::uint16_t> first_thread_;
  std::optional<std::int64_t> start_;  // end of MPI_Init
  std::int64_t end_ = 0;               // of the last call, or the begin of MPI_Finalize
  std::uint64_t completed_ = 0;        // requests, by the Wait and Test family
};

RankSurvey Survey::run() {
  CallReader reader(file_);
  for (const Record* r = reader.next(); r != nullptr; r = reader.next()) {
    auto wrong = look_at(*r);
    if (!wrong) look_at_time(*r);
    if (!wrong && clock_.is_implausible()) wrong = "the rank's clock goes back again and again";
    if (wrong) {
      result_.stop = reader.error_in(*r, *wrong);
      if (!hint_.empty()) result_.stop->hint = hint_;
      break;
    }
    ++counts_[r->function];
    ++result_.records;
  }
  if (reader.error()) result_.stop = reader.error();
  if (!result_.stop) result_.stop = check_record_counts(file_, counts_);
  finish_requests();
  result_.operations = operations();
  if (!clock_.has_time()) ++notices_.ranks_without_time;
  if (clock_.has_time() && !clock_.is_wall()) ++notices_.ranks_with_cpu_time_only;
  if (clock_.is_wall() && start_)
    result_.run_time = Duration::from_double(static_cast<double>(std::max(end_ - *start_, std::int64_t{0})) *
                                             kPicosecondsPerNanosecond);
  notices_.rollovers += static_cast<std::uint64_t>(clock_.rollovers());
  return std::move(result_);
}

void Survey::look_at_time(const Record& r) {
  if (!first_thread_) first_thread_ = r.thread;
  if (r.thread != *first_thread_) result_.several_threads = true;
  const auto time = clock_.read(r);
  const bool init = r.function == function_id("MPI_Init") || r.function == function_id("MPI_Init_thread");
  if (init) result_.has_init = true;
  if (r.function == function_id("MPI_Init_thread")) ++notices_.unaligned_ranks;
  const bool finalize = r.function == function_id("MPI_Finalize");
  if (finalize) result_.has_finalize = true;
  if (!time || (result_.has_finalize && !finalize)) return;
  if (init || !start_) start_ = init ? time->exit : time->entry;
  // Inside, MPI_Finalize shuts down, which no model predicts.
  end_ = std::max(end_, finalize ? time->entry : time->exit);
}

std::optional<std::string> Survey::look_at(const Record& r) {
  if (const auto send = send_call(r.function)) {
    if (auto wrong = negative_count(r[argument("MPI_Send", "count")])) return wrong;
    if (r[argument("MPI_Send", "dest")] == kNullOfMpich) ++notices_.null_destinations;
    static_assert(argument("MPI_Isend", "request") == argument("MPI_Bsend_init", "request"));
    const auto request = r.i32(argument("MPI_Isend", "request"));
    if (send->persistent)
      persistent_[request] = 0;
    else if (!send->blocking)
      begin(request, 0);
    return std::nullopt;
  }
  if (makes_persistent_request(r.function))
    persistent_[r.i32(request_argument(r.function))] = 0;
  else if (makes_request(r.function))
    begin(r.i32(request_argument(r.function)), r.function == function_id("MPI_Imrecv") ? receive : 0);
  switch (r.function) {
    case function_id("MPI_Recv"):
      return negative_count(r[argument("MPI_Recv", "count")]);
    case function_id("MPI_Irecv"):
    case function_id("MPI_Recv_init"): {
      if (auto wrong = negative_count(r[argument("MPI_Irecv", "count")])) return wrong;
      static_assert(argument("MPI_Irecv", "request") == argument("MPI_Recv_init", "request"));
      const bool is_open =
          r[argument("MPI_Irecv", "source")] == kAnyNumber || r[argument("MPI_Irecv", "tag")] == kAnyNumber;
      const auto traits = static_cast<std::uint8_t>(is_open ? receive | open : receive);
      const auto request = r.i32(argument("MPI_Irecv", "request"));
      if (r.function == function_id("MPI_Irecv"))
        begin(request, traits);
      else
        persistent_[request] = traits;
      break;
    }
    case function_id("MPI_Grequest_start"):
      begin(r.i32(0), 0);
      break;
    case function_id("MPI_Start"):
      if (const auto at = persistent_.find(r.i32(0)); at != persistent_.end()) begin(at->first, at->second);
      break;
    case function_id("MPI_Startall"): {
      const auto ids = r.list(argument("MPI_Startall", "requests"));
      for (std::size_t i = 0; i < ids.size(); ++i)
        if (const auto at = persistent_.find(ids[i]); at != persistent_.end()) begin(at->first, at->second);
      break;
    }
    case function_id("MPI_Cancel"):
      if (const auto operation = requests_.oldest(r.i32(0))) traits_[*operation] |= cancelling;
      break;
    case function_id("MPI_Request_free"):
      if (const auto operation = requests_.complete(r.i32(0));
          operation && (traits_[*operation] & cancelling) != 0)
        end(*operation, std::nullopt);
      persistent_.erase(r.i32(0));
      break;
    case function_id("MPI_Sendrecv"):
      if (r[argument("MPI_Sendrecv", "dest")] == kNullOfMpich) ++notices_.null_destinations;
      break;
    case function_id("MPI_Comm_size"):
    case function_id("MPI_Comm_rank"):
      if (auto wrong = check_world(r)) return wrong;
      break;
    default:
      if (auto wrong = completions_.read(r)) return wrong;
      check_length(r);
      completed_ += completions_.all().size();
      for (const auto& c : completions_.all()) {
        if (const auto operation = requests_.complete(c.request))
          end(*operation, c.status);
        else if (c.request > kRequestNull && !persistent_.contains(c.request) && !file_requests_.complete())
          ++notices_.unknown_requests;
      }
  }
  if (leaves_handles(r.function)) return std::nullopt;
  count_not_simulated(r);
  if (auto wrong = result_.communicators.apply(r, handles_)) {
    hint_ = kUnknownCommunicatorHint;
    return wrong;
  }
  handles_.apply(r);
  return std::nullopt;
}

std::optional<std::string> Survey::check_world(const Record& r) const {
  if (r[0] != kCommWorld || !place_) return std::nullopt;
  if (r.function == function_id("MPI_Comm_size") && r[1] != place_->ranks)
    return fmt::format("missing ranks: the job has {} ranks, the metafile says {}", r[1], place_->ranks);
  if (r.function == function_id("MPI_Comm_rank") && r[1] != place_->rank)
    return fmt::format("the file holds rank {}, its name says {}", r[1], place_->rank);
  return std::nullopt;
}

void Survey::count_not_simulated(const Record& r) {
  const auto c = call_class(r.function);
  if (c == CallClass::dynamic) ++notices_.not_simulated[r.function];
  if (is_on_file(c)) ++notices_.on_files[r.function];
  file_requests_.apply(r.function);
}

void Survey::check_length(const Record& r) {
  switch (r.function) {
    case function_id("MPI_Waitall"):
    case function_id("MPI_Waitany"):
    case function_id("MPI_Waitsome"):
    case function_id("MPI_Testall"):
    case function_id("MPI_Testany"):
    case function_id("MPI_Testsome"):
      if (r[argument("MPI_Waitall", "count")] != r[argument("MPI_Waitall", "requests")])
        ++notices_.differing_lengths;
      break;
    default:
      break;
  }
}

void Survey::begin(std::int32_t request, std::uint8_t traits) {
  requests_.activate(request);
  traits_.push_back(traits);
}

void Survey::end(std::uint32_t operation, const std::optional<Status>& status) {
  auto& traits = traits_[operation];
  traits |= completed;
  if ((traits & receive) == 0) return;  // the status of a send holds arbitrary values
  if ((traits & cancelling) != 0 && (!status || status->cancelled)) {
    if (!status) ++notices_.assumed_cancelled;
    result_.fates.push_back({operation, Fate::Kind::cancelled});
  } else if ((traits & open) != 0 && status) {
    // MPICH's MPI_PROC_NULL is -1, like MPI_ANY_SOURCE; only its status has a source below 0.
    const auto kind = status->source < 0 ? Fate::Kind::null_process : Fate::Kind::received;
    result_.fates.push_back({operation, kind, status->source, status->tag});
  }
}

void Survey::finish_requests() {
  for (std::uint32_t i = 0; i < traits_.size(); ++i) {
    if ((traits_[i] & completed) != 0) continue;
    if ((traits_[i] & receive) == 0)
      result_.fates.push_back({i, Fate::Kind::never_waited});
    else if ((traits_[i] & cancelling) != 0)
      end(i, std::nullopt);
  }
  std::sort(result_.fates.begin(), result_.fates.end(),
            [](const Fate& a, const Fate& b) { return a.operation < b.operation; });
}

// A call is a computation and an operation; MPI_Sendrecv is four, and each completed or started request is
// one.
std::uint64_t Survey::operations() const {
  std::uint64_t n = completed_;
  for (std::uint16_t f = 0; f < kFunctions; ++f)
    if (has_partner(f)) n += 2ULL * counts_[f];
  for (const auto f : {function_id("MPI_Sendrecv"), function_id("MPI_Sendrecv_replace")})
    n += 3ULL * counts_[f];
  for (const auto f : {function_id("MPI_Wait"), function_id("MPI_Waitall"), function_id("MPI_Waitany"),
                       function_id("MPI_Waitsome"), function_id("MPI_Test"), function_id("MPI_Probe")})
    n += 2ULL * counts_[f];
  for (const auto f : {function_id("MPI_Put"), function_id("MPI_Get"), function_id("MPI_Accumulate")})
    n += 4ULL * counts_[f];
  return counts_[function_id("MPI_Startall")] == 0 ? n : n + requests_.operations();
}

}  // namespace

RankSurvey survey_rank(const TraceFile& file, std::optional<RankInJob> place, Notices& notices) {
  auto result = Survey(file, place, notices).run();
  for (std::size_t i = 0; i < file.ignored().size() && i < kCountedFunctions; ++i)
    if (const auto n = file.ignored()[i]; n > 0)
      result.ignored.emplace_back(static_cast<std::uint16_t>(i), n);
  return result;
}

}  // namespace busline::dumpi
