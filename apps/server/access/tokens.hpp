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
enum class Role : unsigned { kNone = 0, kRead = 1, kInfer = 2, kEnd = 4, kAdmin = 15 };

inline bool allows(Role held, Role needed) {
  return (static_cast<unsigned>(held) & static_cast<unsigned>(needed)) == static_cast<unsigned>(needed);
}

/// A role and the streams for which it holds.
struct Grant {
  Role role = Role::kNone;
  std::string model;          ///< empty: every model
  std::string stream_prefix;  ///< of the names of streams; empty: every stream of the model
};

/// Which part of the service a request concerns. Without a model: all of it. Without a stream: the whole model.
struct AccessTarget {
  std::optional<std::string_view> model;
  std::optional<std::string_view> stream;
};

struct Caller {
  std::string name;  ///< of the token, for logs and limits
  std::vector<Grant> grants;

  /// Whether one grant includes the role and covers the whole target.
  bool may(Role needed, const AccessTarget& target) const;
  /// Whether a grant includes the role for a stream of the model; without a model, for a stream of any model.
  bool may_somewhere(Role needed, std::optional<std::string_view> model) const;
};

/// Throws AppError (403) where the caller's grants do not cover the target.
void require_access(const Caller& caller, Role needed, const AccessTarget& target);

/// The caller of a service without tokens, who may do everything.
inline Caller unrestricted_caller() {
  return {"everybody", {{.role = Role::kAdmin, .model = "", .stream_prefix = ""}}};
}

/// The tokens of a file that holds their SHA-256 hashes: one line a token, "grants hash name". Grants are joined by
/// commas, each ROLE, ROLE:MODEL or ROLE:MODEL/STREAM-PREFIX; the model * is every model. `#` begins a comment.
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
/// @param grants as in the file
Result<NewToken> make_token(const std::string& grants, const std::string& name);

/// Limits the number of streams each caller may use, counted since the start of the program. Streams are identified by
/// 64-bit hashes; a collision only admits one more stream.
class StreamQuota {
 public:
  /// @param streams 0: unlimited
  explicit StreamQuota(std::size_t streams) : limit_(streams) {}
  std::size_t limit() const { return limit_; }

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
