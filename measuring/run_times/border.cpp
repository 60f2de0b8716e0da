#include "measuring/run_times/border.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "measuring/runs/border_calls.hpp"

namespace busline::record {

bool Border::set(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == text.npos) return false;
  const auto* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data() + colon + 1, end, number_);
  const auto most = runs::kMostBorderNumber;
  if (error != std::errc{} || stopped != end || number_ == 0 || number_ > most || number_ < -most)
    return false;
  const auto call = std::find(runs::kBorderCalls.begin(), runs::kBorderCalls.end(), text.substr(0, colon));
  if (call == runs::kBorderCalls.end()) return false;
  latest_.resize(number_ < 0 ? static_cast<std::size_t>(-number_) : 1);
  call_ = static_cast<CallIndex>(call - runs::kBorderCalls.begin());
  return true;
}

std::optional<std::int64_t> Border::found() const {
  if (number_ == 0 || seen_ < (number_ < 0 ? -number_ : number_)) return std::nullopt;
  // The oldest of the ring is the one that would be overwritten next.
  return number_ < 0 ? latest_[static_cast<std::size_t>(seen_ % -number_)] : latest_.front();
}

}  // namespace busline::record
