#pragma once

#include <csignal>

namespace stad::cli {

/// Thrown after a signal that requests the end of the process.
struct Interrupted {
  int signal;

  /// Ends the process by the default action of the signal, so that shells and scripts see the cause.
  [[noreturn]] void end_process() const;
};

/// During its lifetime SIGINT, SIGTERM and SIGHUP set a flag instead of ending the process, so that files are written
/// completely or not at all. A second signal of the same kind ends the process at once.
class InterruptionWatch {
 public:
  InterruptionWatch();
  ~InterruptionWatch();
  InterruptionWatch(const InterruptionWatch&) = delete;
  InterruptionWatch& operator=(const InterruptionWatch&) = delete;

  bool interrupted() const;
  /// Throws Interrupted after a signal.
  void check() const;

 private:
  struct sigaction before_[3]{};
};

}  // namespace stad::cli
