#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <stad/adapter_state.hpp>
#include <stad/error.hpp>
#include <stad/export.hpp>
#include <stad/predictions.hpp>
#include <stad/source_model.hpp>
#include <stad/streams.hpp>

namespace stad {

/// Columns of a CSV file that are not features. A column that is named here must exist.
struct CsvColumns {
  std::string label;  ///< empty: "label" or "labels" if the header has it
  std::string time;   ///< empty: "time" if the header has it
};

/// Reads the head from an npz file (weight, and optionally bias, mean, classes and the fields of its card, card_*) or
/// an npy file of the weight. An npz file with train_features and train_labels and without card fields gets a card
/// computed from those rows.
STAD_API Result<SourceModel> read_source(const std::string& path);
/// The same from the bytes of such a file.
STAD_API Result<SourceModel> source_from_bytes(std::string bytes);

/// Reads a stream from npz (features, and optionally labels, time, batch_sizes), npy (features) or csv; `-` reads npy
/// or csv from standard input. float32 npy files in C order are mapped, not copied.
STAD_API Result<FeatureStream> read_stream(const std::string& path, const CsvColumns& columns = {});

/// Reads images from npz (images or x, and optionally labels or y, time or year, batch_sizes): N x H x W or N x H x W x
/// C bytes, which become multiples of 1/255, or N x C x H x W floats, which stay unchanged.
STAD_API Result<ImageStream> read_images(const std::string& path);

/// Reads the state of an adapter. A truncated or corrupted file is an error.
STAD_API Result<AdapterState> read_state(const std::string& path);

// Writers are atomic: after a failure the path holds the old content.

/// Writes the head as npz: weight, and bias, mean, classes and card if it has them.
STAD_API Status write_source(const std::string& path, const SourceModel& source);

/// Writes one npz with the stream and, if given, the head.
STAD_API Status write_stream(const std::string& path, const FeatureStream& stream, const SourceModel* source = nullptr);

/// Writes bytes, N x H x W or N x H x W x C, from values in [0, 1], with labels, times and batch sizes if present.
STAD_API Status write_images(const std::string& path, const ImageStream& images);

/// Writes labels (int64) and probabilities (float32).
STAD_API Status write_predictions(const std::string& path, const Predictions& predictions);

/// Predictions of several streams, batch by batch.
struct CollectedAnswers {
  std::vector<std::string> streams;       ///< names
  std::vector<std::int64_t> stream;       ///< of each batch: index into `streams`
  std::vector<std::int64_t> sequence;     ///< of each batch: sequence number of its input in the log
  std::vector<std::int64_t> batch_sizes;  ///< of each batch: number of rows
  Predictions predictions;                ///< of all batches, concatenated
};

/// Writes an npz with labels, probabilities, batch_sizes, stream, sequence and streams.
STAD_API Status write_answers(const std::string& path, const CollectedAnswers& answers);

/// Writes a state for read_state() of this or a later version.
STAD_API Status write_state(const std::string& path, const AdapterState& state);

/// The bytes of a state file.
STAD_API Result<std::string> state_to_bytes(const AdapterState& state);
/// The inverse of state_to_bytes(). Any bytes give a state or an error.
STAD_API Result<AdapterState> state_from_bytes(std::string_view bytes);

/// Writes the text unchanged.
STAD_API Status write_text(const std::string& path, std::string_view text);

/// Name, type and shape of one array of a file.
struct ArraySummary {
  std::string name;
  std::string type;  ///< in the notation of numpy, such as "<f4"
  std::vector<Index> shape;
};

/// Format and contents of a file.
struct FileSummary {
  std::string format;  ///< "npz", "npy", "csv" or "state"
  std::uint64_t bytes = 0;
  std::vector<ArraySummary> arrays;
  std::vector<std::pair<std::string, std::string>> facts;  ///< further properties: name and value
};

/// Summarises a file from its headers alone.
STAD_API Result<FileSummary> inspect_file(const std::string& path);

}  // namespace stad
