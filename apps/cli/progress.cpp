#include "progress.hpp"

#include <unistd.h>

#include <cstdio>
#include <utility>

namespace stad::cli {
namespace {

constexpr int kCells = 30;
constexpr double kPause = 0.1;  // seconds between two pictures

}  // namespace

double Stopwatch::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

ProgressBar::ProgressBar(std::string what, bool wanted)
    : what_(std::move(what)), wanted_(wanted && isatty(STDERR_FILENO)) {}

ProgressBar::~ProgressBar() { wipe(); }

void ProgressBar::wipe() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

void ProgressBar::show(Index done, Index all) {
  if (!wanted_ || all <= 0) return;
  const double now = watch_.seconds();
  if (now < next_) return;
  next_ = now + kPause;
  shown_ = true;
  const double share = static_cast<double>(done) / static_cast<double>(all);
  const std::string bar(static_cast<std::size_t>(share * kCells), '#');
  std::fprintf(stderr, "\r%s [%-*s] %3.0f %%\033[K", what_.c_str(), kCells, bar.c_str(), 100 * share);
  std::fflush(stderr);
}

}  // namespace stad::cli
