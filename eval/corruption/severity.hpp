#pragma once

namespace stad::corruption {

inline constexpr int kSeverities = 5;

/// One of five published values; severities count from 1.
template <typename T>
T at_severity(const T (&values)[kSeverities], int severity) {
  return values[severity - 1];
}

}  // namespace stad::corruption
