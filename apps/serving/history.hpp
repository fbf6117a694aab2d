#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <stad/predictions.hpp>

namespace stad::serving {

/// Statistics of a stream over a span of time. Angles in radians.
struct HistoryPoint {
  double time = 0;  ///< end of the span, seconds since the epoch
  double span = 0;  ///< seconds
  std::int64_t batches = 0;
  std::int64_t rows = 0;
  double confidence = 0;  ///< of the adapted predictions, mean over rows
  std::optional<double> source_confidence;
  std::optional<double> flip_rate;
  std::optional<Warning> warning;  ///< last of the span
  std::optional<double> chains;    ///< share of the rows that label chains answered
  std::optional<Guard> guard;      ///< last of the span
  double entropy = 0;              ///< of the predictions in nats, mean over rows
  std::optional<double> dispersion;
  std::vector<float> movement;     ///< of each shown class
  std::vector<float> proportions;  ///< of each shown class

  /// Both spans as one: means are weighted by rows, values of a moment (dispersion, movement, guard) are those of
  /// `later`, and the warning is the worse of the two, so that a short one stays visible.
  HistoryPoint followed_by(const HistoryPoint& later) const;
};

/// The history of a stream in at most 48 points: when there are more, neighbours are joined and later points cover
/// longer spans. Points other than the last are packed into few bytes, since ten thousand streams have a history each;
/// their precision (float32, 16 bits for class figures) is that of a chart.
class History {
 public:
  void add(const HistoryPoint& point);
  std::size_t size() const { return packed_.size() + (last_ ? 1 : 0); }
  std::vector<HistoryPoint> points() const;

 private:
  /// A missing value is NaN.
  struct PackedPoint {
    double time, span;
    std::int64_t batches, rows;
    float confidence, source_confidence, flip_rate, chains, entropy, dispersion;
    float zeta, excess, autocorrelation;
    std::uint16_t movements, proportions;  ///< number of its values in class_figures_
    std::int8_t warning, held_by;          ///< -1: missing
  };

  void pack(const HistoryPoint& point);
  void join_neighbours();

  std::vector<PackedPoint> packed_;           ///< all but the last
  std::vector<std::uint16_t> class_figures_;  ///< of each packed point: its movements, its proportions
  std::optional<HistoryPoint> last_;
  double spacing_ = 0;  ///< seconds a point covers; the last one grows until it covers as much
};

/// Sums over one or more batches; those since the last point become the next one.
struct PointAccumulator {
  std::int64_t batches = 0;
  std::int64_t rows = 0;
  double confidence = 0;  ///< sums over rows, here and below
  double entropy = 0;
  double source_confidence = 0;
  std::int64_t source_rows = 0;  ///< rows of `source_confidence`
  std::int64_t compared = 0;     ///< rows whose label was compared with the source's
  std::int64_t flipped = 0;      ///< of them, rows whose labels differ
  std::int64_t chain_rows = 0;   ///< rows that label chains answered
  std::optional<Warning> warning;
  std::optional<Guard> guard;
  std::vector<double> answered;  ///< of each class, sum of probabilities

  /// Adds the sums of a later batch.
  void add(const PointAccumulator& later);
  HistoryPoint point(double start, double end) const;
};

}  // namespace stad::serving
