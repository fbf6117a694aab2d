#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "server/protocol/infer_request.hpp"
#include "server/protocol/infer_response.hpp"
#include "server/refusal.hpp"

namespace stad::server {

class Stream;

using InferOutcome = std::variant<InferResponse, Refusal>;

/// A request that waits for its stream.
struct InferErrand {
  using Clock = std::chrono::steady_clock;

  InferRequest request;
  std::string key;                         ///< under which the answer is kept; empty: it is not
  bool key_is_strict = false;              ///< a key that promises to be used once
  std::uint64_t digest = 0;                ///< of what is asked, where there is a key
  std::function<void(InferOutcome)> done;  ///< called once, from any thread; must not block
  Clock::time_point arrived = Clock::now();
};

/// Anything else that needs the stream to itself. Must not throw.
using OtherErrand = std::function<void(Stream&)>;
using Errand = std::variant<InferErrand, OtherErrand>;

/// How far requests that wait are answered together.
struct Gathering {
  Index max_batch = 0;  ///< rows; 0: each by itself
  std::chrono::microseconds max_delay{0};
};

/// Errands of one stream in the order they came, and whose turn it is. One thread at a time has the turn.
class ErrandQueue {
 public:
  using Clock = InferErrand::Clock;

  explicit ErrandQueue(Gathering gathering) : gathering_(gathering) {}

  /// True: nobody had the turn and the caller has it now.
  bool push(Errand errand);

  /// With the turn. One errand, or requests to be answered together. None, and `wait_until`: the turn was laid down
  /// until then, when take_up() may give it back. None at all: nothing waits and the turn was given up.
  struct Next {
    std::vector<InferErrand> requests;
    OtherErrand other;
    std::optional<Clock::time_point> wait_until;
    std::uint64_t ticket = 0;  ///< for take_up()
  };
  Next next();
  /// True: the caller has the turn that was laid down with this ticket. False: a full batch was served before.
  bool take_up(std::uint64_t ticket);

  /// What waits is not done any more.
  void clear();

  /// Whether nothing waits.
  bool is_empty() const;
  /// Whether nothing waits and nobody has the turn.
  bool is_idle() const;

 private:
  enum class Turn { kFree, kTaken, kLaidDown };

  /// How many errands from the front may be answered as one batch.
  std::size_t gathered() const;
  Index waiting_rows() const;

  const Gathering gathering_;
  mutable std::mutex mutex_;
  std::list<Errand> waiting_;  ///< costs nothing while it is empty, as it is in most of many streams
  Turn turn_ = Turn::kFree;
  std::uint64_t ticket_ = 0;
};

}  // namespace stad::server
