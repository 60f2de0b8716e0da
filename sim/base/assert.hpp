// SIM_ASSERT is for bugs in Busline only. Data from a file must never trigger it.
#pragma once
#include <cstdio>
#include <cstdlib>

#define SIM_ASSERT(condition)                                                                            \
  do {                                                                                                   \
    if (!(condition)) [[unlikely]] {                                                                     \
      std::fprintf(stderr, "busline: bug at %s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                                      \
    }                                                                                                    \
  } while (false)
