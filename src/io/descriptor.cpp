#include "io/descriptor.hpp"

#include <cerrno>
#include <system_error>

namespace stad {
namespace {

bool is_callers_choice(int error_number) {
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case EACCES:
    case EPERM:
    case ELOOP:
    case ENAMETOOLONG:
    case EROFS:
    case ENXIO:
      return true;
    default:
      return false;
  }
}

}  // namespace

Error system_error(const std::string& path, int error_number) {
  // generic_category().message() is strerror without its shared buffer.
  auto message = path + ": " + std::generic_category().message(error_number);
  return is_callers_choice(error_number) ? invalid(std::move(message)) : failed(std::move(message));
}

}  // namespace stad
