#pragma once

#include <chrono>
#include <string>

#include <stad/matrix.hpp>

namespace stad::cli {

class Stopwatch {
 public:
  double seconds() const;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// A bar on standard error, only where that is a terminal and the work has lasted about a second. It wipes itself.
class ProgressBar {
 public:
  explicit ProgressBar(std::string what, bool wanted = true);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// @param detail follows the bar, as far as the line is wide
  void show(Index done, Index all, const std::string& detail = "");
  void wipe();

 private:
  std::string what_;
  bool wanted_;
  bool shown_ = false;
  double next_ = 1;  // seconds
  Stopwatch watch_;
};

}  // namespace stad::cli
