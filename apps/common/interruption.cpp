#include "common/interruption.hpp"

#include <atomic>
#include <cstdlib>
#include <iterator>

namespace stad::cli {
namespace {

std::atomic<int> signal_seen = 0;  // read by every thread of a bench
static_assert(std::atomic<int>::is_always_lock_free, "set by a signal handler");

void note_signal(int signal) { signal_seen = signal; }

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

/// Notes the signal once; a second one finds the default action. What the parent told us to ignore stays ignored.
struct sigaction watch(int signal) {
  struct sigaction before {};
  struct sigaction noting {};
  noting.sa_handler = note_signal;
  noting.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  sigaction(signal, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(signal, &noting, nullptr);
  return before;
}

}  // namespace

void Interrupted::end_process() const {
  std::signal(signal, SIG_DFL);
  std::raise(signal);
  std::_Exit(128 + signal);  // only where the signal is blocked
}

InterruptionWatch::InterruptionWatch() {
  for (std::size_t i = 0; i < std::size(kSignals); ++i) before_[i] = watch(kSignals[i]);
}

InterruptionWatch::~InterruptionWatch() {
  for (std::size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

bool InterruptionWatch::interrupted() const { return signal_seen != 0; }

void InterruptionWatch::check() const {
  if (interrupted()) throw Interrupted{signal_seen};
}

}  // namespace stad::cli
