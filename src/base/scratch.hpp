#pragma once

#include <cstddef>
#include <span>

#include <stad/matrix.hpp>

namespace stad {

/// Temporary memory for the duration of a call, from a stack of the thread that all adapters share. The stack keeps its
/// size between calls, so that the steady state allocates nothing.
///
///   Scratch scratch;
///   const std::span<float> logits = scratch.take<float>(rows * classes);  // valid as long as `scratch`
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// Uninitialised values that begin on a cache line. Call it on the innermost Scratch of the thread only.
  template <typename T>
  std::span<T> take(Index count) {
    return {static_cast<T*>(bytes(static_cast<std::size_t>(count) * sizeof(T))), static_cast<std::size_t>(count)};
  }

 private:
  static void* bytes(std::size_t size);

  std::size_t chunk_;  ///< position of the stack on construction
  std::size_t used_;
};

}  // namespace stad
