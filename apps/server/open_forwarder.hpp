#pragma once

#include <memory>

#include "serving/forwarder.hpp"
#include "serving/settings/settings.hpp"

namespace stad::server {

using namespace serving;

/// The forwarder for models with `cluster = true`; null where there is none. Throws AppError.
std::unique_ptr<Forwarder> open_forwarder(const Settings& settings);

}  // namespace stad::server
