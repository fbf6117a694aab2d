#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <stad/predictions.hpp>

namespace stad::server {

/// A stretch of a stream's life in figures. Angles in radians.
struct Point {
  double time = 0;  ///< of its end, seconds since 1970
  double span = 0;  ///< seconds
  std::int64_t batches = 0;
  std::int64_t rows = 0;
  double confidence = 0;  ///< of the adapted answers, mean over rows
  std::optional<double> source_confidence;
  std::optional<double> flip_rate;
  AccuracyEstimate accuracy;
  std::optional<double> trust;
  double entropy = 0;  ///< of the answers in nats, mean over rows
  std::optional<double> dispersion;
  std::vector<float> movement;     ///< of each class shown
  std::vector<float> proportions;  ///< of each class shown

  /// The two stretches as one. What describes a moment is the later one's.
  Point followed_by(const Point& later) const;
};

/// A stream's whole life in few points: when they are too many, neighbours become one and later points are longer.
/// Ten thousand streams have one each, so points that no longer grow are kept in few bytes, as exact as a chart is.
class History {
 public:
  void add(const Point& point);
  bool is_empty() const { return !last_; }
  std::vector<Point> points() const;

 private:
  /// What a stream does not tell is NaN.
  struct KeptPoint {
    double time, span;
    std::int64_t batches, rows, judged_rows;
    float correct, doubted, variance;
    float confidence, source_confidence, flip_rate, trust, entropy, dispersion;
    std::uint16_t movements, proportions;  ///< how many of the class figures are its own
  };

  void keep(const Point& point);
  void join_neighbours();

  std::vector<KeptPoint> kept_;               ///< all but the last
  std::vector<std::uint16_t> class_figures_;  ///< of each kept point: its movements, its proportions
  std::optional<Point> last_;
  double spacing_ = 0;  ///< seconds a point covers, but for the last, which may still grow
};

/// What batches add up to until they become a point.
struct Tally {
  std::int64_t batches = 0;
  std::int64_t rows = 0;
  double confidence = 0;  ///< sums over rows, here and below
  double entropy = 0;
  double source_confidence = 0;
  std::int64_t source_rows = 0;  ///< rows the source was asked about
  std::int64_t flipped = 0;      ///< those it answers otherwise
  AccuracyEstimate accuracy;
  std::optional<double> trust;
  std::vector<double> answered;  ///< of each class, sum of probabilities

  Point point(double start, double end) const;
};

}  // namespace stad::server
