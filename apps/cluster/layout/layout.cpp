#include "cluster/layout/layout.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "cluster/layout/names.hpp"
#include "common/error.hpp"

namespace stad::cluster {
namespace {

struct DestroyStreamInfo {
  void operator()(jsStreamInfo* info) const { jsStreamInfo_Destroy(info); }
};
using StreamInfoPointer = std::unique_ptr<jsStreamInfo, DestroyStreamInfo>;

StreamInfoPointer find(const NatsConnection& connection, const char* stream) {
  jsStreamInfo* found = nullptr;
  const natsStatus status = js_GetStreamInfo(&found, connection.jetstream(), stream, nullptr, nullptr);
  if (status == NATS_NOT_FOUND) return nullptr;
  check_nats(status, fmt::format("stream {}", stream));
  return StreamInfoPointer(found);
}

void create_stream(const NatsConnection& connection, const char* name, const std::vector<std::string>& subjects,
                   const LayoutSettings& settings) {
  std::vector<const char*> texts;
  texts.reserve(subjects.size());
  for (const auto& subject : subjects) texts.push_back(subject.c_str());
  jsStreamConfig config;
  jsStreamConfig_Init(&config);
  config.Name = name;
  config.Subjects = texts.data();
  config.SubjectsLen = static_cast<int>(texts.size());
  config.Storage = js_FileStorage;
  config.Replicas = settings.replicas;
  config.MaxAge = std::chrono::nanoseconds(settings.kept).count();
  config.Duplicates = std::chrono::nanoseconds(settings.repeats).count();
  auto code = static_cast<jsErrCode>(0);
  const natsStatus status = js_AddStream(nullptr, connection.jetstream(), &config, nullptr, &code);
  if (code != JSStreamNameExistErr) check_nats(status, fmt::format("creating stream {}", name), code);
}

void create_bucket(const NatsConnection& connection, const char* name, const LayoutSettings& settings) {
  kvStore* store = nullptr;
  kvConfig config;
  kvConfig_Init(&config);
  config.Bucket = name;
  config.History = 1;
  config.StorageType = js_FileStorage;
  config.Replicas = static_cast<int>(settings.replicas);
  check_nats(js_CreateKeyValue(&store, connection.jetstream(), &config), fmt::format("creating bucket {}", name));
  kvStore_Destroy(store);
}

}  // namespace

std::int64_t count_partitions(const NatsConnection& connection) {
  const StreamInfoPointer input = find(connection, kInputStream);
  return input ? input->Config->SubjectsLen : 0;
}

JetStreamInfo stream_info(const NatsConnection& connection, const char* stream) {
  const StreamInfoPointer info = find(connection, stream);
  if (!info) return {};
  JetStreamInfo result{info->State.Msgs,    info->State.Bytes,      info->State.FirstSeq,
                       info->State.LastSeq, info->Config->Replicas, ""};
  const jsClusterInfo* cluster = info->Cluster;
  if (cluster == nullptr) return result;
  if (cluster->Leader != nullptr) result.leader = cluster->Leader;
  for (int i = 0; i < cluster->ReplicasLen; ++i)
    if (cluster->Replicas[i]->Current && !cluster->Replicas[i]->Offline) ++result.current;
  return result;
}

std::int64_t create_layout(const NatsConnection& connection, const LayoutSettings& settings) {
  std::vector<std::string> partitions;
  for (std::int64_t p = 0; p < settings.partitions; ++p) partitions.push_back(partition_filter(p));
  if (!find(connection, "KV_stad_ownership")) create_bucket(connection, kOwnershipBucket, settings);
  if (!find(connection, "KV_stad_states")) create_bucket(connection, kStatesBucket, settings);
  if (!find(connection, kDeadStream)) create_stream(connection, kDeadStream, {kDeadSubject}, settings);
  if (!find(connection, kOutputStream)) create_stream(connection, kOutputStream, {"stad.out.*.*"}, settings);
  if (!find(connection, kInputStream)) create_stream(connection, kInputStream, partitions, settings);
  const std::int64_t existing = count_partitions(connection);
  if (existing != settings.partitions)
    reject(400, fmt::format("partitions is {}, but stream {} has {}; drain the cluster before the number is changed",
                            settings.partitions, kInputStream, existing));
  return existing;
}

}  // namespace stad::cluster
