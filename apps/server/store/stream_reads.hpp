#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/store/sqlite.hpp"
#include "server/store/store.hpp"

namespace stad::server {

/// The statements that read, prepared once; the store's reading functions, thrown errors instead of returned ones.
class StreamReads {
 public:
  explicit StreamReads(Connection& connection);

  std::optional<StreamRecord> load(const StreamName& name);
  std::vector<StreamLine> streams(const std::string& model, const std::optional<std::string>& after,
                                  std::int64_t limit);
  std::int64_t count_streams(const std::string& model);
  std::vector<SnapshotLine> snapshots(const StreamName& name);
  std::optional<StreamRecord> snapshot(const StreamName& name, std::int64_t id);
  std::vector<Event> events(const std::string& model, const std::optional<std::string>& stream, std::int64_t limit);
  std::vector<ModelRecord> models();

 private:
  Connection& connection_;
  Statement stream_;
  Statement answers_;
  Statement streams_;
  Statement count_streams_;
  Statement snapshots_;
  Statement snapshot_;
  Statement events_;
  Statement models_;
};

}  // namespace stad::server
