#pragma once

#include "io/bytes.hpp"
#include "io/npy_header.hpp"
#include "io/state_file.hpp"

namespace stad {

enum class Format { kNpz, kNpy, kState, kText };

/// By content: people rename files, and standard input has no name at all.
inline Format format_of(Bytes file) {
  const auto text = as_text(file);
  // The second is an archive without entries.
  if (text.starts_with("PK\3\4") || text.starts_with("PK\5\6")) return Format::kNpz;
  if (text.starts_with(kNpyMagic)) return Format::kNpy;
  if (text.starts_with(kStateMagic)) return Format::kState;
  return Format::kText;
}

}  // namespace stad
