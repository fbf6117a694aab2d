#include "server/access/tokens.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include "common/error.hpp"

namespace stad::server {
namespace {

template <typename Bytes>
std::string hexadecimal(const Bytes& bytes) {
  std::string text;
  for (const unsigned byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

std::optional<int> digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

bool read_hexadecimal(std::string_view text, std::array<unsigned char, 32>& bytes) {
  if (text.size() != 2 * bytes.size()) return false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto high = digit_of(text[2 * i]);
    const auto low = digit_of(text[2 * i + 1]);
    if (!high || !low) return false;
    bytes[i] = static_cast<unsigned char>(16 * *high + *low);
  }
  return true;
}

std::optional<Role> role_named(std::string_view name) {
  if (name == "read") return Role::kRead;
  if (name == "infer") return Role::kInfer;
  if (name == "end") return Role::kEnd;
  if (name == "admin") return Role::kAdmin;
  return std::nullopt;
}

/// ROLE, ROLE:MODEL or ROLE:MODEL/STREAM-PREFIX.
Result<Grant> grant_of(const std::string& text) {
  const auto colon = std::min(text.find(':'), text.size());
  const auto role = role_named(std::string_view(text).substr(0, colon));
  if (!role) return invalid(fmt::format("role is '{}', must be read, infer, end or admin", text.substr(0, colon)));
  if (colon == text.size()) return Grant{*role, "", ""};
  const std::string scope = text.substr(colon + 1);
  const auto slash = std::min(scope.find('/'), scope.size());
  const std::string model = scope.substr(0, slash);
  if (model.empty())
    return invalid(fmt::format("grant is '{}', must name a model, or * for every model, after the colon", text));
  return Grant{*role, model == "*" ? "" : model, scope.substr(std::min(slash + 1, scope.size()))};
}

Result<std::vector<Grant>> grants_of(const std::string& text) {
  std::vector<Grant> grants;
  std::istringstream list(text);
  for (std::string word; std::getline(list, word, ',');) {
    auto grant = grant_of(word);
    if (!grant) return grant.error();
    grants.push_back(*std::move(grant));
  }
  if (grants.empty()) return invalid("roles are empty, must be read, infer, end or admin");
  return grants;
}

bool covers(const Grant& grant, const AccessTarget& target) {
  if (!target.model) return grant.model.empty() && grant.stream_prefix.empty();
  if (!grant.model.empty() && grant.model != *target.model) return false;
  return target.stream ? target.stream->starts_with(grant.stream_prefix) : grant.stream_prefix.empty();
}

std::array<unsigned char, 32> hash_of(std::string_view token) {
  std::array<unsigned char, 32> hash{};
  SHA256(reinterpret_cast<const unsigned char*>(token.data()), token.size(), hash.data());
  return hash;
}

}  // namespace

bool Caller::may(Role needed, const AccessTarget& target) const {
  return std::ranges::any_of(grants,
                             [&](const Grant& grant) { return allows(grant.role, needed) && covers(grant, target); });
}

bool Caller::may_somewhere(Role needed, std::optional<std::string_view> model) const {
  return std::ranges::any_of(grants, [&](const Grant& grant) {
    return allows(grant.role, needed) && (!model || grant.model.empty() || grant.model == *model);
  });
}

void require_access(const Caller& caller, Role needed, const AccessTarget& target) {
  if (caller.may(needed, target)) return;
  const char* role = needed == Role::kRead    ? "read"
                     : needed == Role::kInfer ? "infer"
                     : needed == Role::kEnd   ? "end"
                                              : "admin";
  reject(403, fmt::format(
                  "token {} lacks the role {} for {}{}{}", caller.name, role,
                  target.model ? fmt::format("model {}", *target.model) : "all models",
                  target.stream ? fmt::format(", stream '{}'", *target.stream) : "",
                  needed == Role::kEnd ? ": sequence_end, and sequence_start of an adapted stream, require it" : ""));
}

Result<Tokens> Tokens::read(const std::string& path) {
  std::ifstream file(path);
  if (!file) return invalid(fmt::format("{}: cannot be read", path));
  Tokens tokens;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    line.resize(std::min(line.find('#'), line.size()));
    std::istringstream words(line);
    std::string grants, hash, name, more;
    if (!(words >> grants)) continue;
    Entry entry;
    if (!(words >> hash >> name) || words >> more)
      return invalid(fmt::format("{}:{}: a token is three words: grants, SHA-256, name", path, number));
    auto known = grants_of(grants);
    if (!known) return invalid(fmt::format("{}:{}: {}", path, number, known.error().message));
    if (!read_hexadecimal(hash, entry.hash))
      return invalid(fmt::format("{}:{}: the hash of {} must be 64 hexadecimal digits", path, number, name));
    entry.caller = {name, *std::move(known)};
    tokens.entries_.push_back(std::move(entry));
  }
  return tokens;
}

std::optional<Caller> Tokens::find(std::string_view token) const {
  const Hash hash = hash_of(token);
  const Entry* found = nullptr;
  for (const auto& entry : entries_)  // constant time: compares with all tokens
    if (CRYPTO_memcmp(entry.hash.data(), hash.data(), hash.size()) == 0) found = &entry;
  if (!found) return std::nullopt;
  return found->caller;
}

Result<NewToken> make_token(const std::string& grants, const std::string& name) {
  if (grants.find_first_of(" \t\n#") != std::string::npos)
    return invalid(fmt::format("roles are '{}', must be without spaces and #", grants));
  if (auto known = grants_of(grants); !known) return known.error();
  const bool is_word = !name.empty() && name.find_first_of(" \t\n#") == std::string::npos;
  if (!is_word) return invalid(fmt::format("name is '{}', must be one word", name));
  std::array<unsigned char, 24> secret{};
  if (RAND_bytes(secret.data(), static_cast<int>(secret.size())) != 1) return failed("no random numbers available");
  const std::string token = "stad_" + hexadecimal(secret);
  return NewToken{token, fmt::format("{} {} {}", grants, hexadecimal(hash_of(token)), name)};
}

}  // namespace stad::server
