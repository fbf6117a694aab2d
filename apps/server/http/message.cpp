#include "server/http/message.hpp"

#include <charconv>

#include <fmt/format.h>
#include <openssl/evp.h>
#include <nlohmann/json.hpp>

#include "common/error.hpp"
#include "serving/log.hpp"

namespace stad::server {
namespace {

std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned byte = 0;
    const auto digits = text.substr(i + 1, 2);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (digits.size() < 2 || error != std::errc() || end != digits.data() + 2 || byte == 0)
      reject(400, fmt::format("the URL has '%{}', which is not an escaped character", digits));
    out += static_cast<char>(byte);
    i += 2;
  }
  return out;
}

}  // namespace

HttpResponse json_response(std::string body, int status) {
  HttpResponse response;
  response.status = status;
  response.body = std::move(body);
  return response;
}

HttpResponse error_response(int status, std::string_view message) {
  auto response = json_response(
      nlohmann::json{{"error", message}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), status);
  if (status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  if (status == 429 || status == 503) response.headers.emplace_back("Retry-After", "1");
  return response;
}

void compress(HttpResponse& response, ContentCoding coding) {
  if (!response.may_be_compressed || coding == ContentCoding::kIdentity) return;
  response.headers.emplace_back("Vary", "Accept-Encoding");
  if (response.body.size() < kMinCompressed) return;
  response.body = compressed(response.body, coding);
  response.headers.emplace_back("Content-Encoding", name_of(coding));
}

bool is_health(std::string_view path) {
  return path == "/livez" || path == "/readyz" || path.starts_with("/v2/health/");
}

std::string_view family_of(std::string_view path) {
  if (path.ends_with("/infer")) return "infer";
  if (path.starts_with("/v2") && !is_health(path)) return "v2";
  if (path.starts_with("/admin")) return "admin";
  if (path == "/events") return "events";
  if (path == "/metrics") return "metrics";
  if (is_health(path)) return "health";
  return path == "/" || path.starts_with("/assets/") ? "page" : "other";
}

PathParts path_parts(std::string_view path) {
  PathParts parts;
  while (!path.empty()) {
    path.remove_prefix(path.front() == '/' ? 1 : 0);
    const auto end = std::min(path.find('/'), path.size());
    if (end > 0) parts.push_back(decoded(path.substr(0, end)));
    path.remove_prefix(end);
  }
  return parts;
}

std::optional<std::string> query_value(std::string_view query, std::string_view key) {
  while (!query.empty()) {
    const auto end = std::min(query.find('&'), query.size());
    const auto pair = query.substr(0, end);
    const auto equals = std::min(pair.find('='), pair.size());
    if (pair.substr(0, equals) == key) return decoded(pair.substr(std::min(equals + 1, pair.size())));
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return std::nullopt;
}

void reply_errors(const RequestTarget& target, const Reply& reply, const std::function<void()>& function) {
  try {
    function();
  } catch (const AppError& failure) {
    HttpResponse response = error_response(http_status(failure), failure.error.message);
    if (response.status == 405) response.headers.emplace_back("Allow", allowed_methods(target.parts));
    reply(std::move(response));
  } catch (const std::exception& error) {
    serving::log(serving::LogLevel::kError, "a request failed unexpectedly",
                 {{"path", std::string(target.path)}, {"reason", error.what()}});
    reply(error_response(500, std::string("internal error: ") + error.what()));
  }
}

std::string from_base64(std::string_view text) {
  std::string bytes(text.size() / 4 * 3, '\0');
  const int length =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                      reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  if (text.size() % 4 != 0 || length < 0) reject(400, "source_base64 is not base64");
  // The equals signs of the last group count its missing bytes.
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  bytes.resize(static_cast<std::size_t>(length) - padding);
  return bytes;
}

}  // namespace stad::server
