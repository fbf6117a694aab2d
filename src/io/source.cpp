#include "io/formats.hpp"

#include <stad/files.hpp>

#include <optional>
#include <span>
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

/// A number as an array without dimensions or with one value.
Result<std::optional<double>> read_scalar(const Npz& npz, std::string_view name) {
  STAD_ASSIGN(auto array, npz.read(name));
  if (!array) return std::optional<double>();
  if (array->shape.empty()) array->shape = {1};
  STAD_TRY(check_array_length(*array, 1, "source"));
  STAD_ASSIGN(const auto values, to_doubles(*array));
  return std::optional(values.front());
}

Result<Matrix> read_optional_matrix(const Npz& npz, std::string_view name) {
  STAD_ASSIGN(const auto array, npz.read(name));
  if (!array) return Matrix();
  return to_matrix(*array);
}

Result<SourceCard> read_card(const Npz& npz, Index classes, Index dimension) {
  SourceCard card;
  STAD_ASSIGN(card.temperature, read_scalar(npz, "card_temperature"));
  STAD_ASSIGN(card.frequencies, read_floats(npz, "card_frequencies", classes, "class"));
  STAD_ASSIGN(card.means, read_optional_matrix(npz, "card_means"));
  STAD_ASSIGN(card.variance, read_floats(npz, "card_variance", dimension, "dimension"));
  STAD_ASSIGN(card.accuracy, read_scalar(npz, "card_accuracy"));
  STAD_ASSIGN(card.confidence, read_scalar(npz, "card_confidence"));
  return card;
}

/// With the card of the archive, or with one computed from its labelled rows of the training period.
Result<SourceModel> add_card(const Npz& npz, const SourceModel& source) {
  STAD_ASSIGN(auto card, read_card(npz, source.classes(), source.dimension()));
  if (!card.is_empty()) return source.with_card(std::move(card));
  STAD_ASSIGN(const auto features, npz.read("train_features"));
  if (!features) return source;
  STAD_ASSIGN(const auto labels, npz.require("train_labels"));
  STAD_ASSIGN(const auto rows, to_rows(*features));
  STAD_ASSIGN(const auto classes, to_integers(labels));
  return source.with_card(rows.view, classes);
}

/// With the certificate of the archive, the bytes of a state, if there is one.
Result<SourceModel> add_certificate(const Npz& npz, const SourceModel& source) {
  STAD_ASSIGN(const auto array, npz.read("certificate"));
  if (!array) return source;
  STAD_TRY(check_dimensions(*array, 1));
  STAD_ASSIGN(const auto values, to_integers(*array));
  std::string bytes;
  for (const std::int64_t value : values) bytes.push_back(static_cast<char>(value));
  auto certificate = state_from_bytes(bytes);
  if (!certificate) return invalid("certificate: " + certificate.error().message);
  return source.with_certificate(*std::move(certificate));
}

/// Removes the prefix "source: " of the model's messages, since the callers prepend the name of the file.
Result<SourceModel> without_prefix(Result<SourceModel> source) {
  constexpr std::string_view kPrefix = "source: ";
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
  auto source = SourceModel::create(std::move(weight), std::move(bias), std::move(mean), std::move(classes));
  if (source) source = add_card(npz, *source);
  if (source) source = add_certificate(npz, *source);
  return without_prefix(std::move(source));
}

Result<SourceModel> decode_npy_source(const FileBytes& file) {
  STAD_ASSIGN(const auto array, decode_npy("weight", file.bytes, file.storage));
  STAD_ASSIGN(auto weight, to_matrix(array));
  return without_prefix(SourceModel::create(std::move(weight)));
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

void add_card(NpzWriter& npz, const SourceCard& card) {
  const auto add_scalar = [&](const char* name, const std::optional<double>& value) {
    if (value) npz.add(name, std::span(&*value, 1));
  };
  add_scalar("card_temperature", card.temperature);
  if (!card.frequencies.empty()) npz.add("card_frequencies", std::span(card.frequencies));
  if (!card.means.empty()) npz.add("card_means", card.means.view());
  if (!card.variance.empty()) npz.add("card_variance", std::span(card.variance));
  add_scalar("card_accuracy", card.accuracy);
  add_scalar("card_confidence", card.confidence);
}

Status add_source(NpzWriter& npz, const SourceModel& source) {
  npz.add("weight", source.weight().view());
  if (source.has_bias()) npz.add("bias", source.bias());
  if (source.has_mean()) npz.add("mean", source.mean());
  add_card(npz, source.card());
  if (source.certificate()) {
    STAD_ASSIGN(const std::string bytes, state_to_bytes(*source.certificate()));
    npz.add_copy("certificate", std::as_bytes(std::span(bytes)));
  }
  if (source.has_class_names()) return npz.add("classes", std::span(source.class_names()));
  return {};
}

Status write_source(const std::string& path, const SourceModel& source) {
  NpzWriter npz;
  if (const auto added = add_source(npz, source); !added) return within(path, added.error());
  return write_npz(path, npz);
}

}  // namespace stad
