#pragma once

#include <cstddef>
#include <span>

#include <stad/matrix.hpp>

namespace stad {

/// Memory for the length of a call. Every thread has one stack of it, which all adapters share and which stays once
/// it has grown to what the largest call needs: in the steady state nothing is allocated.
///
///   Scratch scratch;
///   const std::span<float> logits = scratch.take<float>(rows * classes);  // gone with `scratch`
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// Uninitialised values that begin on a cache line. Only the innermost Scratch of a thread may be asked.
  template <typename T>
  std::span<T> take(Index count) {
    return {static_cast<T*>(bytes(static_cast<std::size_t>(count) * sizeof(T))), static_cast<std::size_t>(count)};
  }

 private:
  static void* bytes(std::size_t size);

  std::size_t chunk_;  ///< where the stack stood before
  std::size_t used_;
};

}  // namespace stad
