#include "server/http/request_rules.hpp"

#include <algorithm>
#include <cctype>
#include <string>

#include <fmt/format.h>

namespace stad::server {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

bool are_equal_in_any_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

bool starts_in_any_case(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() && are_equal_in_any_case(text.substr(0, prefix.size()), prefix);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t";
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string_view last_coding(std::string_view codings) {
  const auto comma = codings.rfind(',');
  return trimmed(comma == std::string_view::npos ? codings : codings.substr(comma + 1));
}

std::optional<AppError> transfer_encoding_error(const RequestFraming& framing) {
  const std::string_view coding = framing.transfer_encoding;
  if (framing.transfer_encodings > 1) return http_error(400, "Transfer-Encoding is given twice, must be given once");
  if (framing.version < 11) return http_error(400, "Transfer-Encoding requires HTTP/1.1; send Content-Length");
  if (!are_equal_in_any_case(last_coding(coding), "chunked"))
    return http_error(
        400, fmt::format("Transfer-Encoding is '{}', must be chunked: the end of the body is unknown", coding));
  if (!are_equal_in_any_case(trimmed(coding), "chunked"))
    return http_error(501, fmt::format("Transfer-Encoding is '{}', must be chunked alone", coding));
  return std::nullopt;
}

}  // namespace

std::optional<AppError> framing_error(const RequestFraming& framing) {
  if (framing.hosts > 1) return http_error(400, "Host is given twice, must be given once");
  if (framing.hosts == 0 && framing.version >= 11) return http_error(400, "Host is missing, HTTP/1.1 requires it");
  if (framing.transfer_encodings == 0) return std::nullopt;
  return transfer_encoding_error(framing);
}

RequestTarget split_target(std::string_view target, std::string_view host) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!starts_in_any_case(target, scheme)) continue;
    target.remove_prefix(scheme.size());
    const auto end = std::min(target.find_first_of("/?"), target.size());
    host = target.substr(0, end);
    target.remove_prefix(end);
    break;
  }
  const auto question = std::min(target.find('?'), target.size());
  const auto path = target.substr(0, question);
  return {host, path.empty() ? "/" : path, target.substr(std::min(question + 1, target.size()))};
}

std::optional<std::string_view> bearer_token(std::string_view authorization) {
  constexpr std::string_view kBearer = "Bearer ";
  if (!starts_in_any_case(authorization, kBearer)) return std::nullopt;
  return trimmed(authorization.substr(kBearer.size()));
}

}  // namespace stad::server
