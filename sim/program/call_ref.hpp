// A call of a run as a person names it: "MPI_Barrier:1" is each rank's first, "MPI_Reduce:-3" its third from
// the end.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace busline {

/// The n-th call of a name on each rank: from 1, or from the end if negative (-1 is the last).
struct CallRef {
  std::string call;
  std::int64_t number = 1;
  bool operator==(const CallRef&) const = default;
};

/// "NAME:N", or "NAME" for its first call. Nothing if there is no name, or N is no whole number or 0.
std::optional<CallRef> parse_call_ref(std::string_view text);

/// "MPI_Barrier:1": parse_call_ref gives it back.
std::string to_text(const CallRef& call);

}  // namespace busline
