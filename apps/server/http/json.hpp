#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "server/service/service.hpp"

namespace stad::server {

/// Keeps the order of the keys.
using Json = nlohmann::ordered_json;

/// One line; bytes that are not UTF-8 are replaced.
std::string text_of(const Json& value);

Json json_of(const HistoryPoint& point);
Json json_of(const StreamReport& report);
Json json_of(const Event& event);
Json json_of(const SnapshotSummary& snapshot);
/// Numbers of streams in memory and on disk, and whether the service stores anything on disk.
struct StreamCounts {
  std::size_t resident = 0;
  std::int64_t kept = 0;
  bool on_disk = true;
};
Json json_of(const ServedModel& model, const StreamCounts& streams, const CheckpointSettings& checkpoints);

/// Parses a body that must be a JSON object. Throws AppError.
Json object_of(const std::string& body);

}  // namespace stad::server
