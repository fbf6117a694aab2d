#pragma once

#include <memory>

#include "server/serving/forwarder.hpp"
#include "server/settings/settings.hpp"

namespace stad::server {

/// For models with `cluster = true`; null where there is none. Throws Refusal.
std::unique_ptr<Forwarder> open_forwarder(const Settings& settings);

}  // namespace stad::server
