// References to a call of a run, as users write them: "MPI_Barrier:1" is each rank's first, "MPI_Reduce:-3"
// its third from the end.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace busline {

/// Call n of a name on each rank: from 1, or from the end if negative (-1 is the last).
struct CallRef {
  std::string call;
  std::int64_t number = 1;
  bool operator==(const CallRef&) const = default;
};

/// "NAME:N", or "NAME" for its first call. Nothing without a name, or if N is 0 or not a whole number.
std::optional<CallRef> parse_call_ref(std::string_view text);

/// "MPI_Barrier:1", which parse_call_ref reads back.
std::string to_text(const CallRef& call);

}  // namespace busline
