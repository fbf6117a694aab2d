#pragma once

#include <optional>
#include <string>

#include <stad/backbone.hpp>
#include <stad/files.hpp>
#include <stad/methods.hpp>

namespace stad::cli {

/// Where a run takes its rows from: embeddings and a head, or images and a network.
struct InputPaths {
  std::string source;
  std::string stream;
  CsvColumns columns;
  std::string model;  ///< with images, in place of the stream
  std::string images;
  std::string head;  ///< the name of the network's last linear layer; empty: found

  bool has_network() const { return !model.empty(); }
  /// The file of rows.
  const std::string& rows() const { return has_network() ? images : stream; }
  /// The file the head came from.
  const std::string& head_file() const;
};

/// Refuses a combination that says too little or too much.
void check_input(const InputPaths& paths);

struct AdaptInput {
  FeatureStream stream;
  AdapterPointer adapter;
  std::optional<BackboneInfo> network;
};

/// Opens the files and makes the adapter.
AdaptInput open_input(const InputPaths& paths, const std::string& method, const OptionValues& options);

/// A network with the feature mean and class names of a head file, where one is given.
BackbonePointer open_network(const std::string& model, const std::string& head, const std::string& source);

/// "head fc (32 -> 2), 4 batch norm layers, 28386 parameters"
std::string network_text(const BackboneInfo& info, const SourceModel& source);

}  // namespace stad::cli
