#include "server/serving/stream_table.hpp"

#include <utility>

namespace stad::server {

StreamTable::Pushed StreamTable::push(const StreamName& name, const ModelPointer& model, Errand errand) {
  const std::scoped_lock lock(mutex_);
  const auto [place, is_new] = places_.try_emplace(name);
  if (is_new) {
    order_.push_front(std::make_shared<Stream>(name, model));
    place->second = order_.begin();
    ++counts_[name.model];
  } else {
    order_.splice(order_.begin(), order_, place->second);
    // Of a model that was removed and came back: the last errands of the old one are no business of the new.
    if (order_.front()->model()->is_retired() && !model->is_retired())
      order_.front() = std::make_shared<Stream>(name, model);
  }
  const StreamPointer& stream = order_.front();
  return {stream, stream->queue.push(std::move(errand))};
}

StreamTable::Pushed StreamTable::push_if_present(const StreamName& name, Errand errand) {
  const std::scoped_lock lock(mutex_);
  const auto place = places_.find(name);
  if (place == places_.end()) return {};
  const StreamPointer& stream = *place->second;
  return {stream, stream->queue.push(std::move(errand))};
}

void StreamTable::remove_if_empty(const StreamPointer& stream) {
  const std::scoped_lock lock(mutex_);
  const auto place = places_.find(stream->name());
  // Nobody has the turn and nobody can get it while the table is held: what belongs to it may be looked at.
  if (place == places_.end() || *place->second != stream || !stream->queue.is_idle() || stream->learner) return;
  order_.erase(place->second);
  places_.erase(place);
  if (--counts_[stream->name().model] == 0) counts_.erase(stream->name().model);
}

std::vector<StreamPointer> StreamTable::oldest(std::size_t count) const {
  const std::scoped_lock lock(mutex_);
  std::vector<StreamPointer> streams;
  for (auto place = order_.rbegin(); place != order_.rend() && streams.size() < count; ++place)
    streams.push_back(*place);
  return streams;
}

std::vector<StreamPointer> StreamTable::of_model(const std::string& model) const {
  const std::scoped_lock lock(mutex_);
  std::vector<StreamPointer> streams;
  for (const auto& stream : order_)
    if (stream->name().model == model) streams.push_back(stream);
  return streams;
}

std::size_t StreamTable::size() const {
  const std::scoped_lock lock(mutex_);
  return order_.size();
}

std::size_t StreamTable::size(const std::string& model) const {
  const std::scoped_lock lock(mutex_);
  const auto found = counts_.find(model);
  return found == counts_.end() ? 0 : found->second;
}

}  // namespace stad::server
