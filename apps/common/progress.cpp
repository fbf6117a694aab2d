#include "common/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "common/terminal.hpp"

namespace stad::cli {
namespace {

constexpr int kCells = 30;
constexpr double kRedrawInterval = 0.1;  // seconds

/// One column short of the terminal, so that the line never wraps.
std::size_t line_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2) return 79;
  return size.ws_col - 1;
}

}  // namespace

double WallTimer::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

ProgressBar::ProgressBar(std::string title, bool enabled)
    : title_(std::move(title)), enabled_(enabled && isatty(STDERR_FILENO)) {}

ProgressBar::~ProgressBar() { wipe(); }

void ProgressBar::wipe() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

void ProgressBar::show(Index done, Index all, const std::string& detail) {
  if (!enabled_ || all <= 0) return;
  const double now = timer_.seconds();
  if (now < next_) return;
  next_ = now + kRedrawInterval;
  shown_ = true;
  const double share = static_cast<double>(done) / static_cast<double>(all);
  const std::string bar(static_cast<std::size_t>(share * kCells), '#');
  const std::string line = fmt::format("{} [{:<{}}] {:3.0f} %{}{}", title_, bar, kCells, 100 * share,
                                       detail.empty() ? "" : "  ", printable(detail));
  std::fprintf(stderr, "\r%s\033[K", line.substr(0, line_width()).c_str());
  std::fflush(stderr);
}

}  // namespace stad::cli
