// Other explanations of a machine's measurements, which calibrate kept beside the one that it chose
// (docs/decisions/080-other-explanations-are-kept.md).
#pragma once
#include <string>
#include <vector>

#include "platforms/description/platform.hpp"

namespace busline {

/// What turns `chosen` into `other`, of the members that calibrate chooses between. An alternative without
/// assignments if they are the same. Members that only `other` has are missing in `chosen`.
CalibratedAlternative alternative(std::string of, const Platform& chosen, const Platform& other);

struct AlternativePlatform {
  std::string of;
  std::vector<std::string> assignments;
  Platform platform;
};
/// The platform with each of the alternatives in its calibration record, in that order. Those are left out
/// that no longer apply: whoever changed a member that they are about knows it.
std::vector<AlternativePlatform> alternatives_of(const Platform& platform);

/// "links and buses as /nodes/0/links=2, /network/buses=4"; long values are left out.
std::string to_text(const AlternativePlatform& alternative);

}  // namespace busline
