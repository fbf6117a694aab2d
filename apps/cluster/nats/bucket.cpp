#include "cluster/nats/bucket.hpp"

namespace stad::cluster {

std::optional<Delivery> Bucket::read_message(const std::string& key) const {
  return connection_.last_message(stream(), subject(key));
}

std::optional<BucketEntry> Bucket::read(const std::string& key) const {
  const auto message = read_message(key);
  if (!message) return std::nullopt;
  return BucketEntry{std::string(message->payload()), message->sequence};
}

std::uint64_t Bucket::write(const std::string& key, const std::string& value, std::uint64_t replaced) const {
  jsPubOptions options;
  jsPubOptions_Init(&options);
  options.ExpectLastSubjectSeq = replaced;
  options.ExpectNoMessage = replaced == 0;
  return publish({subject(key), value, {}}, options);
}

std::uint64_t Bucket::write(const std::string& key, const std::string& value) const {
  jsPubOptions options;
  jsPubOptions_Init(&options);
  return publish({subject(key), value, {}}, options);
}

void Bucket::remove(const std::string& key) const {
  jsPubOptions options;
  jsPubOptions_Init(&options);
  publish({subject(key), "", {{"KV-Operation", "DEL"}}}, options);
}

void Bucket::purge_before(const std::string& keys, std::uint64_t revision) const {
  if (revision <= 1) return;  // there is nothing before; the servers interpret 1 as everything
  const std::string subjects = subject(keys);
  jsOptions options;
  jsOptions_Init(&options);
  options.Stream.Purge.Subject = subjects.c_str();
  options.Stream.Purge.Sequence = revision;
  js_PurgeStream(connection_.jetstream(), stream().c_str(), &options, nullptr);
}

std::uint64_t Bucket::publish(const NatsMessage& message, jsPubOptions& options) const {
  jsPubAck* receipt = nullptr;
  auto code = static_cast<jsErrCode>(0);
  const MessagePointer wire = wire_message(message);
  const natsStatus status = js_PublishMsg(&receipt, connection_.jetstream(), wire.get(), &options, &code);
  check_nats(status, "writing " + message.subject, code);
  const std::uint64_t revision = receipt->Sequence;
  jsPubAck_Destroy(receipt);
  return revision;
}

BucketWatch::BucketWatch(const NatsConnection& connection, const Bucket& bucket) {
  check_nats(js_KeyValue(&store_, connection.jetstream(), bucket.name().c_str()), "bucket " + bucket.name());
  const natsStatus status = kvStore_WatchAll(&watcher_, store_, nullptr);
  if (status != NATS_OK) kvStore_Destroy(store_);
  check_nats(status, "watching bucket " + bucket.name());
}

BucketWatch::~BucketWatch() {
  kvWatcher_Destroy(watcher_);
  kvStore_Destroy(store_);
}

void BucketWatch::take_changes(ObservedEntries& entries, std::chrono::milliseconds wait) {
  for (std::int64_t timeout = wait.count();; timeout = 1) {
    kvEntry* entry = nullptr;
    const natsStatus status = kvWatcher_Next(&entry, watcher_, timeout);
    if (status == NATS_TIMEOUT) return;
    check_nats(status, "watching a bucket");
    if (entry == nullptr) {  // the marker after the initial content
      is_complete_ = true;
      continue;
    }
    ObservedEntry& observed = entries[kvEntry_Key(entry)];
    if (kvEntry_Revision(entry) != observed.revision) observed.since = std::chrono::steady_clock::now();
    observed.revision = kvEntry_Revision(entry);
    observed.value.assign(static_cast<const char*>(kvEntry_Value(entry)),
                          static_cast<std::size_t>(kvEntry_ValueLen(entry)));
    if (kvEntry_Operation(entry) != kvOp_Put) entries.erase(kvEntry_Key(entry));
    kvEntry_Destroy(entry);
  }
}

}  // namespace stad::cluster
