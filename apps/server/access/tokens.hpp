#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <stad/error.hpp>

namespace stad::server {

/// What a token allows. A caller may have several roles; admin includes all.
enum class Role : unsigned { kNone = 0, kRead = 1, kInfer = 2, kAdmin = 7 };

inline bool allows(Role held, Role needed) {
  return (static_cast<unsigned>(held) & static_cast<unsigned>(needed)) == static_cast<unsigned>(needed);
}

struct Caller {
  std::string name;  ///< of the token, for logs and limits
  Role roles = Role::kNone;
};

/// The tokens of a file that holds their SHA-256 hashes: one line a token, "roles hash name", roles joined by commas;
/// `#` begins a comment.
class Tokens {
 public:
  static Result<Tokens> read(const std::string& path);

  /// The caller with this token, or none. Takes the same time for every token.
  std::optional<Caller> find(std::string_view token) const;
  bool empty() const { return entries_.empty(); }

 private:
  using Hash = std::array<unsigned char, 32>;
  struct Entry {
    Hash hash;
    Caller caller;
  };
  std::vector<Entry> entries_;
};

struct NewToken {
  std::string token;  ///< shown once
  std::string line;   ///< for the file
};
/// @param roles as in the file
Result<NewToken> make_token(const std::string& roles, const std::string& name);

/// Limits the number of streams each caller may use, counted since the start of the program. Streams are identified by
/// 64-bit hashes; a collision only admits one more stream.
class StreamQuota {
 public:
  /// @param streams 0: unlimited
  explicit StreamQuota(std::size_t streams) : limit_(streams) {}

  /// Whether the caller may use this stream, which is counted from now on.
  bool admit(const std::string& caller, std::string_view model, std::string_view stream) {
    if (limit_ == 0) return true;
    const std::size_t hash = std::hash<std::string_view>()(model) * 31 + std::hash<std::string_view>()(stream);
    const std::scoped_lock lock(mutex_);
    auto& used = used_[caller];
    if (used.size() >= limit_) return used.contains(hash);
    used.insert(hash);
    return true;
  }

 private:
  const std::size_t limit_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::unordered_set<std::size_t>> used_;
};

}  // namespace stad::server
