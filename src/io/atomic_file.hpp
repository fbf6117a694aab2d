#pragma once

#include <string>
#include <string_view>

#include <stad/error.hpp>

namespace stad {

/// Leaves either the whole new file or what was there before, whatever happens: the bytes go to a file beside the
/// target, onto the disk, and then take the target's name. A symbolic link stays and its target is replaced; a device
/// or pipe is written to directly.
Status replace_file(const std::string& path, std::string_view content);

}  // namespace stad
