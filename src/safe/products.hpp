#pragma once

#include <algorithm>
#include <span>

#include "math/eigen.hpp"

namespace stad::safe {

/// Rows that are read in place.
using ConstRows = Eigen::Map<const FloatRows>;

inline ConstRows as_rows(const FloatRows& rows) { return {rows.data(), rows.rows(), rows.cols()}; }
inline ConstRows as_rows(const FloatRowsMap& rows) { return {rows.data(), rows.rows(), rows.cols()}; }
inline ConstRows some_rows(const ConstRows& rows, Index first, Index count) {
  return {rows.data() + first * rows.cols(), count, rows.cols()};
}

/// The first largest.
inline Index label_of(std::span<const float> row) { return std::max_element(row.begin(), row.end()) - row.begin(); }

/// cosines(n, k) = rows_n . directions_k
void multiply(const ConstRows& rows, const ConstRows& directions, FloatRowsMap cosines);

/// What each class has heard: its mass sum_n shares(n, k), and sum_n shares(n, k) rows_n.
struct Heard {
  std::span<double> masses;  ///< K
  FloatRowsMap sums;         ///< K x D
};
void listen(const ConstRows& shares, const ConstRows& rows, Heard heard);

}  // namespace stad::safe
