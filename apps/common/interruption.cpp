#include "common/interruption.hpp"

#include <atomic>
#include <cstdlib>
#include <iterator>

namespace stad::cli {
namespace {

std::atomic<int> signal_seen = 0;  // read by every thread of a bench
static_assert(std::atomic<int>::is_always_lock_free, "set by a signal handler");

void record_signal(int signal) { signal_seen = signal; }

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

/// Records the first signal and restores the default action for the next one. A signal that the parent process set to
/// be ignored stays ignored. Returns the previous action.
struct sigaction install_handler(int signal) {
  struct sigaction before {};
  struct sigaction recording {};
  recording.sa_handler = record_signal;
  recording.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  sigaction(signal, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(signal, &recording, nullptr);
  return before;
}

}  // namespace

void Interrupted::end_process() const {
  std::signal(signal, SIG_DFL);
  std::raise(signal);
  std::_Exit(128 + signal);  // reached only if the signal is blocked
}

InterruptionWatch::InterruptionWatch() {
  for (std::size_t i = 0; i < std::size(kSignals); ++i) before_[i] = install_handler(kSignals[i]);
}

InterruptionWatch::~InterruptionWatch() {
  for (std::size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

bool InterruptionWatch::interrupted() const { return signal_seen != 0; }

void InterruptionWatch::check() const {
  if (interrupted()) throw Interrupted{signal_seen};
}

}  // namespace stad::cli
