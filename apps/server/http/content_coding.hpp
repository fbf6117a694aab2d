#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace stad::server {

/// Content codings of bodies (RFC 9110, 8.4.1). `deflate` is the zlib format.
enum class ContentCoding { kIdentity, kGzip, kDeflate };

/// Answers shorter than this are sent as they are: compression would save less than a packet.
inline constexpr std::size_t kMinCompressed = 1024;  // bytes

std::string_view name_of(ContentCoding coding);

/// The coding of a Content-Encoding field; an empty field is identity. Throws AppError (415) for other codings and for
/// more than one.
ContentCoding coding_of(std::string_view content_encoding);

/// The coding that an Accept-Encoding field ranks highest, gzip before deflate where they are equal; identity where it
/// names neither, or excludes them by q=0.
ContentCoding accepted_coding(std::string_view accept_encoding);

/// Whether `size` bytes of decompressed body may be held. False: the memory of the caller is used up.
using MayHold = std::function<bool(std::size_t size)>;

/// Decompresses a body: gzip of one or more members, or deflate in the zlib format or raw, as some clients send it. The
/// output grows with the bytes written, so that a small body cannot cause a large allocation. Throws AppError: 400
/// where the body is not of this coding or is incomplete, 413 where the output exceeds `max_size`, 429 where
/// `may_hold` returns false.
std::string decompressed(std::string_view body, ContentCoding coding, std::size_t max_size, const MayHold& may_hold);

/// At the fastest level: the network is rarely slow enough for the others to pay off.
std::string compressed(std::string_view body, ContentCoding coding);

}  // namespace stad::server
