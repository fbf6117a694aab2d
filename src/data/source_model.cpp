#include <stad/source_model.hpp>

#include <utility>

#include <fmt/core.h>

#include "base/try.hpp"
#include "data/feature_rules.hpp"
#include "data/fingerprint.hpp"
#include "data/source_rules.hpp"

namespace stad {
namespace {

std::vector<std::string> numbered_names(Index count) {
  std::vector<std::string> names;
  for (Index k = 0; k < count; ++k) names.push_back(std::to_string(k));
  return names;
}

/// Whether the only option of a certificate is a list of candidates.
Status check_certificate_options(const std::vector<OptionSetting>& options) {
  if (options.size() != 1 || options.front().name != "candidates")
    return invalid("source: certificate must have one option, candidates");
  StadSafeOptions listed;
  listed.candidates = options.front().value;
  STAD_TRY(listed.validate());
  if (listed.candidates == "auto" || listed.candidates == "none")
    return invalid(fmt::format("source: certificate has candidates = {}, must name them", listed.candidates));
  return {};
}

}  // namespace

Status check_source_length(const char* field, Index length, Index expected, const char* meaning) {
  if (length == 0 || length == expected) return {};
  return invalid(fmt::format("source: {} has {} values, must have {} (one per {})", field, length, expected, meaning));
}

Status check_source_values(const char* field, MatrixView values) {
  if (const auto broken = find_broken_value(values))
    return invalid(fmt::format("source: {} row {} column {} is {}, {}", field, broken->row, broken->column,
                               broken->value, kValueRule));
  return {};
}

Result<SourceModel> SourceModel::create(Matrix weight, std::vector<float> bias, std::vector<float> mean,
                                        std::vector<std::string> classes) {
  const Index k = weight.rows();
  const Index d = weight.cols();
  if (k < 2) return invalid(fmt::format("source: weight has {} rows (classes), must have at least 2", k));
  if (d < 2) return invalid(fmt::format("source: weight has {} columns (dimensions), must have at least 2", d));
  STAD_TRY(check_source_length("bias", static_cast<Index>(bias.size()), k, "class"));
  STAD_TRY(check_source_length("mean", static_cast<Index>(mean.size()), d, "dimension"));
  STAD_TRY(check_source_length("classes", static_cast<Index>(classes.size()), k, "class"));
  STAD_TRY(check_source_values("weight", weight));
  STAD_TRY(check_source_values("bias", as_row(bias)));
  STAD_TRY(check_source_values("mean", as_row(mean)));

  Fingerprint fingerprint;
  fingerprint.add(weight);
  fingerprint.add(as_row(bias));
  fingerprint.add(as_row(mean));

  auto parts = std::make_shared<Parts>();
  parts->weight = std::move(weight);
  parts->bias = std::move(bias);
  parts->mean = std::move(mean);
  parts->named = !classes.empty();
  parts->names = parts->named ? std::move(classes) : numbered_names(k);
  parts->fingerprint = fingerprint.value();
  return SourceModel(std::move(parts));
}

Result<SourceModel> SourceModel::with_certificate(AdapterState certificate) const {
  if (certificate.method != "stad-safe")
    return invalid(fmt::format("source: certificate is of method {}, must be of stad-safe", certificate.method));
  if (certificate.source_fingerprint != fingerprint())
    return invalid("source: certificate was made for another head; run stad certify with this one");
  STAD_TRY(check_certificate_options(certificate.options));
  auto parts = std::make_shared<Parts>(*parts_);
  parts->certificate = std::make_shared<const AdapterState>(std::move(certificate));
  return SourceModel(std::move(parts));
}

}  // namespace stad
