#include "safe/surprise.hpp"

#include <algorithm>
#include <cmath>

#include "safe/forgetting.hpp"

namespace stad::safe {
namespace {

constexpr double kChunk = 64;             // rows that are compared with those before: one alone may be odd
constexpr double kRememberedChunks = 16;  // about as many rows as other judgements are made from
constexpr double kFewestChunks = 8;       // that a spread is known from
constexpr double kFar = 4;                // standard deviations
constexpr double kLeastDeviation = 1e-3;

}  // namespace

bool Surprise::observe(double fit, Index rows) {
  fit_ += fit;
  rows_ += static_cast<double>(rows);
  if (rows_ < kChunk) return false;
  const double mean = fit_ / rows_;
  const bool surprised = is_far_below(mean);
  if (surprised) chunks_ = sum_ = squares_ = 0;
  const double keep = kept(1, kRememberedChunks);
  chunks_ = keep * chunks_ + 1;
  sum_ = keep * sum_ + mean;
  squares_ = keep * squares_ + mean * mean;
  fit_ = rows_ = 0;
  return surprised;
}

bool Surprise::is_far_below(double fit) const {
  if (chunks_ < kFewestChunks) return false;
  const double mean = sum_ / chunks_;
  const double variance = squares_ / chunks_ - mean * mean;
  return fit < mean - kFar * std::max(std::sqrt(std::max(variance, 0.0)), kLeastDeviation);
}

}  // namespace stad::safe
