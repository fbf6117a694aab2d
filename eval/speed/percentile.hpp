#pragma once

#include <vector>

namespace stad::speed {

/// The value below which this share (0 to 1) of the values lie, linear between the two nearest. At least one value.
double percentile(std::vector<double> values, double share);

}  // namespace stad::speed
