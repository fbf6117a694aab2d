#include "cluster/layout.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "cluster/names.hpp"
#include "server/refusal.hpp"

namespace stad::cluster {
namespace {

struct DestroyInfo {
  void operator()(jsStreamInfo* info) const { jsStreamInfo_Destroy(info); }
};
using InfoPointer = std::unique_ptr<jsStreamInfo, DestroyInfo>;

InfoPointer find(const Connection& connection, const char* stream) {
  jsStreamInfo* found = nullptr;
  const natsStatus status = js_GetStreamInfo(&found, connection.jetstream(), stream, nullptr, nullptr);
  if (status == NATS_NOT_FOUND) return nullptr;
  must(status, fmt::format("stream {}", stream));
  return InfoPointer(found);
}

void make_stream(const Connection& connection, const char* name, const std::vector<std::string>& subjects,
                 const LayoutSettings& settings) {
  std::vector<const char*> texts;
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
  jsErrCode code = static_cast<jsErrCode>(0);
  const natsStatus status = js_AddStream(nullptr, connection.jetstream(), &config, nullptr, &code);
  if (code != JSStreamNameExistErr) must(status, fmt::format("making stream {}", name), code);
}

void make_bucket(const Connection& connection, const char* name, const LayoutSettings& settings) {
  kvStore* store = nullptr;
  kvConfig config;
  kvConfig_Init(&config);
  config.Bucket = name;
  config.History = 1;
  config.StorageType = js_FileStorage;
  config.Replicas = static_cast<int>(settings.replicas);
  must(js_CreateKeyValue(&store, connection.jetstream(), &config), fmt::format("making bucket {}", name));
  kvStore_Destroy(store);
}

}  // namespace

std::int64_t count_partitions(const Connection& connection) {
  const InfoPointer input = find(connection, kInputStream);
  return input ? input->Config->SubjectsLen : 0;
}

StreamFacts facts_of(const Connection& connection, const char* stream) {
  const InfoPointer info = find(connection, stream);
  if (!info) return {};
  StreamFacts facts{info->State.Msgs,    info->State.Bytes,      info->State.FirstSeq,
                    info->State.LastSeq, info->Config->Replicas, ""};
  const jsClusterInfo* cluster = info->Cluster;
  if (cluster == nullptr) return facts;
  if (cluster->Leader != nullptr) facts.leader = cluster->Leader;
  for (int i = 0; i < cluster->ReplicasLen; ++i)
    if (cluster->Replicas[i]->Current && !cluster->Replicas[i]->Offline) ++facts.current;
  return facts;
}

std::int64_t make_layout(const Connection& connection, const LayoutSettings& settings) {
  std::vector<std::string> partitions;
  for (std::int64_t p = 0; p < settings.partitions; ++p) partitions.push_back(partition_filter(p));
  if (!find(connection, "KV_stad_ownership")) make_bucket(connection, kOwnershipBucket, settings);
  if (!find(connection, "KV_stad_states")) make_bucket(connection, kStatesBucket, settings);
  if (!find(connection, kDeadStream)) make_stream(connection, kDeadStream, {kDeadSubject}, settings);
  if (!find(connection, kOutputStream)) make_stream(connection, kOutputStream, {"stad.out.*.*"}, settings);
  if (!find(connection, kInputStream)) make_stream(connection, kInputStream, partitions, settings);
  const std::int64_t there = count_partitions(connection);
  if (there != settings.partitions)
    server::refuse(400, fmt::format("partitions is {}, but stream {} has {}; drain the cluster before they are changed",
                                    settings.partitions, kInputStream, there));
  return there;
}

}  // namespace stad::cluster
