#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <stad/adapter_state.hpp>
#include <stad/error.hpp>
#include <stad/files.hpp>
#include <stad/source_model.hpp>
#include <stad/streams.hpp>

#include "io/bytes.hpp"
#include "io/file_access.hpp"

namespace stad {

// Decoders of whole files in memory. All are total: any bytes give a value or an error. Their messages do not name the
// file; read_source(), read_stream() and the others of <stad/files.hpp> add the name.

enum class Format { kNpz, kNpy, kState, kText };

/// Detected by content, because files are renamed and standard input has no name.
Format format_of(Bytes file);

Result<SourceModel> decode_source(const FileBytes& file);
Result<FeatureStream> decode_stream(const FileBytes& file, const CsvColumns& columns);
Result<ImageStream> decode_images(const FileBytes& file);

/// Names, types and shapes of the contents of a file of any format.
Result<FileSummary> summarise(Bytes file);

// State files. docs/formats.md describes the layout. Every state has exactly one encoding, and every accepted file
// encodes to itself.

/// The two control characters are corrupted by transfers that convert line ends.
inline constexpr std::string_view kStateMagic{"STADST\x1a\n", 8};
inline constexpr std::uint32_t kStateVersion = 1;
inline constexpr std::size_t kStateChecksumOffset = 20;  ///< after magic, version and payload length
inline constexpr std::size_t kStatePayloadOffset = 24;

/// Every tensor must have as many values as its shape implies.
std::string encode_state(const AdapterState& state);
Result<AdapterState> decode_state(Bytes file);

/// CRC-32 of everything but the checksum itself, so that a changed version or length is detected as well.
std::uint32_t state_checksum(std::string_view start, std::string_view payload);

}  // namespace stad
