#include "interruption.hpp"

#include <csignal>
#include <cstdlib>

namespace stad::cli {
namespace {

volatile std::sig_atomic_t signal_seen = 0;

void note_signal(int signal) { signal_seen = signal; }

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(signal, &action, nullptr);
}

}  // namespace

void Interrupted::end_process() const {
  handle(signal, SIG_DFL, 0);
  std::raise(signal);
  std::_Exit(128 + signal);  // only where the signal is blocked
}

InterruptionWatch::InterruptionWatch() {
  handle(SIGINT, note_signal, SA_RESTART | static_cast<int>(SA_RESETHAND));
  handle(SIGTERM, note_signal, SA_RESTART | static_cast<int>(SA_RESETHAND));
}

InterruptionWatch::~InterruptionWatch() {
  handle(SIGINT, SIG_DFL, 0);
  handle(SIGTERM, SIG_DFL, 0);
}

bool InterruptionWatch::interrupted() const { return signal_seen != 0; }

void InterruptionWatch::check() const {
  if (interrupted()) throw Interrupted{signal_seen};
}

}  // namespace stad::cli
