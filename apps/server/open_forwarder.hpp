#pragma once

#include <memory>

#include "serving/forwarder.hpp"
#include "serving/settings/settings.hpp"

namespace stad::server {

using namespace serving;

/// The forwarder for models with `cluster = true`; null where there is none. It connects in the background.
std::unique_ptr<Forwarder> open_forwarder(const Settings& settings);

}  // namespace stad::server
