#pragma once

#include <vector>

#include <gtest/gtest.h>

#include <stad/stad.h>

#include "support/random_stream.hpp"

namespace stad::testing {

/// Frees the handles.
struct Handles {
  stad_source* source = nullptr;
  stad_adapter* adapter = nullptr;

  Handles(const RandomStream& stream, const char* method, const std::vector<stad_option>& options = {}) {
    EXPECT_EQ(stad_source_create(stream.weight.data(), stream.bias.data(), stream.mean.data(), 4, 12, &source),
              STAD_OK);
    EXPECT_EQ(stad_adapter_create(source, method, options.data(), options.size(), &adapter), STAD_OK)
        << stad_last_error();
  }
  Handles(const Handles&) = delete;
  ~Handles() {
    stad_adapter_free(adapter);
    stad_source_free(source);
  }
};

inline stad_batch c_batch(const Matrix& rows) {
  return {.features = rows.data(),
          .rows = static_cast<std::size_t>(rows.rows()),
          .stride = 0,
          .time = nullptr,
          .ids = nullptr};
}

}  // namespace stad::testing
