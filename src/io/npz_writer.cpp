#include "io/npz.hpp"

#include <zip.h>

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/core.h>

#include "base/try.hpp"
#include "io/npy.hpp"
#include "io/text.hpp"

namespace stad {
namespace {

// The earliest time a zip file can hold, as numpy writes it, so that equal content gives equal bytes.
constexpr zip_uint16_t kFixedTime = 0;
constexpr zip_uint16_t kFixedDate = 1 << 5 | 1;

std::string packed(MatrixView rows) {
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(rows.rows * rows.cols) * sizeof(float));
  for (Index r = 0; r < rows.rows; ++r) bytes += as_text(std::as_bytes(rows.row(r)));
  return bytes;
}

Error zip_failure(zip_error_t& error) {
  return failed(fmt::format("cannot build the archive: {}", zip_error_strerror(&error)));
}

/// Release the objects that libzip does not own.
struct FreeSource {
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};
struct DiscardArchive {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
using ZipSource = std::unique_ptr<zip_source_t, FreeSource>;
using ZipArchive = std::unique_ptr<zip_t, DiscardArchive>;

Status add_member(zip_t* archive, const std::string& name, std::string_view header, Bytes data) {
  const auto piece = [](std::string_view bytes) {
    return zip_buffer_fragment_t{reinterpret_cast<zip_uint8_t*>(const_cast<char*>(bytes.data())), bytes.size()};
  };
  const zip_buffer_fragment_t pieces[] = {piece(header), piece(as_text(data))};
  ZipSource source(zip_source_buffer_fragment(archive, pieces, data.empty() ? 1 : 2, 0));
  const zip_int64_t index =
      source ? zip_file_add(archive, (name + ".npy").c_str(), source.get(), ZIP_FL_ENC_UTF_8) : -1;
  if (index < 0) return zip_failure(*zip_get_error(archive));
  static_cast<void>(source.release());  // owned by the archive
  const auto entry = static_cast<zip_uint64_t>(index);
  if (zip_set_file_compression(archive, entry, ZIP_CM_STORE, 0) != 0 ||
      zip_file_set_dostime(archive, entry, kFixedTime, kFixedDate, 0) != 0)
    return zip_failure(*zip_get_error(archive));
  return {};
}

Result<std::string> content_of(zip_source_t* source) {
  zip_stat_t status;
  zip_stat_init(&status);
  if (zip_source_stat(source, &status) != 0 || zip_source_open(source) != 0)
    return zip_failure(*zip_source_error(source));
  std::string content(status.size, '\0');
  const zip_int64_t count = zip_source_read(source, content.data(), content.size());
  zip_source_close(source);
  if (count < 0 || static_cast<zip_uint64_t>(count) != status.size) return zip_failure(*zip_source_error(source));
  return content;
}

}  // namespace

void NpzWriter::add(std::string name, std::string_view type, std::vector<Index> shape, Bytes data) {
  members_.push_back({std::move(name), encode_npy_header(type, shape), data});
}

void NpzWriter::add(std::string name, MatrixView rows) {
  Bytes data = as_bytes(rows.data, static_cast<std::size_t>(rows.rows * rows.cols));
  if (rows.stride != rows.cols) data = as_bytes(owned_.emplace_back(packed(rows)));
  add(std::move(name), "<f4", {rows.rows, rows.cols}, data);
}

void NpzWriter::add(std::string name, std::span<const float> values) {
  add(std::move(name), "<f4", {static_cast<Index>(values.size())}, std::as_bytes(values));
}

void NpzWriter::add(std::string name, std::span<const double> values) {
  add(std::move(name), "<f8", {static_cast<Index>(values.size())}, std::as_bytes(values));
}

void NpzWriter::add(std::string name, std::span<const std::int64_t> values) {
  add(std::move(name), "<i8", {static_cast<Index>(values.size())}, std::as_bytes(values));
}

void NpzWriter::add(std::string name, std::vector<Index> shape, std::span<const std::uint8_t> values) {
  add(std::move(name), "|u1", std::move(shape), std::as_bytes(values));
}

void NpzWriter::add_copy(std::string name, std::span<const std::int64_t> values) {
  const auto& bytes = owned_.emplace_back(as_text(std::as_bytes(values)));
  add(std::move(name), "<i8", {static_cast<Index>(values.size())}, as_bytes(bytes));
}

void NpzWriter::add_copy(std::string name, Bytes bytes) {
  const auto& copy = owned_.emplace_back(as_text(bytes));
  add(std::move(name), "|u1", {static_cast<Index>(copy.size())}, as_bytes(copy));
}

Status NpzWriter::add(std::string name, std::span<const std::string> texts) {
  std::vector<std::u32string> wide;
  std::size_t longest = 1;  // the shortest text type of numpy
  for (const auto& text : texts) {
    auto converted = utf8_to_utf32(text);
    if (!converted) return invalid(fmt::format("{}[{}] is {}, must be UTF-8", name, wide.size(), shown(text)));
    longest = std::max(longest, converted->size());
    wide.push_back(*std::move(converted));
  }
  auto& bytes = owned_.emplace_back();
  for (auto& text : wide) {
    text.resize(longest);
    bytes += as_text(std::as_bytes(std::span(text)));
  }
  add(std::move(name), fmt::format("<U{}", longest), {static_cast<Index>(texts.size())}, as_bytes(bytes));
  return {};
}

Result<std::string> NpzWriter::encode() const {
  zip_error_t error;
  zip_error_init(&error);
  const ZipSource target(zip_source_buffer_create(nullptr, 0, 0, &error));
  if (!target) return zip_failure(error);
  ZipArchive archive(zip_open_from_source(target.get(), ZIP_CREATE | ZIP_TRUNCATE, &error));
  if (!archive) return zip_failure(error);
  zip_source_keep(target.get());  // the archive owns one reference; the bytes are read after it is closed
  for (const auto& member : members_) STAD_TRY(add_member(archive.get(), member.name, member.header, member.data));
  if (zip_close(archive.get()) != 0) return zip_failure(*zip_get_error(archive.get()));
  static_cast<void>(archive.release());  // zip_close has freed it
  return content_of(target.get());
}

}  // namespace stad
