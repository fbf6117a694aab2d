#pragma once

#if defined(__SSE__)
#include <immintrin.h>
#endif

namespace stad {

/// Treats subnormal numbers of this thread as zero during its lifetime, because one such operand makes a product about
/// a hundred times slower. Restores the setting of the caller on destruction.
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
