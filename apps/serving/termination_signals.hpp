#pragma once

#include <csignal>

namespace stad::serving {

/// SIGINT, SIGTERM and SIGHUP, blocked from construction on in this thread and those it starts, so that one thread can
/// wait for them and end the program in order.
class TerminationSignals {
 public:
  TerminationSignals() {
    sigemptyset(&signals_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals_, signal);
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  }

  /// Blocks until one of the signals arrives; returns its number.
  int wait() const {
    int signal = 0;
    sigwait(&signals_, &signal);
    return signal;
  }

 private:
  sigset_t signals_{};
};

}  // namespace stad::serving
