#include "cli/source_card.hpp"

#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"

namespace stad::cli {

SourceModel with_card(const SourceModel& source, const FeatureStream& labelled) {
  if (!labelled.has_labels())
    reject(fmt::format("{}: has no labels, a card requires one for every row", labelled.name));
  auto made = source.with_card(labelled.features, labelled.labels);
  if (made) return *std::move(made);
  constexpr std::string_view kPrefix = "card: ";
  std::string message = made.error().message;
  if (message.starts_with(kPrefix)) message.erase(0, kPrefix.size());
  reject(fmt::format("{}: {}", labelled.name, message));
}

std::string card_text(const SourceCard& card) {
  std::vector<std::string> parts;
  if (card.accuracy) parts.push_back(fmt::format("accuracy {:.2f} %", 100 * *card.accuracy));
  if (card.confidence) parts.push_back(fmt::format("mean confidence {:.2f} %", 100 * *card.confidence));
  if (card.temperature) parts.push_back(fmt::format("temperature {:.2f}", *card.temperature));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string card_fields_text(const SourceCard& card) {
  if (card.is_empty()) return "none";
  std::vector<std::string> parts;
  if (std::string numbers = card_text(card); !numbers.empty()) parts.push_back(std::move(numbers));
  if (!card.frequencies.empty()) parts.emplace_back("class frequencies");
  if (!card.means.empty()) parts.emplace_back("class means");
  if (!card.variance.empty()) parts.emplace_back("variance of the features");
  return fmt::format("{}", fmt::join(parts, ", "));
}

Json card_json(const SourceCard& card) {
  if (card.is_empty()) return {};
  return {{"accuracy", value_or_null(card.accuracy)},
          {"confidence", value_or_null(card.confidence)},
          {"temperature", value_or_null(card.temperature)},
          {"frequencies", !card.frequencies.empty()},
          {"means", !card.means.empty()},
          {"variance", !card.variance.empty()}};
}

}  // namespace stad::cli
