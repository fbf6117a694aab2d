#pragma once

#include <algorithm>
#include <span>

#include "math/eigen.hpp"

namespace stad::safe {

/// The last rows of a sequence, up to a capacity, in a ring.
template <typename Scalar>
class RecentRows {
 public:
  RecentRows(Index capacity, Index width) : rows_(Rows<Scalar>::Zero(capacity, width)) {}

  /// Overwrites the oldest row if the ring is full.
  void add(std::span<const Scalar> row) {
    std::ranges::copy(row, row_of(rows_, next_).begin());
    next_ = (next_ + 1) % rows_.rows();
    count_ = std::min(count_ + 1, rows_.rows());
  }

  Index count() const { return count_; }
  bool is_full() const { return count_ == rows_.rows(); }
  /// Position that the next row is written to; the oldest row if the ring is full.
  Index next() const { return next_; }
  const Rows<Scalar>& rows() const { return rows_; }  ///< the first count() of them are set

  /// @param rows in the order of rows()
  void restore(const Rows<Scalar>& rows, Index next) {
    rows_.topRows(rows.rows()) = rows;
    count_ = rows.rows();
    next_ = next;
  }

 private:
  Rows<Scalar> rows_;
  Index count_ = 0;
  Index next_ = 0;
};

}  // namespace stad::safe
