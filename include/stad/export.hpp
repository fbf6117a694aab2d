#pragma once

/// Marks symbols that the shared library exports.
#define STAD_API __attribute__((visibility("default")))
