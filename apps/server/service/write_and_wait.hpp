#pragma once

#include <future>
#include <memory>

#include "common/error.hpp"
#include "serving/store/store.hpp"

namespace stad::server {

/// Starts a write and waits until it is on disk. Throws AppError where it fails. Must not be called on the store's
/// thread.
/// @param write takes the callback of the write
template <typename Write>
void write_and_wait(Write write) {
  const auto written = std::make_shared<std::promise<Status>>();
  write(serving::Store::Done([written](const Status& status) { written->set_value(status); }));
  need(written->get_future().get());
}

}  // namespace stad::server
