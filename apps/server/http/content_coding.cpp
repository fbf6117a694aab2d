#include "server/http/content_coding.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <memory>
#include <new>

#include <fmt/format.h>
#include <zlib.h>

#include "common/error.hpp"
#include "server/http/header_text.hpp"

namespace stad::server {
namespace {

constexpr std::size_t kFirstOutput = 64 << 10;  // bytes; the output doubles from there
constexpr int kGzipWindow = 15 + 16;            // zlib's argument for the gzip format with the largest window
constexpr int kZlibWindow = 15;
constexpr int kRawWindow = -15;
constexpr int kMemoryLevel = 8;  // zlib's default

std::optional<ContentCoding> coding_named(std::string_view name) {
  if (are_equal_in_any_case(name, "gzip") || are_equal_in_any_case(name, "x-gzip")) return ContentCoding::kGzip;
  if (are_equal_in_any_case(name, "deflate")) return ContentCoding::kDeflate;
  if (name.empty() || are_equal_in_any_case(name, "identity")) return ContentCoding::kIdentity;
  return std::nullopt;
}

/// The value of ";q=VALUE"; 1 without it, 0 where it is not a number.
double quality_of(std::string_view parameters) {
  const auto place = parameters.find("q=");
  if (place == std::string_view::npos) return 1;
  const std::string_view text = parameters.substr(place + 2);
  double quality = 0;
  std::from_chars(text.data(), text.data() + text.size(), quality);
  return quality;
}

/// A raw stream does not begin with these two bytes: they would be a stored block with padding other than zero.
bool has_zlib_header(std::string_view body) {
  if (body.size() < 2) return false;
  const auto first = static_cast<unsigned char>(body[0]);
  const auto second = static_cast<unsigned char>(body[1]);
  return (first & 0x0FU) == Z_DEFLATED && (256U * first + second) % 31 == 0;
}

int window_of(std::string_view body, ContentCoding coding) {
  if (coding == ContentCoding::kGzip) return kGzipWindow;
  return has_zlib_header(body) ? kZlibWindow : kRawWindow;
}

Bytef* bytes_of(const char* text) { return reinterpret_cast<Bytef*>(const_cast<char*>(text)); }

/// A stream of zlib that reads at most 4 GB at a time.
class Inflater {
 public:
  Inflater(std::string_view body, ContentCoding coding) : coding_(coding), rest_(body) {
    if (inflateInit2(&stream_, window_of(body, coding)) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  bool is_done() const { return is_done_; }

  /// Writes up to `size` bytes and returns their number. Throws AppError (400).
  std::size_t read(char* out, std::size_t size) {
    const auto limit = static_cast<std::size_t>(std::numeric_limits<uInt>::max());
    const auto in = static_cast<uInt>(std::min(rest_.size(), limit));
    const auto space = static_cast<uInt>(std::min(size, limit));
    stream_.next_in = bytes_of(rest_.data());
    stream_.avail_in = in;
    stream_.next_out = bytes_of(out);
    stream_.avail_out = space;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    rest_.remove_prefix(in - stream_.avail_in);
    finish_step(status);
    return space - stream_.avail_out;
  }

 private:
  void finish_step(int status) {
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status == Z_STREAM_END && rest_.empty()) {
      is_done_ = true;
    } else if (status == Z_STREAM_END && coding_ == ContentCoding::kGzip) {
      inflateReset(&stream_);  // a further member
    } else if (status == Z_STREAM_END) {
      reject(400, fmt::format("the body has {} bytes after its deflate stream, must have none", rest_.size()));
    } else if (status == Z_BUF_ERROR || (status == Z_OK && rest_.empty() && stream_.avail_out > 0)) {
      reject(400, fmt::format("the {} body is incomplete", name_of(coding_)));
    } else if (status != Z_OK) {
      reject(400, fmt::format("the body is not {}, as Content-Encoding names it", name_of(coding_)));
    }
  }

  const ContentCoding coding_;
  std::string_view rest_;  ///< not read yet
  z_stream stream_{};
  bool is_done_ = false;
};

}  // namespace

std::string_view name_of(ContentCoding coding) {
  constexpr std::array<std::string_view, 3> kNames{"identity", "gzip", "deflate"};
  return kNames[static_cast<std::size_t>(coding)];
}

ContentCoding coding_of(std::string_view content_encoding) {
  const auto coding = coding_named(trimmed(content_encoding));
  if (!coding)
    reject(415, fmt::format("Content-Encoding is '{}', must be gzip, deflate or identity", content_encoding));
  return *coding;
}

ContentCoding accepted_coding(std::string_view accept_encoding) {
  ContentCoding best = ContentCoding::kIdentity;
  double best_quality = 0;
  while (!accept_encoding.empty()) {
    const auto end = std::min(accept_encoding.find(','), accept_encoding.size());
    const std::string_view entry = accept_encoding.substr(0, end);
    accept_encoding.remove_prefix(std::min(end + 1, accept_encoding.size()));
    const auto semicolon = std::min(entry.find(';'), entry.size());
    const auto coding = coding_named(trimmed(entry.substr(0, semicolon)));
    const double quality = quality_of(entry.substr(semicolon));
    if (!coding || *coding == ContentCoding::kIdentity || quality < best_quality || quality <= 0) continue;
    if (quality > best_quality || *coding == ContentCoding::kGzip) best = *coding;
    best_quality = quality;
  }
  return best;
}

std::string decompressed(std::string_view body, ContentCoding coding, std::size_t max_size, const MayHold& may_hold) {
  if (coding == ContentCoding::kIdentity) return std::string(body);
  Inflater inflater(body, coding);
  std::string out;
  std::size_t written = 0;
  while (!inflater.is_done()) {
    if (written > max_size) reject(413, fmt::format("the decompressed body is larger than {} bytes", max_size));
    if (written == out.size()) {
      const std::size_t size = std::min(std::max(kFirstOutput, 2 * written), max_size + 1);
      if (!may_hold(size)) reject(429, "the requests of this caller hold too much memory; wait for their answers");
      out.resize(size);
    }
    written += inflater.read(out.data() + written, out.size() - written);
  }
  if (written > max_size) reject(413, fmt::format("the decompressed body is larger than {} bytes", max_size));
  out.resize(written);
  return out;
}

std::string compressed(std::string_view body, ContentCoding coding) {
  z_stream stream{};
  const int window = coding == ContentCoding::kGzip ? kGzipWindow : kZlibWindow;
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, window, kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  const std::unique_ptr<z_stream, decltype(&deflateEnd)> end(&stream, &deflateEnd);
  std::string out(deflateBound(&stream, body.size()), '\0');
  stream.next_in = bytes_of(body.data());
  stream.avail_in = static_cast<uInt>(body.size());
  stream.next_out = bytes_of(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);  // completes in one call: the output has the size of the bound
  out.resize(stream.total_out);
  return out;
}

}  // namespace stad::server
