#pragma once

#include <cmath>

namespace stad::safe {

/// What a sum keeps after `rows` more have come, if it remembers about `memory` of them. By rows and not by batches: a
/// stream is judged alike however it is cut.
inline double kept(double rows, double memory) { return std::exp(-rows / memory); }

/// Rows that judgements are made from: how often classifiers agree, whether labels persist. Long enough that a rate is
/// known to a point or two, short enough to notice a change within a few batches.
inline constexpr double kJudgedRows = 1000;
inline const double kKeptByJudges = kept(1, kJudgedRows);  ///< when one row comes

/// Rows of any class after which what a class has heard is a third of what it was: with many classes its own rows come
/// too seldom to tell it that the world has moved on. It falls back to its source direction then.
inline constexpr double kLongestMemory = 2000;

/// A mean over the last rows that starts from an opinion worth some rows.
struct MovingMean {
  double sum = 0;
  double weight = 0;

  static MovingMean starting_at(double value, double rows) { return {value * rows, rows}; }
  void add(double value) {
    sum = kKeptByJudges * sum + value;
    weight = kKeptByJudges * weight + 1;
  }
  double value() const { return weight > 0 ? sum / weight : 0; }
};

}  // namespace stad::safe
