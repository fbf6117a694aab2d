#include "safe/surprise.hpp"

#include <algorithm>

namespace stad::safe {
namespace {

constexpr double kSurpriseChunk = 64;        // rows that are compared with those before: one alone may be odd
constexpr double kLevelChunks = 4;   // that tell how rows fit now
constexpr double kErrorChunks = 40;  // that tell how far below it they usually fall
constexpr double kFewestChunks = 8;  // since the last surprise
constexpr double kFewestFalls = 16;  // before anything is surprising
constexpr double kFar = 7;           // such falls
constexpr double kLeastFall = 0.1;   // of the level: a smaller one is no other world
constexpr double kMostFalls = 3;     // that one chunk counts: the odd one shall not hide the next
constexpr double kLeastUsual = 1e-3;

}  // namespace

bool Surprise::observe(double fit, Index rows) {
  fit_ += fit;
  rows_ += static_cast<double>(rows);
  if (rows_ < kSurpriseChunk) return false;
  const bool surprised = compare(fit_ / rows_);
  fit_ = rows_ = 0;
  return surprised;
}

bool Surprise::compare(double fit) {
  const double gain = chunks_ > 0 ? fit - level_ : 0;
  const bool ready = chunks_ >= kFewestChunks && falls_ >= kFewestFalls;
  const bool surprised = ready && gain < -std::max(kFar * fall_, kLeastFall * level_);
  if (surprised) chunks_ = 0;
  chunks_ = std::min(chunks_ + 1, kErrorChunks);
  level_ = chunks_ == 1 ? fit : level_ + gain / std::min(chunks_, kLevelChunks);
  if (!surprised) {
    // Rows fall below their level half of the time; while they fit better and better they hardly do.
    falls_ = std::min(falls_ + 1, kErrorChunks);
    const double most = falls_ > kFewestChunks ? kMostFalls * std::max(fall_, kLeastUsual) : 1;
    fall_ += (std::clamp(-2 * gain, 0.0, most) - fall_) / falls_;
  }
  return surprised;
}

}  // namespace stad::safe
