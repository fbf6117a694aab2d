#include "cluster/ownership/lease.hpp"

#include <gtest/gtest.h>

namespace stad::cluster {
namespace {

using namespace std::chrono_literals;

const auto kAtOnce = [] {};

/// A lease of ten seconds by a clock that goes on when it is told to.
class LeaseTest : public testing::Test {
 protected:
  void wait(std::chrono::nanoseconds time) { now_ += time.count(); }

  Lease::Nanoseconds now_ = 1'000'000'000'000;
  Lease lease_{10s, [this] { return now_; }};
};

TEST_F(LeaseTest, HoldsNothingBeforeItIsRenewed) {
  EXPECT_FALSE(lease_.holds(lease_.term()));
  lease_.renew(kAtOnce);
  EXPECT_TRUE(lease_.holds(lease_.term()));
}

TEST_F(LeaseTest, KeepsItsTermWhileItIsRenewedInTime) {
  lease_.renew(kAtOnce);
  const Claim claim(lease_, 3, 7);
  for (int i = 0; i < 5; ++i) {
    wait(9s);
    lease_.renew(kAtOnce);
    EXPECT_TRUE(claim.holds());
  }
}

TEST_F(LeaseTest, EndsByItself) {
  lease_.renew(kAtOnce);
  const Claim claim(lease_, 3, 7);
  wait(10s);
  EXPECT_FALSE(claim.holds());
  EXPECT_THROW(claim.check(), ClaimExpired);
}

TEST_F(LeaseTest, BeginsANewTermWhereItWasRenewedTooLate) {
  lease_.renew(kAtOnce);
  const Claim claim(lease_, 3, 7);
  // The servers answer after the lease has ended: others may have taken over before the renewal arrived.
  lease_.renew([&] { wait(11s); });
  EXPECT_FALSE(claim.holds());
  lease_.renew(kAtOnce);
  EXPECT_FALSE(claim.holds()) << "what was lost stays lost";
  EXPECT_TRUE(Claim(lease_, 3, 8).holds());
}

TEST_F(LeaseTest, CountsFromWhenTheRenewalWasSent) {
  lease_.renew([&] { wait(7s); });
  const Claim claim(lease_, 3, 7);
  wait(2s);
  EXPECT_TRUE(claim.holds());
  wait(1s);
  EXPECT_FALSE(claim.holds());
}

TEST_F(LeaseTest, IsNotRenewedWhereTheServersAreOutOfReach) {
  EXPECT_THROW(lease_.renew([] { throw NatsError("out of reach"); }), NatsError);
  EXPECT_FALSE(lease_.holds(lease_.term()));
}

TEST_F(LeaseTest, DoesNotHoldAClaimThatIsLost) {
  lease_.renew(kAtOnce);
  const Claim claim(lease_, 3, 7);
  const Claim copy = claim;
  claim.mark_lost();
  EXPECT_TRUE(copy.is_lost());
  EXPECT_FALSE(copy.holds());
  EXPECT_TRUE(Claim(lease_, 3, 8).holds());
}

TEST(Lease, GoesByAClockThatGoesOn) {
  const auto before = Lease::boot_time();
  EXPECT_GE(Lease::boot_time(), before);
  Lease lease(1h);
  lease.renew(kAtOnce);
  EXPECT_TRUE(lease.holds(lease.term()));
}

}  // namespace
}  // namespace stad::cluster
