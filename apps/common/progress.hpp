#pragma once

#include <chrono>
#include <string>

#include <stad/matrix.hpp>

namespace stad::cli {

/// Measures elapsed time from its construction.
class WallTimer {
 public:
  double seconds() const;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// A progress bar on standard error. It appears only where standard error is a terminal and the work has lasted for a
/// second, and clears its line when it is destroyed.
class ProgressBar {
 public:
  explicit ProgressBar(std::string title, bool enabled = true);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Redraws the bar, at most ten times a second.
  /// @param detail text after the bar, cut at the width of the terminal
  void show(Index done, Index all, const std::string& detail = "");
  void wipe();

 private:
  std::string title_;
  bool enabled_;
  bool shown_ = false;
  double next_ = 1;  // seconds after which the bar is drawn again
  WallTimer timer_;
};

}  // namespace stad::cli
