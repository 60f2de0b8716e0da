#include "workloads/otf2/job_parts.hpp"

#include <algorithm>
#include <utility>

#include "workloads/otf2/read_otf2.hpp"

namespace busline::otf2 {

void JobParts::append(RankPart&& part) {
  const auto base = builder_.position();
  std::vector<std::uint32_t> ids{0};
  for (std::uint32_t i = 0; i < part.communicators.size(); ++i) {
    const auto [at, fresh] = communicators_.try_emplace(part.communicators[i], 0);
    if (fresh) {
      const auto members = part.builder.members(i + 1);
      at->second = builder_.add_communicator({members.begin(), members.end()});
    }
    ids.push_back(at->second);
  }
  builder_.append(std::move(part.builder), ids);
  for (auto& guess : part.guesses) guess.position += base;
  guesses_.push_back(std::move(part.guesses));
  if (part.init) inits_.push_back(*part.init + base);
  if (part.finalize) finalizes_.push_back(*part.finalize + base);
  for (const auto position : part.null_sends) null_sends_.push_back(position + base);
  for (std::size_t region = 0; region < part.events.size(); ++region)
    if (part.events[region]) events_[static_cast<std::size_t>(definitions_.regions[region].event)] = true;
  open_receives_ += part.open_receives;
  run_time_ = std::max(run_time_, part.run_time);
  notices_.add(part.notices);
}

// They are kept if all ranks make the same ones between the same collectives of all ranks.
void JobParts::settle_guesses() {
  const auto alike = [&](const std::vector<Guess>& rank) {
    return std::equal(rank.begin(), rank.end(), guesses_.front().begin(), guesses_.front().end(),
                      [&](const Guess& a, const Guess& b) {
                        return definitions_.regions[a.region].name == definitions_.regions[b.region].name &&
                               a.place == b.place;
                      });
  };
  const bool kept = std::all_of(guesses_.begin(), guesses_.end(), alike);
  for (const auto& rank : guesses_)
    for (const auto& guess : rank) {
      ++(kept ? notices_.guessed : notices_.left_out)[definitions_.regions[guess.region].name];
      if (!kept) builder_.erase(guess.position);
    }
}

Program JobParts::finish() {
  settle_guesses();
  for (const auto* borders : {&inits_, &finalizes_})
    if (borders->size() < definitions_.ranks.size())
      for (const auto position : *borders) builder_.erase(position);
  for (const auto& r : definitions_.regions) {
    const auto value = static_cast<std::size_t>(r.event);
    if (events_[value]) builder_.label_event(kOtf2RegionEvent, r.event, r.name);
    events_[value] = false;
  }
  builder_.set_traced_run_time(run_time_);
  return builder_.build();
}

}  // namespace busline::otf2
