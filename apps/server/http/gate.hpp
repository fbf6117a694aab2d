#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/access/tokens.hpp"
#include "server/http/message.hpp"

namespace stad::server {

/// What a request's header says of who asks.
struct PeerFacts {
  std::string_view method;
  std::string_view path;
  std::string_view host;
  std::string_view origin;
  std::string_view authorization;
};

/// Who may come in, decided by the header alone, before a body is read.
class Gate {
 public:
  /// @param origins pages of these may call from a browser, besides our own
  Gate(Tokens tokens, std::vector<std::string> origins) : tokens_(std::move(tokens)), origins_(std::move(origins)) {}

  struct Verdict {
    std::optional<HttpResponse> response;  ///< the answer where it ends here
    Caller caller;
    std::string_view shared_with;  ///< the origin that may read the answer; empty: only our own
    bool takes_body = false;       ///< what anybody may ask, and what is only looked at, comes without one
  };
  Verdict judge(const PeerFacts& facts) const;

 private:
  bool is_shared(std::string_view origin) const;
  /// Throws Refusal where who asks may not.
  Caller caller_of(const PeerFacts& facts, Role needed) const;

  const Tokens tokens_;
  const std::vector<std::string> origins_;
};

}  // namespace stad::server
