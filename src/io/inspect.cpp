#include "io/formats.hpp"

#include <variant>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "base/try.hpp"
#include "io/csv.hpp"
#include "io/file_access.hpp"
#include "io/npy.hpp"
#include "io/npz.hpp"
#include "io/text.hpp"

namespace stad {
namespace {

/// Archives may have entries that are not arrays; those are listed with their size in bytes.
ArraySummary summarise_entry(const Npz& npz, const NpzEntry& entry) {
  const auto header = npz.read_header(entry);
  if (header) return {printable(entry.name), printable(header->type), header->shape};
  const char* const type = entry.is_encrypted ? "encrypted" : "not npy";
  return {printable(entry.name), type, {static_cast<Index>(entry.size)}};
}

Result<FileSummary> summarise_npz(Bytes file) {
  STAD_ASSIGN(const auto npz, Npz::open(file));
  FileSummary summary;
  summary.format = "npz";
  for (const auto& entry : npz.entries()) summary.arrays.push_back(summarise_entry(npz, entry));
  return summary;
}

Result<FileSummary> summarise_npy(Bytes file) {
  STAD_ASSIGN(auto header, parse_npy_header(file));
  FileSummary summary;
  summary.format = "npy";
  summary.arrays.push_back({"array", printable(header.type), std::move(header.shape)});
  return summary;
}

Result<FileSummary> summarise_text(Bytes file) {
  STAD_ASSIGN(const auto csv, summarise_csv(as_text(file)));
  FileSummary summary;
  summary.format = "csv";
  summary.arrays.push_back({"table", "text", {csv.rows, static_cast<Index>(csv.columns.size())}});
  summary.facts.emplace_back("header", csv.has_header ? "yes" : "no");
  if (csv.has_header) summary.facts.emplace_back("columns", printable(fmt::format("{}", fmt::join(csv.columns, ", "))));
  return summary;
}

ArraySummary summarise_tensor(const Tensor& tensor) {
  constexpr const char* kTypes[] = {"<f4", "<f8", "<i8"};
  return {"state/" + printable(tensor.name), kTypes[tensor.values.index()], tensor.shape};
}

Result<FileSummary> summarise_state(Bytes file) {
  STAD_ASSIGN(const auto state, decode_state(file));
  FileSummary summary;
  summary.format = "state";
  summary.facts.emplace_back("method", printable(state.method));
  for (const auto& option : state.options) summary.facts.emplace_back(printable(option.name), printable(option.value));
  summary.facts.emplace_back("classes", fmt::format("{}", state.classes));
  summary.facts.emplace_back("dimension", fmt::format("{}", state.dimension));
  summary.facts.emplace_back("source fingerprint", fmt::format("{:016x}", state.source_fingerprint));
  for (const auto& tensor : state.tensors) summary.arrays.push_back(summarise_tensor(tensor));
  return summary;
}

Result<FileSummary> summarise_any(Bytes file) {
  switch (format_of(file)) {
    case Format::kNpz:
      return summarise_npz(file);
    case Format::kNpy:
      return summarise_npy(file);
    case Format::kState:
      return summarise_state(file);
    case Format::kText:
      break;
  }
  return summarise_text(file);
}

}  // namespace

Format format_of(Bytes file) {
  const auto text = as_text(file);
  // "PK\5\6" begins an archive without entries.
  if (text.starts_with("PK\3\4") || text.starts_with("PK\5\6")) return Format::kNpz;
  if (text.starts_with(kNpyMagic)) return Format::kNpy;
  if (text.starts_with(kStateMagic)) return Format::kState;
  return Format::kText;
}

Result<FileSummary> summarise(Bytes file) {
  STAD_ASSIGN(auto summary, summarise_any(file));
  summary.bytes = file.size();
  return summary;
}

Result<FileSummary> inspect_file(const std::string& path) {
  STAD_ASSIGN(const auto file, read_file(path));
  auto summary = summarise(file.bytes);
  if (!summary) return within(file_name(path), summary.error());
  return summary;
}

}  // namespace stad
