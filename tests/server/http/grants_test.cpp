#include <gtest/gtest.h>

#include "server/access/permissions.hpp"
#include "server/access/tokens.hpp"

namespace stad::server {
namespace {

Caller caller(Role role, const std::string& model = "", const std::string& prefix = "") {
  return {"team", {{role, model, prefix}}};
}

TEST(Grants, CoverTheWholeTarget) {
  EXPECT_TRUE(caller(Role::kInfer).may(Role::kInfer, {"m", "s"}));
  EXPECT_FALSE(caller(Role::kInfer).may(Role::kEnd, {"m", "s"}));
  EXPECT_TRUE(caller(Role::kAdmin).may(Role::kEnd, {}));
  const Caller scoped = caller(Role::kRead, "m", "a-");
  EXPECT_TRUE(scoped.may(Role::kRead, {"m", "a-1"}));
  EXPECT_FALSE(scoped.may(Role::kRead, {"m", "b-1"}));
  EXPECT_FALSE(scoped.may(Role::kRead, {"n", "a-1"}));
  EXPECT_FALSE(scoped.may(Role::kRead, {"m", std::nullopt}));
  EXPECT_FALSE(scoped.may(Role::kRead, {}));
  EXPECT_TRUE(scoped.may_somewhere(Role::kRead, "m"));
  EXPECT_FALSE(scoped.may_somewhere(Role::kRead, "n"));
}

TEST(Grants, ThoseOfTwoRolesDoNotCombine) {
  const Caller both{"team", {{Role::kInfer, "m", ""}, {Role::kEnd, "n", ""}}};
  EXPECT_FALSE(both.may(Role::kEnd, {"m", "s"}));
  EXPECT_FALSE(both.may(Role::kInfer, {"n", "s"}));
}

TEST(Grants, ARestrictedRoleDoesNotReachTheWholeService) {
  const Caller scoped = caller(Role::kAdmin, "m");
  EXPECT_TRUE(is_permitted(scoped, Role::kAdmin, {"admin", "models", "m", "mode"}));
  EXPECT_TRUE(is_permitted(scoped, Role::kRead, {"admin", "models"}));
  EXPECT_FALSE(is_permitted(scoped, Role::kAdmin, {"admin", "models"}));
  EXPECT_FALSE(is_permitted(scoped, Role::kAdmin, {"admin", "backup"}));
  EXPECT_FALSE(is_permitted(scoped, Role::kRead, {"metrics"}));
  EXPECT_TRUE(is_permitted(scoped, Role::kNone, {"livez"}));
}

TEST(Grants, TheRepositoryIsReadByReadersAndChangedByAdministrators) {
  const PathParts index{"v2", "repository", "index"};
  const PathParts unload{"v2", "repository", "models", "m", "unload"};
  EXPECT_EQ(needed_role("POST", index), Role::kRead);
  EXPECT_EQ(needed_role("POST", unload), Role::kAdmin);
  EXPECT_TRUE(is_permitted(caller(Role::kRead, "m", "a-"), Role::kRead, index));
  EXPECT_TRUE(is_permitted(caller(Role::kAdmin, "m"), Role::kAdmin, unload));
  EXPECT_FALSE(is_permitted(caller(Role::kAdmin, "n"), Role::kAdmin, unload));
  EXPECT_FALSE(is_permitted(caller(Role::kAdmin, "m", "a-"), Role::kAdmin, unload));
  EXPECT_FALSE(is_permitted(caller(Role::kInfer), Role::kAdmin, unload));
}

TEST(Grants, StatisticsOfAllModelsAreReadWithARoleForOne) {
  EXPECT_TRUE(is_permitted(caller(Role::kRead, "m"), Role::kRead, {"v2", "models", "stats"}));
  EXPECT_FALSE(is_permitted(caller(Role::kRead, "m"), Role::kRead, {"v2", "models", "n", "stats"}));
  EXPECT_FALSE(is_permitted(caller(Role::kInfer, "m"), Role::kRead, {"v2", "models", "stats"}));
}

}  // namespace
}  // namespace stad::server
