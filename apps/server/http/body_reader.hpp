// Reads the body of a request within limits. Includes Beast: to be included by connection.hpp only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "common/error.hpp"
#include "server/http/body_budget.hpp"
#include "server/http/content_coding.hpp"
#include "server/http/coroutines.hpp"

namespace stad::server {

/// A body in a string that grows with the bytes received: memory is not reserved for announced bytes.
struct GrowingBody {
  using value_type = std::string;
  static std::uint64_t size(const value_type& body) { return body.size(); }

  class reader {
   public:
    template <bool is_request, class Fields>
    explicit reader(http::header<is_request, Fields>&, value_type& body) : body_(body) {}

    void init(const boost::optional<std::uint64_t>& length, ErrorCode& error) {
      error = {};
      body_.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(length.value_or(0), kFirstReserve)));
    }
    template <class Buffers>
    std::size_t put(const Buffers& buffers, ErrorCode& error) {
      error = {};
      const std::size_t before = body_.size();
      for (auto place = asio::buffer_sequence_begin(buffers); place != asio::buffer_sequence_end(buffers); ++place)
        body_.append(static_cast<const char*>(asio::const_buffer(*place).data()), asio::const_buffer(*place).size());
      return body_.size() - before;
    }
    void finish(ErrorCode& error) { error = {}; }

   private:
    static constexpr std::uint64_t kFirstReserve = 64 << 10;  // bytes: most bodies, without a second allocation
    value_type& body_;
  };
};

using RequestParser = http::request_parser<GrowingBody>;

inline constexpr std::size_t kReadSize = 64 << 10;  // bytes

/// Of a connection's buffer: the largest header and one read. Chunk extensions and trailers, which Beast keeps in the
/// buffer until they are complete, are limited by it.
inline std::size_t buffer_limit(std::size_t max_header) { return max_header + kReadSize; }

/// Bytes that a body of up to `limit` bytes may take on the wire, with chunk sizes, extensions and trailers: as much
/// framing as content.
inline std::size_t wire_limit(std::size_t limit, std::size_t max_header) { return 2 * limit + max_header; }

struct BodyOutcome {
  ErrorCode error;                        ///< of the connection or of the parser
  std::optional<HttpResponse> rejection;  ///< the body exceeds a limit; the rest is not read
};

/// Reads the next bytes into the buffer. Fails with buffer_overflow where it is full: the parser waits for the end of
/// an extension or a trailer.
template <typename Stream>
Awaitable<ErrorCode> read_more(Stream& stream, beast::flat_buffer& buffer) {
  const std::size_t space = buffer.max_size() - buffer.size();
  if (space == 0) co_return make_error_code(http::error::buffer_overflow);
  ErrorCode error;
  const std::size_t size = co_await stream.async_read_some(buffer.prepare(std::min(space, kReadSize)), into(error));
  buffer.commit(size);
  co_return error;
}

/// Reads the body until the parser is done, the connection fails or a limit is exceeded.
/// @param max_wire bytes that may be received, counted as they are on the wire
template <typename Stream>
Awaitable<BodyOutcome> read_body(Stream& stream, beast::flat_buffer& buffer, RequestParser& parser,
                                 BodyBudget::Share& share, std::size_t max_wire) {
  parser.eager(true);
  for (std::size_t wire = 0; !parser.is_done();) {
    ErrorCode error;
    if (buffer.size() == 0) error = co_await read_more(stream, buffer);
    if (error) co_return BodyOutcome{error, std::nullopt};
    const std::size_t used = parser.put(buffer.data(), error);
    buffer.consume(used);
    if (error == http::error::need_more) error = co_await read_more(stream, buffer);
    if (error) co_return BodyOutcome{error, std::nullopt};
    if ((wire += used) > max_wire)
      co_return BodyOutcome{
          {},
          error_response(413, fmt::format("the chunked body takes more than {} bytes, must take less: send "
                                          "larger chunks without extensions and trailers",
                                          max_wire))};
    if (!share.grow_to(static_cast<std::int64_t>(parser.get().body().size())))
      co_return BodyOutcome{
          {}, error_response(429, "the requests of this caller hold too much memory; wait for their answers")};
  }
  co_return BodyOutcome{};
}

/// Replaces a compressed body by its content, which counts in the share beside it. Returns the error, or none.
inline std::optional<HttpResponse> decode_body(std::string& body, std::string_view content_encoding,
                                               std::size_t max_body, BodyBudget::Share& share) {
  if (content_encoding.empty() || body.empty()) return std::nullopt;
  const auto may_hold = [&](std::size_t size) { return share.grow_to(static_cast<std::int64_t>(body.size() + size)); };
  try {
    const ContentCoding coding = coding_of(content_encoding);
    if (coding != ContentCoding::kIdentity) body = decompressed(body, coding, max_body, may_hold);
  } catch (const AppError& failure) {
    return error_response(http_status(failure), failure.error.message);
  }
  return std::nullopt;
}

}  // namespace stad::server
