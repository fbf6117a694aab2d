#pragma once

#if defined(__SSE__)
#include <immintrin.h>
#endif

namespace stad {

/// While it lives, this thread's subnormal numbers count as zero: one such operand makes a product about a hundred
/// times slower. The caller's setting comes back at the end.
class FlushSubnormals {
 public:
#if defined(__SSE__)
  FlushSubnormals() : saved_(_mm_getcsr()) { _mm_setcsr(saved_ | kFlushToZero | kSubnormalsAreZero); }
  ~FlushSubnormals() { _mm_setcsr(saved_); }
#else
  FlushSubnormals() {}
#endif
  FlushSubnormals(const FlushSubnormals&) = delete;
  FlushSubnormals& operator=(const FlushSubnormals&) = delete;

#if defined(__SSE__)
 private:
  static constexpr unsigned kFlushToZero = 0x8000;
  static constexpr unsigned kSubnormalsAreZero = 0x0040;
  unsigned saved_;
#endif
};

}  // namespace stad
