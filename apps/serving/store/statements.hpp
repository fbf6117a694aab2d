#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "serving/store/change_journal.hpp"
#include "serving/store/sqlite.hpp"
#include "serving/store/store.hpp"

namespace stad::serving {

/// Hash that identifies a kept answer. Where it differs, for example with another standard library, the answer is only
/// written once more.
std::int64_t identity_of(const KeptAnswer& answer);

/// The prepared statements that write. Each call is part of a transaction of the caller. Throws DatabaseError.
class WriteStatements {
 public:
  explicit WriteStatements(SqliteConnection& connection);
  ChangeJournal& journal() { return journal_; }

  /// Replaces the state, or adds changes to it. Writes only answers that are not stored yet.
  /// @param identities of record.answers, in their order
  void save(const StreamName& name, const StreamRecord& record, const std::vector<std::int64_t>& identities);
  void remove(const StreamName& name);
  /// Returns the new id.
  std::int64_t snapshot(const StreamName& name, const StreamRecord& record, const std::string& note, double created,
                        std::int64_t kept);
  void add_event(const Event& event);
  void save_model(const ModelRecord& model);
  void remove_model(const std::string& model);

 private:
  std::int64_t replace_state(const StreamName& name, const StreamRecord& record);
  std::int64_t add_changes(const StreamName& name, const StreamRecord& record);
  /// None where the stream is not stored.
  std::optional<std::int64_t> id_of(const StreamName& name);
  void save_answers(std::int64_t stream, const std::vector<KeptAnswer>& answers,
                    const std::vector<std::int64_t>& identities);

  SqliteConnection& connection_;
  ChangeJournal journal_;
  Statement stream_id_;
  Statement model_ids_;
  Statement save_stream_;
  Statement kept_answers_;
  Statement remove_answer_;
  Statement add_answer_;
  Statement remove_stream_;
  Statement remove_snapshots_;
  Statement add_snapshot_;
  Statement prune_snapshots_;
  Statement add_event_;
  Statement prune_events_;
  Statement save_model_;
  Statement remove_model_;
  Statement remove_model_streams_;
  Statement remove_model_snapshots_;
};

/// The prepared statements that read. Throws DatabaseError.
class ReadStatements {
 public:
  ReadStatements(SqliteConnection& connection, const ChangeJournal& journal);

  std::optional<StreamRecord> load(const StreamName& name);
  std::vector<StreamSummary> streams(const std::string& model, const std::optional<std::string>& after,
                                     std::int64_t limit);
  std::int64_t count_streams(const std::string& model);
  std::vector<SnapshotSummary> snapshots(const StreamName& name);
  std::optional<StreamRecord> snapshot(const StreamName& name, std::int64_t id);
  std::vector<Event> events(const std::string& model, const std::optional<std::string>& stream, std::int64_t limit);
  std::vector<ModelRecord> models();

 private:
  void read_changes(const ChangeJournal::Places& places, StreamRecord& record);

  SqliteConnection& connection_;
  const ChangeJournal& journal_;
  Statement stream_;
  Statement change_;
  Statement answers_;
  Statement streams_;
  Statement count_streams_;
  Statement snapshots_;
  Statement snapshot_;
  Statement events_;
  Statement models_;
};

}  // namespace stad::serving
