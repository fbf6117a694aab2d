#include "cluster/layout/names.hpp"

#include <cctype>
#include <charconv>

#include <fmt/format.h>

#include "common/error.hpp"
#include "serving/protocol/infer_request.hpp"

namespace stad::cluster {
namespace {

bool is_literal(unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; }

/// FNV-1a, the hash of the servers' subject mapping.
std::uint32_t hash_of(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (const unsigned char c : text) hash = (hash ^ c) * 16777619U;
  return hash;
}

/// Decodes =XX; does not check whether the byte had to be encoded.
std::string decoded(std::string_view token) {
  std::string name;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] != '=') {
      name += token[i];
      continue;
    }
    unsigned value = 0;
    const char* digits = token.data() + i + 1;
    const auto [end, error] = std::from_chars(digits, token.data() + std::min(i + 3, token.size()), value, 16);
    if (error != std::errc() || end != digits + 2)
      reject(400,
             fmt::format("'{}' is not an encoded name of a stream or model: '=' must be followed by two hexadecimal "
                         "digits",
                         token));
    name += static_cast<char>(value);
    i += 2;
  }
  return name;
}

std::string two_tokens(const StreamName& name) { return token_of(name.model) + "." + token_of(name.stream); }

}  // namespace

std::string token_of(std::string_view name) {
  if (name.empty()) return "=";
  std::string token;
  for (const unsigned char c : name) {
    if (is_literal(c))
      token += static_cast<char>(c);
    else
      token += fmt::format("={:02X}", c);
  }
  return token;
}

std::string name_of_token(std::string_view token) {
  if (token == "=") return "";
  std::string name = decoded(token);
  // Another encoding would be mapped to another partition, and two workers would own the stream.
  if (const std::string ours = token_of(name); token != ours)
    reject(400, fmt::format("'{}' is not an encoded name of a stream or model, must be '{}'", token, ours));
  return name;
}

std::string input_subject(const StreamName& name) { return "stad.in." + two_tokens(name); }

std::string output_subject(const StreamName& name) { return "stad.out." + two_tokens(name); }

std::string partition_subject(std::int64_t partition, const StreamName& name) {
  return fmt::format("stad.partition.{}.{}", partition, two_tokens(name));
}

std::int64_t partition_of(const StreamName& name, std::int64_t partitions) {
  return hash_of(token_of(name.model) + token_of(name.stream)) % partitions;
}

void check_partition(std::string_view subject, const StreamName& name, std::int64_t partitions) {
  const std::int64_t right = partition_of(name, partitions);
  if (subject != partition_subject(right, name))
    reject(400, fmt::format("subject '{}' must be {}: publish to {}, and set the servers' subject mapping to "
                            "partition({},1,2)",
                            subject, partition_subject(right, name), input_subject(name), partitions));
}

std::string partition_filter(std::int64_t partition) { return fmt::format("stad.partition.{}.*.*", partition); }

StreamName stream_of_subject(std::string_view subject) {
  const auto last = subject.rfind('.');
  const auto before = last == std::string_view::npos ? last : subject.rfind('.', last - 1);
  if (before == std::string_view::npos) reject(400, fmt::format("subject '{}' has no stream name", subject));
  StreamName name{name_of_token(subject.substr(before + 1, last - before - 1)),
                  name_of_token(subject.substr(last + 1))};
  // The rules of the service: collectors write names as text, and NATS limits the length of subjects.
  serving::check_stream_name("the model of the subject", name.model);
  serving::check_stream_name("the stream of the subject", name.stream);
  return name;
}

std::string state_key(const StreamName& name) { return "state." + two_tokens(name); }

std::string snapshot_key(const StreamName& name) { return "snapshot." + two_tokens(name); }

std::string consumer_name(std::int64_t partition, std::uint64_t epoch, const std::string& worker) {
  return fmt::format("partition-{}-{}-{:08x}", partition, epoch, hash_of(worker));
}

std::string result_id(std::uint64_t sequence) { return fmt::format("in-{}", sequence); }

}  // namespace stad::cluster
