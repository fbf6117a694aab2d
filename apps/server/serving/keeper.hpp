#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <vector>

#include "server/serving/crew.hpp"
#include "server/serving/streams.hpp"
#include "server/store/store.hpp"

namespace stad::server {

/// When what was learned is on disk.
enum class Durability {
  kBatch,     ///< before its answer is sent
  kInterval,  ///< some moments later
  kNone,      ///< when the stream leaves memory or the service ends
};

std::string_view name_of(Durability durability);
/// Throws Refusal.
Durability durability_of(std::string_view name);

struct KeepingSettings {
  Durability durability = Durability::kInterval;
  std::chrono::milliseconds interval{1000};
  std::int64_t memory = 1'000'000'000;  ///< bytes for streams
  std::size_t kept_answers = 16;        ///< of each stream
};

/// Seconds since 1970.
double now_in_seconds();

/// Sees to it that what streams learn is on disk when it should be, and in memory while there is room.
class Keeper {
 public:
  Keeper(KeepingSettings settings, Store& store, Streams& streams, Crew& crew);

  /// Begins to save at intervals.
  void start();
  /// Saves whatever is not on disk. No errand may be submitted any more.
  void stop();

  /// With the turn: brings the stream into memory. Throws Refusal where what is on disk does not fit its model.
  void load(Stream& stream);
  /// With the turn: the stream has changed. `told` is called as soon as the answer may be sent.
  void changed(const StreamPointer& stream, Store::Done told);
  /// With the turn: the answer depends on what the stream has learned, and nothing has changed.
  void depended_on(const StreamPointer& stream, Store::Done told);
  /// With the turn: writes it now, whatever the durability. `done` is told when it is on disk.
  void save(const StreamPointer& stream, Store::Done done);
  /// One of the stream's model that has learned nothing. Throws Refusal where the model is served no longer.
  Learner new_learner(const Stream& stream) const;
  /// With the turn: what the stream goes on with, in the place of what it has in memory.
  void put(Stream& stream, Learner learner);
  /// With the turn: forgets the stream, here and on disk.
  void remove(Stream& stream, Store::Done done);
  /// With the turn: out of memory, unsaved or not.
  void unload(Stream& stream);
  /// With the turn: a stream that has learned nothing needs no place.
  void unload_if_empty(Stream& stream);

  std::int64_t resident_bytes() const { return resident_bytes_; }
  /// Seconds since the oldest change that is not on disk; 0 where everything is.
  double unsaved_age() const;

 private:
  void mark_dirty(const StreamPointer& stream);
  void tell_failure(bool has_failed);
  void count_bytes(Stream& stream);
  void save_again(const StreamPointer& stream, const std::string& reason);
  void begin_next_round();
  void save_dirty();
  void save_next();
  StreamPointer take_unsaved();
  void make_room();
  void park(const StreamPointer& stream);

  const KeepingSettings settings_;
  Store& store_;
  Streams& streams_;
  Crew& crew_;
  std::atomic<std::int64_t> resident_bytes_{0};
  std::atomic<std::int64_t> leaving_bytes_{0};  ///< of streams on their way out of memory

  mutable std::mutex mutex_;
  std::vector<StreamPointer> dirty_;
  double dirty_since_ = 0;
  std::vector<StreamPointer> saving_;  ///< of the present round
  double saving_since_ = 0;
  double failing_since_ = 0;  ///< the oldest change that could not be written; 0: all could
  int saves_under_way_ = 0;
};

}  // namespace stad::server
