#pragma once

#include <concepts>
#include <memory>
#include <utility>

namespace stad {

template <typename Signature>
class FunctionRef;

/// Non-owning reference to a callable, which must outlive it and is called as const. Unlike std::function it never
/// allocates.
template <typename Result, typename... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <typename Callable>
  requires std::invocable<const Callable&, Arguments...> FunctionRef(const Callable& callable)
      : callable_(std::addressof(callable)), call_([](const void* kept, Arguments... arguments) -> Result {
          return (*static_cast<const Callable*>(kept))(std::forward<Arguments>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const { return call_(callable_, std::forward<Arguments>(arguments)...); }

 private:
  const void* callable_;
  Result (*call_)(const void*, Arguments...);
};

}  // namespace stad
