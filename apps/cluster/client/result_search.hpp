#pragma once

#include <cstdint>
#include <optional>

#include "cluster/names.hpp"
#include "cluster/nats/connection.hpp"

namespace stad::cluster {

/// A result that may stand in the log of results, and how far the log was looked through.
struct ResultSearch {
  StreamName name;
  std::uint64_t input = 0;  ///< sequence of the input whose result it is
  std::uint64_t first = 1;  ///< sequence in STAD_OUT of what was not looked at yet

  /// The result; none: it is not there, or a long log was not looked through to its end. The next call goes on from
  /// there. Throws Trouble.
  std::optional<Delivery> look(const Connection& connection);

 private:
  std::optional<Delivery> look_through(const Connection& connection);
};

}  // namespace stad::cluster
