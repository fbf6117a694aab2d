#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <stad/error.hpp>
#include <stad/files.hpp>
#include <stad/streams.hpp>

namespace stad {

/// A stream from text: a row a line, features in the columns that are neither label nor time.
Result<FeatureStream> decode_csv(std::string_view text, const CsvColumns& columns);

/// What the first line tells.
struct CsvSummary {
  bool has_header = false;
  std::vector<std::string> columns;  ///< names, or "1", "2", ... without a header
  Index rows = 0;                    ///< lines after the header
};
Result<CsvSummary> summarise_csv(std::string_view text);

}  // namespace stad
