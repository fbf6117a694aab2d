#include "io/formats.hpp"

#include <stad/files.hpp>

#include <string_view>

#include <fmt/core.h>

#include "base/try.hpp"
#include "io/array.hpp"
#include "io/npz_fields.hpp"
#include "io/text.hpp"

namespace stad {
namespace {

/// SourceModel::create() takes an empty array for a missing one; in a file it is an error.
Status check_array_length(const Array& array, Index expected, std::string_view meaning) {
  STAD_TRY(check_dimensions(array, 1));
  if (array.shape[0] == expected) return {};
  return invalid(
      fmt::format("{} has {} values, must have {} (one per {})", array.name, array.shape[0], expected, meaning));
}

Result<std::vector<float>> read_floats(const Npz& npz, std::string_view name, Index length, std::string_view meaning) {
  STAD_ASSIGN(const auto array, npz.read(name));
  if (!array) return std::vector<float>();
  STAD_TRY(check_array_length(*array, length, meaning));
  return to_floats(*array);
}

Result<std::vector<std::string>> read_classes(const Npz& npz, Index length) {
  STAD_ASSIGN(const auto array, npz.read("classes"));
  if (!array) return std::vector<std::string>();
  STAD_TRY(check_array_length(*array, length, "class"));
  return to_names(*array);
}

/// Removes the prefix "source: " of the model's messages, since the callers prepend the name of the file.
Result<SourceModel> create_source(Matrix weight, std::vector<float> bias, std::vector<float> mean,
                                  std::vector<std::string> classes) {
  constexpr std::string_view kPrefix = "source: ";
  auto source = SourceModel::create(std::move(weight), std::move(bias), std::move(mean), std::move(classes));
  if (source || !source.error().message.starts_with(kPrefix)) return source;
  return Error{source.error().kind, source.error().message.substr(kPrefix.size())};
}

Result<SourceModel> decode_npz_source(Bytes file) {
  STAD_ASSIGN(const auto npz, Npz::open(file));
  STAD_ASSIGN(const auto array, npz.require("weight"));
  STAD_ASSIGN(auto weight, to_matrix(array));
  STAD_ASSIGN(auto bias, read_floats(npz, "bias", weight.rows(), "class"));
  STAD_ASSIGN(auto mean, read_floats(npz, "mean", weight.cols(), "dimension"));
  STAD_ASSIGN(auto classes, read_classes(npz, weight.rows()));
  return create_source(std::move(weight), std::move(bias), std::move(mean), std::move(classes));
}

Result<SourceModel> decode_npy_source(const FileBytes& file) {
  STAD_ASSIGN(const auto array, decode_npy("weight", file.bytes, file.storage));
  STAD_ASSIGN(auto weight, to_matrix(array));
  return create_source(std::move(weight), {}, {}, {});
}

}  // namespace

Result<SourceModel> decode_source(const FileBytes& file) {
  switch (format_of(file.bytes)) {
    case Format::kNpz:
      return decode_npz_source(file.bytes);
    case Format::kNpy:
      return decode_npy_source(file);
    default:
      return invalid("is neither npz nor npy, a source must be one of them");
  }
}

Result<SourceModel> read_source(const std::string& path) {
  STAD_ASSIGN(const auto file, read_file(path));
  auto source = decode_source(file);
  if (!source) return within(file_name(path), source.error());
  return source;
}

Result<SourceModel> source_from_bytes(std::string bytes) { return decode_source(own_bytes(std::move(bytes))); }

Status add_source(NpzWriter& npz, const SourceModel& source) {
  npz.add("weight", source.weight().view());
  if (source.has_bias()) npz.add("bias", source.bias());
  if (source.has_mean()) npz.add("mean", source.mean());
  if (source.has_class_names()) return npz.add("classes", std::span(source.class_names()));
  return {};
}

Status write_source(const std::string& path, const SourceModel& source) {
  NpzWriter npz;
  if (const auto added = add_source(npz, source); !added) return within(path, added.error());
  return write_npz(path, npz);
}

}  // namespace stad
