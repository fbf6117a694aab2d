#pragma once

#include <cstdint>
#include <vector>

#include "cluster/nats/publisher.hpp"
#include "cluster/ownership/lease.hpp"
#include "cluster/worker/answer.hpp"
#include "cluster/worker/stream_cache.hpp"
#include "cluster/worker/worker_context.hpp"

namespace stad::cluster {

/// Answers or rejects the messages of a partition and publishes the results such that those of a stream stay in order.
/// Used by one thread.
class MessageProcessor {
 public:
  MessageProcessor(const WorkerContext& context, const Claim& claim);

  /// @param position all messages up to this sequence are committed
  void process(const Delivery& delivery, std::uint64_t position);
  /// Waits until all results are stored, then sends the replies.
  void flush();
  /// Writes the states of changed streams.
  void save() { cache_.save(publisher_); }
  StreamCache& cache() { return cache_; }
  /// Discards everything that was not saved.
  void clear();

 private:
  void adapt(const StreamName& name, const Delivery& delivery, std::uint64_t position);
  void adapt_restarted(const StreamName& name, const Delivery& delivery);
  CachedStream* open(const StreamName& name, const Delivery& delivery, std::uint64_t position);
  bool is_repeated(const CachedStream& stream, const Delivery& delivery) const;
  void send(const Delivery& delivery, const ProcessedMessage& processed);
  void send_dead(const Delivery& delivery, const ProcessedMessage& processed);

  const WorkerContext& context_;
  const Claim& claim_;
  StreamCache cache_;
  AsyncPublisher publisher_;
  std::vector<NatsMessage> replies_;  ///< sent once the results are stored
  std::uint64_t round_ = 1;           ///< incremented when all sent results are stored
};

}  // namespace stad::cluster
