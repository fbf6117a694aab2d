#include "cluster/working/state_cache.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "server/refusal.hpp"

namespace stad::cluster {

StateCache::StateCache(const std::string& folder) {
  if (folder.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) server::refuse(503, fmt::format("cache: {} cannot be made: {}", folder, error.message()));
  const std::string path = (std::filesystem::path(folder) / "stad-worker.sqlite").string();
  for (const char* part : {"", "-wal", "-shm"}) std::filesystem::remove(path + part, error);
  store_ = server::need(server::Store::open(path));
}

void StateCache::put(const StreamName& name, std::uint64_t revision, const std::string& state) {
  if (!store_) return;
  // The place of `batches` holds the revision: a cache knows nothing else of a stream.
  store_->save(name, {.state = state, .batches = static_cast<std::int64_t>(revision), .answers = {}},
               [](const Status&) {});
}

void StateCache::remove(const StreamName& name) {
  if (store_) store_->remove(name, [](const Status&) {});
}

std::optional<std::string> StateCache::find(const StreamName& name, std::uint64_t revision) const {
  if (!store_) return std::nullopt;
  auto found = store_->load(name);
  if (!found || !*found || (*found)->batches != static_cast<std::int64_t>(revision)) return std::nullopt;
  return std::move((*found)->state);
}

}  // namespace stad::cluster
