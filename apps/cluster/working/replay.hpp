#pragma once

#include <cstdint>
#include <functional>

#include "cluster/names.hpp"
#include "cluster/nats/connection.hpp"
#include "cluster/nats/message.hpp"

namespace stad::cluster {

/// The messages of one stream from the log, in their order, from sequence `first` to `last`. Throws Refusal where the
/// log no longer reaches back to the first, Trouble where the servers do not deliver all of them.
void replay(const Connection& connection, std::int64_t partition, const StreamName& name, std::uint64_t first,
            std::uint64_t last, const std::function<void(const Delivery&)>& each);

}  // namespace stad::cluster
