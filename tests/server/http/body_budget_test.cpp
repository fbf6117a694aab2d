#include "server/http/body_budget.hpp"

#include <list>

#include <gtest/gtest.h>

namespace stad::server {
namespace {

TEST(BodyBudget, OneCallerHoldsAtMostHalf) {
  BodyBudget budget(100);
  BodyBudget::Share share(budget, "a");
  EXPECT_TRUE(share.grow_to(50));
  EXPECT_FALSE(share.grow_to(51));
  BodyBudget::Share second(budget, "a");
  EXPECT_FALSE(second.grow_to(1));
}

TEST(BodyBudget, AFurtherCallerAlwaysFindsSpace) {
  BodyBudget budget(1000);
  std::list<BodyBudget::Share> shares;
  for (const char* caller : {"a", "b", "c", "d"}) {
    auto& share = shares.emplace_back(budget, caller);
    std::int64_t held = 0;
    while (share.grow_to(held + 1)) ++held;
    EXPECT_GT(held, 0) << caller;
  }
}

TEST(BodyBudget, BytesAreReturned) {
  BodyBudget budget(100);
  {
    BodyBudget::Share share(budget, "a");
    ASSERT_TRUE(share.grow_to(50));
  }
  BodyBudget::Share again(budget, "a");
  EXPECT_TRUE(again.grow_to(50));
}

}  // namespace
}  // namespace stad::server
