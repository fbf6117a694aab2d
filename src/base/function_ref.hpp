#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace stad {

template <typename Signature>
class FunctionRef;

/// Non-owning reference to a callable, which must outlive it. Unlike std::function it never allocates.
template <typename Result, typename... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <typename Callable>
  requires(!std::same_as<std::remove_cvref_t<Callable>, FunctionRef> && std::invocable<Callable&, Arguments...>)
      FunctionRef(Callable&& callable)
      : callable_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* kept, Arguments... arguments) -> Result {
          return (*static_cast<std::remove_reference_t<Callable>*>(kept))(std::forward<Arguments>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const { return call_(callable_, std::forward<Arguments>(arguments)...); }

 private:
  void* callable_;
  Result (*call_)(void*, Arguments...);
};

}  // namespace stad
