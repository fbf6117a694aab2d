#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <stad/eval/simulate.hpp>
#include <stad/matrix.hpp>

#include "common/toml_table.hpp"

namespace stad::cli::bench {

/// A simulated stream: one for each seed, each with its own head.
struct SimulatedSpec {
  SimulationSettings settings;  ///< without the seed; the order of rows is that of the setting
  std::vector<std::uint64_t> seeds;
  TomlPlace place;

  SimulationSettings with_seed(std::size_t number) const;
  /// The settings and the seed as one text: equal texts give equal streams.
  std::string key_of(std::size_t number) const;
};

/// Reads `simulated` and `seeds` of a table of [[streams]]; without `simulated` the seeds are empty. The simulator
/// checks the settings when the stream is made.
SimulatedSpec read_simulated_spec(TomlTable& stream);

/// A stream: files of embeddings below the data directory, one for each trained network; or images and the networks; or
/// a simulation, in which every seed counts as a network.
struct StreamSpec {
  std::string name;
  std::vector<std::string> files;        ///< embeddings
  std::vector<std::string> models;       ///< in place of files
  std::string images;                    ///< input of the models
  std::string head;                      ///< name of their last linear layer; empty: detected
  std::vector<std::string> corruptions;  ///< each gives a stream of growing severity; empty: clean images
  Index count = 1000;                    ///< images per severity
  std::vector<std::string> heads;        ///< one for each network; empty: those in files or models
  SimulatedSpec simulated;               ///< in place of files; no seeds: not simulated
  bool card = true;                      ///< false: the source's card is dropped
  std::optional<double> since;
  std::optional<double> until;
  bool sort_by_time = false;
  std::string time_name = "time step";
  std::map<std::string, std::string> step_names;  ///< names of time stamps: "1" is "art"
  std::string about;  ///< content and origin of the files; part of the message if one is missing
  TomlPlace place;

  bool has_images() const { return !images.empty(); }
  bool is_simulated() const { return !simulated.seeds.empty(); }
  std::size_t networks() const;
  /// All files, in the order in which they are checked.
  std::vector<std::string> all_files() const;
  /// The corruptions; one empty name for clean images.
  std::vector<std::string> corruption_variants() const;
};

/// The name of the step, or its time stamp where it has no name.
std::string step_name(const StreamSpec& stream, double time);

/// Reads a table of [[streams]].
StreamSpec read_stream_spec(TomlTable table);

}  // namespace stad::cli::bench
