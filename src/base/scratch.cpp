#include "base/scratch.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

namespace stad {
namespace {

constexpr std::size_t kCacheLine = 64;

struct Free {
  void operator()(std::byte* memory) const { ::operator delete (memory, std::align_val_t{kCacheLine}); }
};

/// Chunks never move while they are in use. One that is too small is followed by a larger one, and when all is given
/// back a single chunk takes the place of all.
struct Chunk {
  std::size_t size = 0;
  std::unique_ptr<std::byte, Free> memory;

  explicit Chunk(std::size_t bytes)
      : size(bytes), memory(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kCacheLine}))) {}
};

struct Stack {
  std::vector<Chunk> chunks;
  std::size_t chunk = 0;  ///< the one in use
  std::size_t used = 0;   ///< of that one
};

// The model of a program's own variables, though this is a library: a look-up each time would show in small batches.
[[gnu::tls_model("initial-exec")]] constinit thread_local Stack stack;

}  // namespace

Scratch::Scratch() : chunk_(stack.chunk), used_(stack.used) {}

Scratch::~Scratch() {
  stack.chunk = chunk_;
  stack.used = used_;
  if (chunk_ > 0 || used_ > 0 || stack.chunks.size() < 2) return;
  std::size_t total = 0;
  for (const Chunk& chunk : stack.chunks) total += chunk.size;
  stack.chunks.clear();
  stack.chunks.emplace_back(total);
}

void* Scratch::bytes(std::size_t size) {
  constexpr std::size_t kLeastChunk = std::size_t{1} << 16;
  size = (size + kCacheLine - 1) / kCacheLine * kCacheLine;
  while (stack.chunk < stack.chunks.size() && stack.chunks[stack.chunk].size - stack.used < size) {
    ++stack.chunk;
    stack.used = 0;
  }
  if (stack.chunk == stack.chunks.size()) stack.chunks.emplace_back(std::max(size, kLeastChunk));
  void* const memory = stack.chunks[stack.chunk].memory.get() + stack.used;
  stack.used += size;
  return memory;
}

}  // namespace stad
