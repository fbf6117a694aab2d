#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "server/serving/errand_queue.hpp"
#include "server/serving/learner.hpp"

namespace stad::server {

/// One stream of one model: the queue of its errands, and, for whoever has the turn, what it has learned.
class Stream : public std::enable_shared_from_this<Stream> {
 public:
  Stream(StreamName name, ModelPointer model)
      : name_(std::move(name)),
        model_(std::move(model)),
        queue({model_->specification().max_batch, model_->specification().max_delay}) {}

  const StreamName& name() const { return name_; }
  const ModelPointer& model() const { return model_; }

 private:
  const StreamName name_;
  const ModelPointer model_;

 public:
  ErrandQueue queue;

  // The rest belongs to the holder of the turn.
  std::optional<Learner> learner;  ///< none: not in memory; on disk, or not at all
  std::int64_t counted_bytes = 0;  ///< of memory
  bool is_dirty = false;           ///< has learned what no save was asked for
  /// Asked for and not yet on disk; counted down by the store's thread.
  std::atomic<std::int64_t> saves_under_way{0};
};

using StreamPointer = std::shared_ptr<Stream>;

}  // namespace stad::server
