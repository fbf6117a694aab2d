#include "alignment/shifted_allocations.hpp"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t kLine = 64;
std::atomic<std::size_t> shift = 0;

/// The address of the whole block is kept in front of the part that is handed out.
void* allocate(std::size_t size, std::size_t alignment) {
  const std::size_t unit = alignment > kLine ? alignment : kLine;
  void* const whole = std::malloc(size + 2 * unit + sizeof(void*));
  if (!whole) throw std::bad_alloc();
  std::uintptr_t address = reinterpret_cast<std::uintptr_t>(whole) + sizeof(void*);
  address = (address + unit - 1) / unit * unit;
  if (alignment <= alignof(std::max_align_t)) address += shift;
  reinterpret_cast<void**>(address)[-1] = whole;
  return reinterpret_cast<void*>(address);
}

void release(void* block) {
  if (block) std::free(static_cast<void**>(block)[-1]);
}

}  // namespace

void stad::testing::shift_allocations(std::size_t bytes) { shift = bytes; }

void* operator new(std::size_t size) { return allocate(size, 1); }
void* operator new[](std::size_t size) { return allocate(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept { release(block); }
void operator delete[](void* block) noexcept { release(block); }
void operator delete(void* block, std::size_t) noexcept { release(block); }
void operator delete[](void* block, std::size_t) noexcept { release(block); }
void operator delete(void* block, std::align_val_t) noexcept { release(block); }
void operator delete[](void* block, std::align_val_t) noexcept { release(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { release(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { release(block); }
