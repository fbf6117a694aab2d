#include "server/http/base64.hpp"

#include <openssl/evp.h>

#include "server/refusal.hpp"

namespace stad::server {

std::string from_base64(std::string_view text) {
  std::string bytes(text.size() / 4 * 3, '\0');
  const int length =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                      reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  if (text.size() % 4 != 0 || length < 0) refuse(400, "source_base64 is not base64");
  // The last group says by its equals signs how many of its three bytes are none.
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  bytes.resize(static_cast<std::size_t>(length) - padding);
  return bytes;
}

}  // namespace stad::server
