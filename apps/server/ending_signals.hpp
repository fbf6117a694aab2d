#pragma once

#include <csignal>

namespace stad::server {

/// The signals that end a service in good order, blocked from here on in this thread and those it starts, for one to
/// wait for.
class EndingSignals {
 public:
  EndingSignals() {
    sigemptyset(&signals_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals_, signal);
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  }

  /// Until one comes; which it was.
  int wait() const {
    int signal = 0;
    sigwait(&signals_, &signal);
    return signal;
  }

 private:
  sigset_t signals_;
};

}  // namespace stad::server
