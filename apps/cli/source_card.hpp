#pragma once

#include <string>

#include <stad/source_model.hpp>
#include <stad/streams.hpp>

#include "common/json_text.hpp"

// The card of a source: computed from labelled rows, and as text and JSON.
namespace stad::cli {

/// The source with a card computed from the rows. Rejects rows without labels, of another dimension or with a label
/// that is not a class, naming the file of the rows.
SourceModel with_card(const SourceModel& source, const FeatureStream& labelled);

/// "accuracy 93.10 %, mean confidence 92.80 %, temperature 1.21", without the fields that are absent.
std::string card_text(const SourceCard& card);
/// The same and the names of the other fields; "none" for an empty card.
std::string card_fields_text(const SourceCard& card);

/// Null for an empty card. Numbers are null where absent; frequencies, means and variance tell whether they are
/// present.
Json card_json(const SourceCard& card);

}  // namespace stad::cli
