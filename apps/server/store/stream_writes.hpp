#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/store/sqlite.hpp"
#include "server/store/store.hpp"

namespace stad::server {

/// What tells an answer from every other one that was kept: a hash of all of it. One that comes out different, of
/// another standard library for example, is only written once more.
std::int64_t identity_of(const KeptAnswer& answer);

/// The statements that write, prepared once. Each call is part of a transaction that the caller holds.
class StreamWrites {
 public:
  explicit StreamWrites(Connection& connection);

  /// Of the answers only those are written that are not there yet.
  /// @param identities of record.answers, in their order
  void save(const StreamName& name, const StreamRecord& record, const std::vector<std::int64_t>& identities);
  void remove(const StreamName& name);
  /// Returns the new id.
  std::int64_t snapshot(const StreamName& name, const StreamRecord& record, const std::string& note, double created,
                        std::int64_t kept);
  void note(const Event& event);
  void save_model(const ModelRecord& model);
  void remove_model(const std::string& model);

 private:
  void save_answers(std::int64_t stream, const std::vector<KeptAnswer>& answers,
                    const std::vector<std::int64_t>& identities);

  Connection& connection_;
  Statement save_stream_;
  Statement kept_answers_;
  Statement forget_answer_;
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

}  // namespace stad::server
