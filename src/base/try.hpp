#pragma once

#include <utility>

#include <stad/error.hpp>

// Error propagation: return the error from the enclosing function, or continue with the value.

#define STAD_JOIN_(a, b) a##b
#define STAD_JOIN(a, b) STAD_JOIN_(a, b)

/// STAD_TRY(check(x));  returns the error if there is one.
#define STAD_TRY(expression)                                                           \
  do {                                                                                 \
    if (const auto& stad_tried = (expression); !stad_tried) return stad_tried.error(); \
  } while (false)

/// STAD_ASSIGN(const auto rows, read(x));  declares the value or returns the error.
#define STAD_ASSIGN(declaration, expression) STAD_ASSIGN_(STAD_JOIN(stad_result_, __LINE__), declaration, expression)
#define STAD_ASSIGN_(result, declaration, expression) \
  auto result = (expression);                         \
  if (!result) return result.error();                 \
  declaration = *std::move(result)
