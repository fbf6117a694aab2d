#include "server/access/tokens.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

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

Result<Role> roles_of(const std::string& text) {
  unsigned roles = 0;
  std::istringstream list(text);
  for (std::string name; std::getline(list, name, ',');) {
    if (name == "read")
      roles |= static_cast<unsigned>(Role::kRead);
    else if (name == "infer")
      roles |= static_cast<unsigned>(Role::kInfer);
    else if (name == "admin")
      roles |= static_cast<unsigned>(Role::kAdmin);
    else
      return invalid(fmt::format("role is '{}', must be read, infer or admin", name));
  }
  if (roles == 0) return invalid("roles are empty, must be read, infer or admin");
  return static_cast<Role>(roles);
}

std::array<unsigned char, 32> hash_of(std::string_view token) {
  std::array<unsigned char, 32> hash{};
  SHA256(reinterpret_cast<const unsigned char*>(token.data()), token.size(), hash.data());
  return hash;
}

}  // namespace

Result<Tokens> Tokens::read(const std::string& path) {
  std::ifstream file(path);
  if (!file) return invalid(fmt::format("{}: cannot be read", path));
  Tokens tokens;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    line.resize(std::min(line.find('#'), line.size()));
    std::istringstream words(line);
    std::string roles, hash, name, more;
    if (!(words >> roles)) continue;
    Entry entry;
    if (!(words >> hash >> name) || words >> more)
      return invalid(fmt::format("{}:{}: a token is three words: roles, SHA-256, name", path, number));
    auto known = roles_of(roles);
    if (!known) return invalid(fmt::format("{}:{}: {}", path, number, known.error().message));
    if (!read_hexadecimal(hash, entry.hash))
      return invalid(fmt::format("{}:{}: the hash of {} must be 64 hexadecimal digits", path, number, name));
    entry.caller = {name, *known};
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

Result<NewToken> make_token(const std::string& roles, const std::string& name) {
  if (auto known = roles_of(roles); !known) return known.error();
  const bool is_word = !name.empty() && name.find_first_of(" \t\n#") == std::string::npos;
  if (!is_word) return invalid(fmt::format("name is '{}', must be one word", name));
  std::array<unsigned char, 24> secret{};
  if (RAND_bytes(secret.data(), static_cast<int>(secret.size())) != 1) return failed("no random numbers available");
  const std::string token = "stad_" + hexadecimal(secret);
  return NewToken{token, fmt::format("{} {} {}", roles, hexadecimal(hash_of(token)), name)};
}

}  // namespace stad::server
