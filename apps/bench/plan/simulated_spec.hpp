#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <stad/eval/simulate.hpp>

#include "common/toml_table.hpp"

namespace stad::cli::bench {

/// A stream that is drawn, not read: once for each seed, each with a head of its own.
struct SimulatedSpec {
  SimulationSettings settings;  ///< but for the seed; the order of rows is the setting's
  std::vector<std::uint64_t> seeds;
  Place place;

  SimulationSettings with_seed(std::size_t number) const;
  /// All that decides what is drawn, as one text.
  std::string key_of(std::size_t number) const;
};

/// Reads `simulated` and `seeds` of a table of [[streams]]; with no seeds where there is no `simulated`. Whether the
/// settings keep the simulator's rules, it says itself when the stream is drawn.
SimulatedSpec read_simulated_spec(TomlTable& stream);

}  // namespace stad::cli::bench
