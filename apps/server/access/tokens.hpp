#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <stad/error.hpp>

namespace stad::server {

/// What a token allows. A caller may have several; admin has all.
enum class Role : unsigned { kNone = 0, kRead = 1, kInfer = 2, kAdmin = 7 };

inline bool allows(Role had, Role wanted) {
  return (static_cast<unsigned>(had) & static_cast<unsigned>(wanted)) == static_cast<unsigned>(wanted);
}

struct Caller {
  std::string name;  ///< of the token, for logs and limits
  Role roles = Role::kNone;
};

/// A file of tokens that are known by their SHA-256 alone: a line a token, "roles hash name", roles joined by commas;
/// `#` begins a comment.
class Tokens {
 public:
  static Result<Tokens> read(const std::string& path);

  /// Who has this token. Takes the same time whichever it is, or none.
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

}  // namespace stad::server
