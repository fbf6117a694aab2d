#pragma once

#include <optional>
#include <string>

#include <stad/backbone.hpp>
#include <stad/eval/pipeline.hpp>
#include <stad/files.hpp>
#include <stad/methods.hpp>

namespace stad::cli {

/// The input files of a run: embeddings and a head, or images and a network.
struct InputPaths {
  std::string source;
  std::string stream;
  CsvColumns columns;
  std::string model;  ///< together with images, in place of the stream
  std::string images;
  std::string head;      ///< name of the network's last linear layer; empty: detected
  std::string state_in;  ///< state to continue from; empty: none
  bool card = true;      ///< false: the source's card is dropped

  bool has_network() const { return !model.empty(); }
  /// The file of rows.
  const std::string& rows() const { return has_network() ? images : stream; }
  /// The file that the head came from.
  const std::string& head_file() const;
};

/// Rejects combinations of options that are incomplete or contradictory.
void check_input(const InputPaths& paths);

struct AdaptInput {
  FeatureStream stream;
  AdapterPointer adapter;
  std::optional<BackboneInfo> network;
};

/// Reads the files and makes the adapter, restored from `state_in` where that is given.
/// @param method empty: the method of the state, else stad-safe
/// @param options as written; a state supplies the options that are not written
/// @param label_budget labels that stad-safe may request over the rows that the settings select
AdaptInput open_input(const InputPaths& paths, const std::string& method, const OptionValues& options,
                      const std::optional<Index>& label_budget, const BatchSettings& settings);

}  // namespace stad::cli
