#include "cluster/working/stream_at_hand.hpp"

#include "server/refusal.hpp"

namespace stad::cluster {

void continue_from(StreamAtHand& stream, KeptState kept) {
  try {
    if (!kept.state.empty())
      stream.learner.restore({.state = kept.state, .batches = kept.batches, .rows = kept.rows, .answers = {}});
  } catch (const server::Refusal& refusal) {
    if (refusal.status == 409)  // whole, but of another model
      server::refuse(409, refusal.message + "; a batch with sequence_start begins anew");
    throw Damaged(refusal.message);
  }
  stream.sequence = kept.sequence;
  stream.kept = std::move(kept);
  stream.kept.drop_bytes();
}

StreamAtHand* StreamsAtHand::find(const StreamName& name) {
  const auto found = places_.find(name);
  if (found == places_.end()) return nullptr;
  order_.splice(order_.begin(), order_, found->second);
  return &order_.front();
}

StreamAtHand& StreamsAtHand::add(StreamAtHand stream) {
  bytes_ += stream.bytes();
  order_.push_front(std::move(stream));
  places_[order_.front().name] = order_.begin();
  return order_.front();
}

void StreamsAtHand::clear() {
  order_.clear();
  places_.clear();
  bytes_ = 0;
}

void StreamsAtHand::erase(Order::iterator stream) {
  bytes_ -= stream->bytes();
  places_.erase(stream->name);
  order_.erase(stream);
}

void StreamsAtHand::make_room(std::int64_t bytes, const std::function<void(const StreamAtHand&)>& leaves) {
  for (auto place = order_.end(); bytes_ > bytes && place != order_.begin();) {
    const auto oldest = std::prev(place);
    if (oldest->is_dirty) {
      place = oldest;
    } else {
      leaves(*oldest);
      erase(oldest);
    }
  }
}

}  // namespace stad::cluster
