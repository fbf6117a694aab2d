#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cluster/names.hpp"
#include "server/store/store.hpp"

namespace stad::cluster {

/// States of streams that left memory, on the disk of this machine, so that those that come back need not be fetched
/// from the servers. Nothing depends on it, and nothing is taken from the file of a worker that was: a state is used
/// again only by the owner that put it here, at the revision it had written last. The servers are not asked; had
/// another written since, they would refuse what is made of it. Any thread.
class StateCache {
 public:
  /// Begins empty. @param folder empty: nothing is kept. Throws Refusal.
  explicit StateCache(const std::string& folder);

  bool is_open() const { return store_ != nullptr; }
  void put(const StreamName& name, std::uint64_t revision, const std::string& state);
  void remove(const StreamName& name);
  /// None: it is not here, or not of this revision.
  std::optional<std::string> find(const StreamName& name, std::uint64_t revision) const;

 private:
  std::unique_ptr<server::Store> store_;
};

}  // namespace stad::cluster
