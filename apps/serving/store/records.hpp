#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace stad::serving {

/// Time stamp of records, events and messages.
inline double seconds_since_epoch() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// Identifies a stream.
struct StreamName {
  std::string model;
  std::string stream;  ///< empty: the model's default stream

  bool operator==(const StreamName&) const = default;
};

struct StreamNameHash {
  std::size_t operator()(const StreamName& name) const {
    return std::hash<std::string>()(name.stream) * 31 + std::hash<std::string>()(name.model);
  }
};

/// An answer kept so that a repeated request receives it again without a second adaptation step.
struct KeptAnswer {
  std::string key;                ///< Idempotency-Key, or the id of the request
  std::uint64_t digest = 0;       ///< of the request, see digest_of()
  std::int64_t json_length = -1;  ///< length of the JSON of a binary answer; -1: the body is JSON
  std::string body;

  bool operator==(const KeptAnswer&) const = default;
};

/// A stream as it is stored.
struct StreamRecord {
  std::string state;         ///< bytes of a state file
  std::int64_t batches = 0;  ///< adapted to
  std::int64_t rows = 0;
  double updated = 0;                     ///< seconds since the epoch
  std::vector<KeptAnswer> answers;        ///< oldest first
  std::vector<std::string> changes = {};  ///< since the state, oldest first, see ChangeLog
  bool only_changes = false;              ///< of a save: adds the changes to what is stored; the state stays as it is
};

/// One row of a listing of streams.
struct StreamSummary {
  std::string stream;
  std::int64_t batches = 0;
  std::int64_t rows = 0;
  double updated = 0;
  std::int64_t bytes = 0;  ///< of the state
};

/// One row of a listing of snapshots.
struct SnapshotSummary {
  std::int64_t id = 0;
  double created = 0;
  std::string note;  ///< reason given by the caller
  std::int64_t batches = 0;
  std::int64_t bytes = 0;
};

/// An administrative action on a stream or a model, for the list of events.
struct Event {
  double time = 0;
  StreamName name;
  std::string kind;         ///< "snapshot", "rollback", "reset", "restore", "delete", "mode", "model"
  std::string detail;       ///< one sentence
  std::string caller = {};  ///< name of the token; empty: the service itself
};

/// An event of this moment.
inline Event new_event(StreamName name, std::string kind, std::string detail, std::string caller) {
  return {.time = seconds_since_epoch(),
          .name = std::move(name),
          .kind = std::move(kind),
          .detail = std::move(detail),
          .caller = std::move(caller)};
}

/// A model that was added through the admin interface, or the mode of a configured one.
struct ModelRecord {
  std::string name;
  std::string specification;  ///< JSON, as the admin interface takes it
  std::string source;         ///< bytes of its classifier, npz; empty: a configured model
};

}  // namespace stad::serving
