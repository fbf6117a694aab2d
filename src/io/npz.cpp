#include "io/npz.hpp"

#include <zip.h>

#include <algorithm>

#include <fmt/core.h>

#include "base/try.hpp"
#include "io/text.hpp"

namespace stad {
namespace {

// Deflate expands two bits to at most 258 bytes, which is 1032 to 1. A larger declared size is invalid.
constexpr std::uint64_t kDeflateRatio = 1032;

using AlignedBuffer = std::vector<std::byte, CacheLineAllocator<std::byte>>;

/// Decompresses one entry from its beginning.
class EntryReader {
 public:
  EntryReader(zip_t* archive, std::uint64_t index) : file_(zip_fopen_index(archive, index, 0)) {}
  EntryReader(const EntryReader&) = delete;
  EntryReader& operator=(const EntryReader&) = delete;
  ~EntryReader() {
    if (file_) zip_fclose(file_);
  }

  bool is_open() const { return file_ != nullptr; }

  /// Fills the whole buffer or fails.
  Status read(std::span<std::byte> buffer) {
    while (!buffer.empty()) {
      STAD_ASSIGN(const std::size_t count, read_some(buffer));
      if (count == 0) return invalid(fmt::format("ends {} bytes too early", buffer.size()));
      buffer = buffer.subspan(count);
    }
    return {};
  }

  /// Fails if bytes are left. libzip verifies the checksum only when it reads the end.
  Status expect_end() {
    std::byte extra{};
    STAD_ASSIGN(const std::size_t count, read_some({&extra, 1}));
    if (count > 0) return invalid("has more bytes than the archive declares");
    return {};
  }

 private:
  Result<std::size_t> read_some(std::span<std::byte> buffer) {
    const zip_int64_t count = zip_fread(file_, buffer.data(), buffer.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    return invalid(fmt::format("is damaged: {}", zip_file_strerror(file_)));
  }

  zip_file_t* file_;
};

std::string_view without_suffix(std::string_view name) {
  if (name.ends_with(".npy")) name.remove_suffix(4);
  return name;
}

NpzEntry describe_entry(zip_t* archive, std::uint64_t index) {
  zip_stat_t status;
  zip_stat_init(&status);
  NpzEntry entry;
  entry.index = index;
  if (zip_stat_index(archive, index, ZIP_FL_ENC_RAW, &status) != 0) return entry;
  if (status.valid & ZIP_STAT_NAME) entry.name = without_suffix(status.name);
  if (status.valid & ZIP_STAT_SIZE) entry.size = status.size;
  if (status.valid & ZIP_STAT_COMP_SIZE) entry.compressed_size = status.comp_size;
  if (status.valid & ZIP_STAT_COMP_METHOD) entry.compression = status.comp_method;
  entry.is_encrypted = (status.valid & ZIP_STAT_ENCRYPTION_METHOD) && status.encryption_method != ZIP_EM_NONE;
  return entry;
}

Result<NpyHeader> read_npy_header(EntryReader& reader, std::uint64_t size) {
  std::vector<std::byte> start(std::min<std::uint64_t>(kNpyPrelude, size));
  STAD_TRY(reader.read(start));
  STAD_ASSIGN(const std::size_t offset, npy_data_offset(start));
  if (offset > size) return invalid(fmt::format("npy header ends at byte {}, the entry has {}", offset, size));
  const std::size_t known = start.size();
  if (offset < known) return invalid("npy header is empty");
  start.resize(offset);
  STAD_TRY(reader.read(std::span(start).subspan(known)));
  return parse_npy_header(start);
}

}  // namespace

void Npz::Discard::operator()(zip* archive) const { zip_discard(archive); }

Result<Npz> Npz::open(Bytes archive) {
  // libzip accepts no bytes as an archive without entries.
  if (archive.empty()) return invalid("is empty, must be an npz archive");
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* const source = zip_source_buffer_create(archive.data(), archive.size(), 0, &error);
  zip_t* const opened = source ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr;
  if (!opened) {
    const std::string reason = zip_error_strerror(&error);
    zip_source_free(source);
    zip_error_fini(&error);
    return invalid(fmt::format("is not a whole npz archive: {}", reason));
  }
  Npz npz;
  npz.archive_.reset(opened);
  npz.bytes_ = archive.size();
  const auto count = static_cast<std::uint64_t>(zip_get_num_entries(opened, 0));
  for (std::uint64_t i = 0; i < count; ++i) npz.entries_.push_back(describe_entry(opened, i));
  return npz;
}

Result<const NpzEntry*> Npz::find(std::string_view name) const {
  const NpzEntry* found = nullptr;
  for (const auto& entry : entries_) {
    if (entry.name != name) continue;
    if (found) return invalid("occurs twice, must occur once");
    found = &entry;
  }
  return found;
}

Status Npz::check_readable(const NpzEntry& entry) const {
  if (entry.is_encrypted) return invalid("is encrypted, must not be encrypted");
  if (entry.compression != ZIP_CM_STORE && entry.compression != ZIP_CM_DEFLATE)
    return invalid(fmt::format("has zip compression method {}, must be stored or deflated", entry.compression));
  const bool is_stored = entry.compression == ZIP_CM_STORE;
  const std::uint64_t most = is_stored ? entry.compressed_size : entry.compressed_size * kDeflateRatio;
  if (entry.compressed_size > bytes_ || entry.size > most)
    return invalid(fmt::format("declares {} bytes, which the archive's {} bytes cannot hold", entry.size, bytes_));
  return {};
}

Result<NpyHeader> Npz::read_header(const NpzEntry& entry) const {
  STAD_TRY(check_readable(entry));
  EntryReader reader(archive_.get(), entry.index);
  if (!reader.is_open()) return invalid(fmt::format("cannot be read: {}", zip_strerror(archive_.get())));
  return read_npy_header(reader, entry.size);
}

Result<Array> Npz::read_entry(const NpzEntry& entry) const {
  STAD_TRY(check_readable(entry));
  EntryReader reader(archive_.get(), entry.index);
  if (!reader.is_open()) return invalid(fmt::format("cannot be read: {}", zip_strerror(archive_.get())));
  STAD_ASSIGN(const auto header, read_npy_header(reader, entry.size));
  const std::uint64_t size = entry.size - header.data_offset;
  STAD_ASSIGN(auto array, make_array("data", header, size));
  auto buffer = std::make_shared<AlignedBuffer>(size);
  STAD_TRY(reader.read(*buffer));
  STAD_TRY(reader.expect_end());
  array.name = entry.name;
  array.data = *buffer;
  array.storage = std::move(buffer);
  return array;
}

Result<std::optional<Array>> Npz::read(std::string_view name) const {
  auto entry = find(name);
  if (!entry) return invalid(fmt::format("{} {}", name, entry.error().message));
  if (!*entry) return std::optional<Array>();
  auto array = read_entry(**entry);
  if (!array) return within(name, array.error());
  return std::optional<Array>(*std::move(array));
}

Result<Array> Npz::require(std::string_view name) const {
  STAD_ASSIGN(auto array, read(name));
  if (array) return *std::move(array);
  std::vector<std::string> names;
  for (const auto& entry : entries_) names.push_back(entry.name);
  if (names.empty()) return invalid(fmt::format("has no array {}; it is empty", shown(name)));
  return invalid(fmt::format("has no array {}; it has {}", shown(name), listed(names)));
}

}  // namespace stad
