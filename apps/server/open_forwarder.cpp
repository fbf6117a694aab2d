#include "server/open_forwarder.hpp"

#include <algorithm>

#include "cluster/client/request_reply.hpp"

namespace stad::server {

std::unique_ptr<Forwarder> open_forwarder(const Settings& settings) {
  const auto is_clustered = [](const ConfiguredModel& model) { return model.specification.is_clustered; };
  if (std::ranges::none_of(settings.models, is_clustered)) return nullptr;
  const ClusterSettings& cluster = settings.cluster;
  try {
    return std::make_unique<stad::cluster::RequestReply>(
        stad::cluster::NatsSettings{cluster.nats, cluster.credentials, cluster.authority},
        settings.http.request_timeout);
  } catch (const stad::cluster::NatsError& error) {
    reject(503, error.what());
  }
}

}  // namespace stad::server
