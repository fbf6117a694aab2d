#pragma once

#include <span>

#include <stad/adapter.hpp>
#include <stad/options.hpp>

namespace stad {

/// Whether a prototype method can start from the head: every row of the weights is nonzero, and the head has a feature
/// mean if the method centres by it.
Status check_prototypes(const char* method, const SourceModel& source, Center center);

/// Whether the head has the statistics that `normalise` restores: a feature mean, and for standardise a variance.
Status check_normalisation(const SourceModel& source, NormaliseKind kind);

/// Whether a K x K matrix of the head's classes, which stad-safe keeps, is of a reasonable size.
Status check_guard_size(const SourceModel& source);

/// Whether the method uses labels that arrive after their rows.
STAD_API Status check_takes_labels(const Adapter& adapter);

/// Whether observe() accepts these labels: the method takes labels, there is one for each of `count` ids or rows, and
/// every label is a class.
/// @param counted "ids" or "rows", for the message
Status check_labels(const Adapter& adapter, std::span<const std::int64_t> labels, Index count, const char* counted);

}  // namespace stad
