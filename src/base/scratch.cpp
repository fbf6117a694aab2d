#include "base/scratch.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

namespace stad {
namespace {

constexpr std::size_t kCacheLine = 64;

struct FreeAligned {
  void operator()(std::byte* memory) const { ::operator delete (memory, std::align_val_t{kCacheLine}); }
};

/// Chunks do not move while in use. A further chunk is added if the current one is too small; once all memory is
/// returned, one chunk of the total size replaces them.
struct ScratchChunk {
  std::size_t size = 0;
  std::unique_ptr<std::byte, FreeAligned> memory;

  explicit ScratchChunk(std::size_t bytes)
      : size(bytes), memory(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kCacheLine}))) {}
};

struct ScratchStack {
  std::vector<ScratchChunk> chunks;
  std::size_t chunk = 0;  ///< index of the chunk in use
  std::size_t used = 0;   ///< bytes in use of that chunk
};

// initial-exec avoids a call for each access, which is measurable for small batches.
[[gnu::tls_model("initial-exec")]] constinit thread_local ScratchStack scratch_stack;

}  // namespace

Scratch::Scratch() : chunk_(scratch_stack.chunk), used_(scratch_stack.used) {}

Scratch::~Scratch() {
  scratch_stack.chunk = chunk_;
  scratch_stack.used = used_;
  if (chunk_ > 0 || used_ > 0 || scratch_stack.chunks.size() < 2) return;
  std::size_t total = 0;
  for (const ScratchChunk& chunk : scratch_stack.chunks) total += chunk.size;
  scratch_stack.chunks.clear();
  scratch_stack.chunks.emplace_back(total);
}

void* Scratch::bytes(std::size_t size) {
  constexpr std::size_t kLeastChunk = std::size_t{1} << 16;
  size = (size + kCacheLine - 1) / kCacheLine * kCacheLine;
  while (scratch_stack.chunk < scratch_stack.chunks.size() &&
         scratch_stack.chunks[scratch_stack.chunk].size - scratch_stack.used < size) {
    ++scratch_stack.chunk;
    scratch_stack.used = 0;
  }
  if (scratch_stack.chunk == scratch_stack.chunks.size())
    scratch_stack.chunks.emplace_back(std::max(size, kLeastChunk));
  void* const memory = scratch_stack.chunks[scratch_stack.chunk].memory.get() + scratch_stack.used;
  scratch_stack.used += size;
  return memory;
}

}  // namespace stad
