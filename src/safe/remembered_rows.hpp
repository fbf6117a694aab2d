#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "safe/products.hpp"
#include "safe/verdicts.hpp"

namespace stad::safe {

/// Rows for which a label may still come: where they point, what they have told the prototypes, and what was answered.
/// The newest few hundred; none, and no memory, as long as no row comes with an id. [safe-labels]
class RememberedRows {
 public:
  static constexpr Index kMost = 512;
  static constexpr Index kNone = -1;

  RememberedRows(Index classes, Index dimension);

  bool in_use() const { return !ids_.empty(); }
  void clear() { *this = RememberedRows(classes_, dimension_); }

  /// The rows that were just learned from, by their responsibilities. The oldest make room.
  void remember(std::span<const std::int64_t> ids, const ConstRows& rows, const ConstRows& responsibilities);
  /// What was said of those rows.
  void note(std::span<const Opinions> opinions);

  /// Classes have heard rows with these responsibilities, and keep that share of what they had heard. Both before
  /// remember().
  void hear(const ConstRows& responsibilities);
  void fade(double share);

  /// The place of the newest row of that name, or kNone.
  Index find(std::int64_t id) const;

  std::span<const float> row(Index place) const { return row_of(rows_, place); }
  std::span<float> responsibilities(Index place) { return row_of(responsibilities_, place); }
  double heard_since(Index place, Index k) const;  ///< rows that class k has heard since
  double kept_since(Index place) const;            ///< the share that all classes keep of what they had heard then
  Opinions opinions(Index place) const { return {source_[place], mixture_[place], adapted_[place]}; }
  Index label(Index place) const { return labels_[place]; }  ///< as observed, or kNone
  void set_label(Index place, Index label) { labels_[place] = label; }

  template <typename Visitor>
  void visit(Visitor&& visit) {
    prepare();
    visit.rows("rows", rows_);
    visit.probabilities("responsibilities", responsibilities_);
    visit.rows("heard_then", heard_then_);
    visit.numbers("heard", heard_, 0, kMostHeard);
    visit.numbers("faded_then", faded_then_, -kMostHeard, 0);
    visit.number("faded", faded_, -kMostHeard, 0);
    visit.names("ids", ids_);
    visit.labels("source", source_);
    visit.labels("mixture", mixture_);
    visit.labels("adapted", adapted_);
    visit.labels("labels", labels_);
    visit.place("newest", newest_, kMost);
  }

 private:
  static constexpr double kMostHeard = 1e15;

  void prepare();
  Index slot_after(Index place) const { return place + 1 < kMost ? place + 1 : 0; }

  Index classes_;
  Index dimension_;
  // All have kMost places once there is something to remember. A place that is empty has no source label.
  FloatRows rows_;              ///< D
  FloatRows responsibilities_;  ///< K
  DoubleRows heard_then_;       ///< K: rows that each class had heard when this row was learned from
  std::vector<double> heard_;   ///< K: the same now
  std::vector<double> faded_then_;
  double faded_ = 0;  ///< logarithm of what all classes have kept
  std::vector<std::int64_t> ids_;
  std::vector<Index> source_;
  std::vector<Index> mixture_;
  std::vector<Index> adapted_;
  std::vector<Index> labels_;
  Index newest_ = kMost - 1;
};

}  // namespace stad::safe
