#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "server/serving/service.hpp"

namespace stad::server {

/// Keeps the keys in the order they were written.
using Json = nlohmann::ordered_json;

/// One line; bytes that are not UTF-8 are replaced.
std::string text_of(const Json& value);

Json json_of(const Point& point);
Json json_of(const StreamReport& report);
Json json_of(const Event& event);
Json json_of(const SnapshotLine& snapshot);
/// Streams in memory and on disk, and whether there is a disk at all.
struct KeptStreams {
  std::size_t resident = 0;
  std::int64_t kept = 0;
  bool on_disk = true;
};
Json json_of(const Model& model, const KeptStreams& streams, const KeepingSettings& keeping);

/// A body that must be a JSON object. Throws Refusal.
Json object_of(const std::string& body);

}  // namespace stad::server
