#include "base/scratch.hpp"

#include <algorithm>
#include <cstdint>

#include <gtest/gtest.h>

namespace stad {
namespace {

TEST(Scratch, GivesApartWhatIsInUseTogether) {
  const Scratch outer;
  Scratch scratch;
  const auto first = scratch.take<float>(100);
  const auto second = scratch.take<double>(1'000'000);  // larger than the chunk the first came from
  const auto third = scratch.take<float>(7);
  std::ranges::fill(first, 1.0F);
  std::ranges::fill(second, 2.0);
  std::ranges::fill(third, 3.0F);
  EXPECT_TRUE(std::ranges::all_of(first, [](float value) { return value == 1; }));
  EXPECT_TRUE(std::ranges::all_of(second, [](double value) { return value == 2; }));
  for (const auto address :
       {reinterpret_cast<std::uintptr_t>(first.data()), reinterpret_cast<std::uintptr_t>(second.data()),
        reinterpret_cast<std::uintptr_t>(third.data())})
    EXPECT_EQ(address % 64, 0U);
}

TEST(Scratch, IsUsedAgainByTheNextCall) {
  const auto call = [] {
    Scratch scratch;
    const float* outer = scratch.take<float>(5000).data();
    {
      Scratch inner;
      EXPECT_NE(inner.take<float>(300'000).data(), outer);
    }
    return outer;
  };
  call();  // grows
  const float* before = call();
  EXPECT_EQ(call(), before);
}

}  // namespace
}  // namespace stad
