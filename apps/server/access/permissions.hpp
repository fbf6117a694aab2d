#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/access/tokens.hpp"

namespace stad::server {

/// The parts of a path between slashes, percent-decoded.
using PathParts = std::vector<std::string>;

/// The name of a stream in a URL, where "-" stands for the default stream, whose name is empty.
inline std::string stream_of_url(const std::string& name) { return name == "-" ? "" : name; }

/// The role that a request requires; kNone for public paths.
Role needed_role(std::string_view method, const PathParts& parts);

/// Whether the caller's grants cover the path. Where the stream or the model is named by the body or the query, a grant
/// for part of it suffices here, and the route checks the rest.
bool is_permitted(const Caller& caller, Role needed, const PathParts& parts);

/// The methods that a path takes, for the field Allow of a 405.
std::string_view allowed_methods(const PathParts& parts);

}  // namespace stad::server
