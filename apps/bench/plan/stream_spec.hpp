#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <stad/matrix.hpp>

#include "bench/plan/simulated_spec.hpp"
#include "common/toml_table.hpp"

namespace stad::cli::bench {

/// A stream by its files, below the data directory: embeddings, one file for each trained network in the order of
/// their seeds; or images and the networks themselves. Or one that is drawn, where every seed stands for a network.
struct StreamSpec {
  std::string name;
  std::vector<std::string> files;        ///< of embeddings
  std::vector<std::string> models;       ///< in place of files
  std::string images;                    ///< what the models are shown
  std::string head;                      ///< the name of their last linear layer; empty: found
  std::vector<std::string> corruptions;  ///< each a stream of growing severity by itself; empty: images as they are
  Index count = 1000;                    ///< images a severity
  std::vector<std::string> heads;        ///< one for each network; empty: files hold their heads, models are theirs
  SimulatedSpec simulated;               ///< in place of files; no seeds: not simulated
  std::optional<double> since;
  std::optional<double> until;
  bool sort_by_time = false;
  std::string time_name = "time step";
  std::map<std::string, std::string> step_names;  ///< words for time stamps: "1" is "art"
  std::string about;  ///< what the files hold and how to come by them; told where one is missing
  Place place;

  bool has_images() const { return !images.empty(); }
  bool is_simulated() const { return !simulated.seeds.empty(); }
  std::size_t networks() const;
  /// All of them, in the order they are told.
  std::vector<std::string> all_files() const;
  /// The corruptions, or the one name of images as they are: nothing.
  std::vector<std::string> showings() const;
};

/// The step's name, or its time stamp.
std::string step_name(const StreamSpec& stream, double time);

/// Reads a table of [[streams]].
StreamSpec read_stream_spec(TomlTable table);

}  // namespace stad::cli::bench
