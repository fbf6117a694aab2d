#pragma once

#include <span>

namespace stad {

/// a . b with the sum in double. The order of the terms depends on the length alone, never on where the rows lie in
/// memory, so that equal rows give equal bits wherever the caller keeps them.
double inner_product(std::span<const float> a, std::span<const float> b);

}  // namespace stad
