// The errors of OTF2's library.
#pragma once
#ifdef BUSLINE_HAS_OTF2
#include <otf2/otf2.h>

#include <cstdarg>
#include <cstdint>

namespace busline::timeline {

/// Keeps the first error during its lifetime, because it causes the others. The library prints errors unless
/// a callback is set; its return value is often a later one. Only one object may exist at a time.
class Otf2Errors {
 public:
  Otf2Errors() : before_(OTF2_Error_RegisterCallback(told, &first_)) {}
  Otf2Errors(const Otf2Errors&) = delete;
  Otf2Errors& operator=(const Otf2Errors&) = delete;
  ~Otf2Errors() { OTF2_Error_RegisterCallback(before_, nullptr); }

  /// The return value of a library function.
  void keep(OTF2_ErrorCode code) {
    if (first_ == OTF2_SUCCESS) first_ = code;
  }
  bool any() const { return first_ != OTF2_SUCCESS; }
  const char* what() const { return OTF2_Error_GetDescription(first_); }

 private:
  // Warnings are below 0.
  static OTF2_ErrorCode told(void* first, const char*, std::uint64_t, const char*, OTF2_ErrorCode code,
                             const char*, va_list) {
    auto& kept = *static_cast<OTF2_ErrorCode*>(first);
    if (kept == OTF2_SUCCESS && code > OTF2_SUCCESS) kept = code;
    return code;
  }

  OTF2_ErrorCode first_ = OTF2_SUCCESS;
  OTF2_ErrorCallback before_ = nullptr;
};

}  // namespace busline::timeline
#endif
