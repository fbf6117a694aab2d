#include <fmt/format.h>

#include "server/open_forwarder.hpp"

namespace stad::server {

std::unique_ptr<Forwarder> open_forwarder(const Settings& settings) {
  for (const auto& model : settings.models)
    if (model.specification.is_clustered)
      reject(400, fmt::format("model {} has cluster = true, but this program was built without STAD_CLUSTER",
                              model.specification.name));
  return nullptr;
}

}  // namespace stad::server
