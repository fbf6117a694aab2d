#pragma once

#include <cstddef>
#include <new>
#include <span>
#include <vector>

namespace stad {

/// Sizes and positions. Signed, so that differences and descending loops are safe.
using Index = std::ptrdiff_t;

/// Non-owning view of row-major float32 rows.
struct MatrixView {
  const float* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index stride = 0;  ///< floats from one row to the next, at least cols

  MatrixView() = default;
  MatrixView(const float* data_, Index rows_, Index cols_) : MatrixView(data_, rows_, cols_, cols_) {}
  MatrixView(const float* data_, Index rows_, Index cols_, Index stride_)
      : data(data_), rows(rows_), cols(cols_), stride(stride_) {}

  std::span<const float> row(Index r) const { return {data + r * stride, static_cast<std::size_t>(cols)}; }
  MatrixView rows_from(Index first, Index count) const { return {data + first * stride, count, cols, stride}; }
};

/// Aligns every buffer to a cache line. Vectorised sums group their terms by alignment, so that bit-identical results
/// need equal alignment.
template <typename T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};

  CacheLineAllocator() = default;
  template <typename U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kAlignment)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, kAlignment); }
  bool operator==(const CacheLineAllocator&) const { return true; }
};

/// Owning row-major float32 matrix.
class Matrix {
 public:
  Matrix() = default;
  Matrix(Index rows, Index cols) : rows_(rows), cols_(cols), values_(static_cast<std::size_t>(rows * cols)) {}

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index size() const { return rows_ * cols_; }
  bool empty() const { return values_.empty(); }

  float* data() { return values_.data(); }
  const float* data() const { return values_.data(); }
  float& operator()(Index r, Index c) { return values_[static_cast<std::size_t>(r * cols_ + c)]; }
  float operator()(Index r, Index c) const { return values_[static_cast<std::size_t>(r * cols_ + c)]; }
  std::span<float> row(Index r) { return {data() + r * cols_, static_cast<std::size_t>(cols_)}; }
  std::span<const float> row(Index r) const { return {data() + r * cols_, static_cast<std::size_t>(cols_)}; }

  /// Changes the shape and leaves the values unspecified; keeps the memory if it is large enough.
  void resize(Index rows, Index cols) {
    rows_ = rows;
    cols_ = cols;
    values_.resize(static_cast<std::size_t>(rows * cols));
  }

  MatrixView view() const { return {data(), rows_, cols_}; }
  operator MatrixView() const { return view(); }
  bool operator==(const Matrix&) const = default;

 private:
  Index rows_ = 0;
  Index cols_ = 0;
  std::vector<float, CacheLineAllocator<float>> values_;
};

}  // namespace stad
