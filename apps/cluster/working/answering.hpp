#pragma once

#include <cstdint>
#include <vector>

#include "cluster/nats/outbox.hpp"
#include "cluster/owning/lease.hpp"
#include "cluster/working/answer.hpp"
#include "cluster/working/stream_shelf.hpp"
#include "cluster/working/workplace.hpp"

namespace stad::cluster {

/// What a partition makes of its messages: answers or refuses each with the streams at hand, and sends the results so
/// that those of a stream stay in their order. Used by one thread.
class Answering {
 public:
  Answering(const Workplace& workplace, const Claim& claim);

  /// @param position all messages up to this sequence are committed
  void take(const Delivery& delivery, std::uint64_t position);
  /// The results are kept, and those who wait for them are told.
  void settle();
  /// What was learned is kept.
  void keep() { shelf_.keep(outbox_); }
  StreamShelf& shelf() { return shelf_; }
  /// Forgets all that was not kept.
  void clear();

 private:
  void learn(const StreamName& name, const Delivery& delivery, std::uint64_t position);
  void learn_anew(const StreamName& name, const Delivery& delivery);
  StreamAtHand* open(const StreamName& name, const Delivery& delivery, std::uint64_t position);
  bool is_repeated(const StreamAtHand& stream, const Delivery& delivery) const;
  void send(const Delivery& delivery, const Answered& answered);
  void send_dead(const Delivery& delivery, const Answered& answered);

  const Workplace& place_;
  const Claim& claim_;
  StreamShelf shelf_;
  Outbox outbox_;
  std::vector<Message> replies_;  ///< for those who wait, once the results are kept
  std::uint64_t round_ = 1;       ///< grows when all results that were sent are kept
};

}  // namespace stad::cluster
