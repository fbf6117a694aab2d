#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <stad/error.hpp>
#include <stad/files.hpp>
#include <stad/streams.hpp>

namespace stad {

/// Decodes a stream from text: one row a line. Columns that are neither label nor time are features.
Result<FeatureStream> decode_csv(std::string_view text, const CsvColumns& columns);

/// Header, columns and size of a CSV file.
struct CsvSummary {
  bool has_header = false;
  std::vector<std::string> columns;  ///< names, or "1", "2", ... without a header
  Index rows = 0;                    ///< lines after the header
};
Result<CsvSummary> summarise_csv(std::string_view text);

}  // namespace stad
