#pragma once

#include <csignal>

namespace stad::cli {

/// Thrown where the command notices that it was asked to stop.
struct Interrupted {
  int signal;

  /// Ends the process by the signal's default action, so that shells and scripts see why.
  [[noreturn]] void end_process() const;
};

/// While one lives, SIGINT, SIGTERM and SIGHUP only raise a flag, so that files are written whole or not at all. A
/// second signal of the same kind ends the process at once.
class InterruptionWatch {
 public:
  InterruptionWatch();
  ~InterruptionWatch();
  InterruptionWatch(const InterruptionWatch&) = delete;
  InterruptionWatch& operator=(const InterruptionWatch&) = delete;

  bool interrupted() const;
  /// Throws Interrupted if it was.
  void check() const;

 private:
  struct sigaction before_[3]{};
};

}  // namespace stad::cli
