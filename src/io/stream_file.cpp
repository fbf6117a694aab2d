#include "io/stream_file.hpp"

#include <array>

#include "base/try.hpp"
#include "io/array.hpp"
#include "io/csv.hpp"
#include "io/format.hpp"
#include "io/npz.hpp"
#include "io/shown.hpp"
#include "io/stream_fields.hpp"

namespace stad {
namespace {

constexpr std::array<std::string_view, 1> kLabels{"labels"};
constexpr std::array<std::string_view, 1> kTime{"time"};
constexpr FieldNames kNames{"features", kLabels, kTime};

Result<FeatureStream> stream_of(const Array& features) {
  STAD_ASSIGN(auto rows, to_rows(features));
  FeatureStream stream;
  stream.features = rows.view;
  stream.storage = std::move(rows.storage);
  return stream;
}

Status check_shape(const FeatureStream& stream) {
  if (stream.features.rows == 0) return invalid("features has no rows, must have at least 1");
  if (stream.features.cols == 0) return invalid("features has no columns, must have at least 1");
  return {};
}

Result<FeatureStream> decode_npz_stream(Bytes file) {
  STAD_ASSIGN(const auto npz, Npz::open(file));
  STAD_ASSIGN(const auto features, npz.require("features"));
  STAD_ASSIGN(auto stream, stream_of(features));
  STAD_TRY(check_shape(stream));
  STAD_TRY(read_fields(npz, kNames, stream));
  return stream;
}

Result<FeatureStream> decode_npy_stream(const FileBytes& file) {
  STAD_ASSIGN(const auto features, decode_npy("features", file.bytes, file.storage));
  return stream_of(features);
}

Result<FeatureStream> decode_any(const FileBytes& file, const CsvColumns& columns) {
  switch (format_of(file.bytes)) {
    case Format::kNpz:
      return decode_npz_stream(file.bytes);
    case Format::kNpy:
      return decode_npy_stream(file);
    case Format::kState:
      return invalid("is a state file, must be a stream");
    case Format::kText:
      break;
  }
  return decode_csv(as_text(file.bytes), columns);
}

}  // namespace

Result<FeatureStream> decode_stream(const FileBytes& file, const CsvColumns& columns) {
  STAD_ASSIGN(auto stream, decode_any(file, columns));
  STAD_TRY(check_shape(stream));
  return stream;
}

Result<FeatureStream> read_stream(const std::string& path, const CsvColumns& columns) {
  STAD_ASSIGN(const auto file, read_file(path));
  auto stream = decode_stream(file, columns);
  if (!stream) return within(file_name(path), stream.error());
  stream->name = file_name(path);
  return stream;
}

}  // namespace stad
