#pragma once

#include <cstddef>
#include <list>
#include <unordered_map>
#include <utility>

namespace stad::serving {

/// A map whose entries are ordered by their last use, the most recent first. Lookup, insertion and removal take
/// constant time; references to values stay valid until their entry is erased. Not synchronized.
template <typename Key, typename Value, typename Hash>
class LruMap {
 public:
  using Order = std::list<std::pair<const Key, Value>>;
  using iterator = typename Order::iterator;

  /// The value, which becomes the most recently used one; null where there is none.
  Value* find(const Key& key) {
    Value* value = peek(key);
    if (value) order_.splice(order_.begin(), order_, places_.at(key));
    return value;
  }
  /// The value without a change of the order; null where there is none.
  Value* peek(const Key& key) {
    const auto found = places_.find(key);
    return found == places_.end() ? nullptr : &found->second->second;
  }
  /// Adds a value as the most recently used one. The key must be new.
  Value& insert(const Key& key, Value value) {
    order_.emplace_front(key, std::move(value));
    places_.emplace(key, order_.begin());
    return order_.front().second;
  }
  /// Returns the entry after the one erased, which was used less recently.
  iterator erase(iterator entry) {
    places_.erase(entry->first);
    return order_.erase(entry);
  }
  void erase(const Key& key) {
    if (const auto found = places_.find(key); found != places_.end()) erase(found->second);
  }
  void clear() {
    places_.clear();
    order_.clear();
  }

  iterator begin() { return order_.begin(); }
  iterator end() { return order_.end(); }
  auto begin() const { return order_.begin(); }
  auto end() const { return order_.end(); }
  auto rbegin() const { return order_.rbegin(); }
  auto rend() const { return order_.rend(); }
  std::size_t size() const { return order_.size(); }

 private:
  Order order_;  ///< most recently used first
  std::unordered_map<Key, iterator, Hash> places_;
};

}  // namespace stad::serving
