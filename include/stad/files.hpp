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

/// Which columns of a csv file are not features. A name that is empty and absent from the header is no error.
struct CsvColumns {
  std::string label;  ///< empty: "label" or "labels", where the header has one
  std::string time;   ///< empty: "time", where the header has one
};

/// The head from an npz file (weight, and optionally bias, mean, classes) or a bare npy weight.
STAD_API Result<SourceModel> read_source(const std::string& path);
/// The same from the bytes of such a file.
STAD_API Result<SourceModel> source_from_bytes(std::string bytes);

/// A stream from npz (features, and optionally labels, time, batch_sizes), npy (features) or csv; `-` reads npy or
/// csv from standard input. float32 npy files in C order are mapped, not copied.
STAD_API Result<FeatureStream> read_stream(const std::string& path, const CsvColumns& columns = {});

/// Images from npz (images or x, and optionally labels or y, time or year, batch_sizes): N x H x W or N x H x W x C
/// bytes, which become multiples of 1/255, or N x C x H x W floats, which are taken as they are.
STAD_API Result<ImageStream> read_images(const std::string& path);

/// What an adapter remembered; a file that is cut off or altered is refused.
STAD_API Result<AdapterState> read_state(const std::string& path);

// Every writer leaves either the whole new file or what was there before.

/// The head as npz: weight, and bias, mean and classes where it has them.
STAD_API Status write_source(const std::string& path, const SourceModel& source);

/// One npz that is both: the stream's rows and, where given, the head they belong to.
STAD_API Status write_stream(const std::string& path, const FeatureStream& stream, const SourceModel* source = nullptr);

/// Bytes, N x H x W or N x H x W x C, from values between 0 and 1; and what is known about each image.
STAD_API Status write_images(const std::string& path, const ImageStream& images);

/// labels (int64) and probabilities (float32), and unknown (float32) where there is such an answer.
STAD_API Status write_predictions(const std::string& path, const Predictions& predictions);

/// Answers of several streams, batch by batch, as they were collected.
struct CollectedAnswers {
  std::vector<std::string> streams;       ///< names
  std::vector<std::int64_t> stream;       ///< of each batch: whose it is, by position in `streams`
  std::vector<std::int64_t> sequence;     ///< of each batch: where its input stands in the log
  std::vector<std::int64_t> batch_sizes;  ///< of each batch: its rows
  Predictions predictions;                ///< of the rows of all batches, one after another
};

/// An npz of all of it: labels, probabilities, batch_sizes, stream, sequence and the names in streams.
STAD_API Status write_answers(const std::string& path, const CollectedAnswers& answers);

/// For read_state(), now or in a later version.
STAD_API Status write_state(const std::string& path, const AdapterState& state);

/// The bytes of a state file, for those who keep states elsewhere, and back: any bytes give a state or an error.
STAD_API Result<std::string> state_to_bytes(const AdapterState& state);
/// The state that state_to_bytes() wrote.
STAD_API Result<AdapterState> state_from_bytes(std::string_view bytes);

/// The text as it is.
STAD_API Status write_text(const std::string& path, std::string_view text);

/// One array of a file as `stad inspect` shows it.
struct ArraySummary {
  std::string name;
  std::string type;  ///< as numpy names it, such as "<f4"
  std::vector<Index> shape;
};

/// What a file is and holds.
struct FileSummary {
  std::string format;  ///< "npz", "npy", "csv" or "state"
  std::uint64_t bytes = 0;
  std::vector<ArraySummary> arrays;
  std::vector<std::pair<std::string, std::string>> facts;  ///< what else there is to say: name and value
};

/// What a file holds, from its headers alone.
STAD_API Result<FileSummary> inspect_file(const std::string& path);

}  // namespace stad
