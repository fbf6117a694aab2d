// The certificate step by step, by hand. certificate_validity_test.cpp measures what it proves.

#include "safe/certificate.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace stad::safe {
namespace {

using Outcomes = std::vector<double>;
using Attempts = std::vector<Index>;

Attempts present(const Certificate& certificate) {
  Attempts attempts;
  for (Index c = 0; c < certificate.size(); ++c) attempts.push_back(certificate.attempt(c));
  return attempts;
}

/// A label whose row was drawn in the present attempts.
void add_now(Certificate& certificate, const Outcomes& outcomes, int times = 1) {
  for (int i = 0; i < times; ++i) certificate.add(outcomes, present(certificate));
}

/// A candidate whose wealth, or watch, is the same for all bets, so that the mean is that number exactly.
Certificate::Account account_with(double wealth, double watch = 1, Index attempt = 1) {
  Certificate::Account account{.attempt = attempt};
  account.wealth.fill(wealth);
  account.watch.fill(watch);
  return account;
}

Certificate certificate_with(std::vector<Certificate::Account> accounts, Index answering = Certificate::kBase) {
  Certificate certificate(static_cast<Index>(accounts.size()));
  certificate.restore(std::move(accounts), answering);
  return certificate;
}

/// Mean over the bets of the product of (1 + bet x), the wealth after these outcomes.
double wealth_after(const Outcomes& outcomes) {
  double sum = 0;
  for (const double bet : CertificateParams{}.bets) {
    double product = 1;
    for (const double x : outcomes) product *= 1 + bet * x;
    sum += product;
  }
  return sum / 4;
}

void expect_equal_bits(const Certificate& one, const Certificate& other) {
  ASSERT_EQ(one.answering(), other.answering());
  for (std::size_t c = 0; c < one.state().size(); ++c) {
    ASSERT_EQ(one.state()[c].wealth, other.state()[c].wealth);
    ASSERT_EQ(one.state()[c].watch, other.state()[c].watch);
    ASSERT_EQ(one.state()[c].live, other.state()[c].live);
    ASSERT_EQ(one.state()[c].attempt, other.state()[c].attempt);
    ASSERT_EQ(one.state()[c].set_aside, other.state()[c].set_aside);
  }
}

TEST(Certificate, StartsWithTheBaseAndWealthOne) {
  const Certificate certificate(3);
  EXPECT_EQ(certificate.answering(), Certificate::kBase);
  for (Index c = 0; c < 3; ++c) {
    EXPECT_EQ(certificate.wealth(c), 1);
    EXPECT_EQ(certificate.watch(c), 1);
    EXPECT_TRUE(certificate.is_live(c));
    EXPECT_EQ(certificate.attempt(c), 1);
  }
}

TEST(Certificate, WealthIsTheMeanOverTheBetsOfTheProducts) {
  Certificate certificate(1);
  add_now(certificate, {1});
  add_now(certificate, {-1});
  add_now(certificate, {0});
  EXPECT_DOUBLE_EQ(certificate.wealth(0), wealth_after({1, -1, 0}));
  // After +1 the watch of bet l is 1 - l, which counts as 1 before the next label: 1 + l, whose mean is 1.4.
  EXPECT_DOUBLE_EQ(certificate.watch(0), 1.4);
}

TEST(Certificate, OutcomesMayBeFractions) {
  Certificate certificate(2);
  const Outcomes outcomes{0.3, -0.7, 0.25, 1, -0.05};
  for (const double x : outcomes) add_now(certificate, {x, -x});
  EXPECT_DOUBLE_EQ(certificate.wealth(0), wealth_after(outcomes));
  EXPECT_DOUBLE_EQ(certificate.wealth(1), wealth_after({-0.3, 0.7, -0.25, -1, 0.05}));
}

TEST(Certificate, ThresholdIsCandidatesTimesTwoToTheAttemptsOverDelta) {
  const auto certificate =
      certificate_with({account_with(1), account_with(1, 1, 2), account_with(1, 1, 3), account_with(1, 1, 7)});
  EXPECT_DOUBLE_EQ(certificate.threshold(0), 4 / 0.05);
  EXPECT_DOUBLE_EQ(certificate.threshold(1), 8 / 0.05);
  EXPECT_DOUBLE_EQ(certificate.threshold(2), 16 / 0.05);
  EXPECT_DOUBLE_EQ(certificate.threshold(3), 4 * 64 / 0.05);
}

TEST(Certificate, AdmitsAtTheThresholdAndNotBelow) {
  for (const Index attempt : {1, 2, 5}) {
    const double threshold = certificate_with({account_with(1, 1, attempt), account_with(1)}).threshold(0);
    auto at = certificate_with({account_with(threshold, 1, attempt), account_with(1)});
    add_now(at, {0, 0});
    EXPECT_EQ(at.answering(), 0);
    auto below = certificate_with({account_with(std::nextafter(threshold, 0), 1, attempt), account_with(1)});
    add_now(below, {0, 0});
    EXPECT_EQ(below.answering(), Certificate::kBase);
  }
}

TEST(Certificate, AdmitsAfterTheLabelsThatTheBetsNeed) {
  Certificate certificate(1);
  Outcomes outcomes;
  while (certificate.answering() == Certificate::kBase) {
    ASSERT_LT(wealth_after(outcomes), 20);
    outcomes.push_back(1);
    add_now(certificate, {1});
  }
  EXPECT_GE(wealth_after(outcomes), 20);
  EXPECT_EQ(outcomes.size(), 8U) << "(1.1^8 + 1.25^8 + 1.5^8 + 1.75^8) / 4 is 30, with 7 it is 18";
}

TEST(Certificate, AdmissionResetsTheWatchAndKeepsTheWealth) {
  auto certificate = certificate_with({account_with(20, 3)});
  add_now(certificate, {0});
  EXPECT_EQ(certificate.answering(), 0);
  EXPECT_EQ(certificate.watch(0), 1);
  EXPECT_EQ(certificate.wealth(0), 20);
}

TEST(Certificate, TiesGoToTheFirst) {
  auto certificate = certificate_with({account_with(1), account_with(70), account_with(70)});
  add_now(certificate, {0, 0, 0});
  EXPECT_EQ(certificate.answering(), 1);
  auto richer_last = certificate_with({account_with(1), account_with(70), account_with(71)});
  add_now(richer_last, {0, 0, 0});
  EXPECT_EQ(richer_last.answering(), 2);
}

TEST(Certificate, RichestCandidateBelowItsThresholdDoesNotKeepOthersOut) {
  // Thresholds: 40 and 2^4 times that.
  auto certificate = certificate_with({account_with(45), account_with(600, 1, 5)});
  add_now(certificate, {0, 0});
  EXPECT_EQ(certificate.answering(), 0);
}

TEST(Certificate, TakeoverNeedsThreeTimesTheWealth) {
  auto less = certificate_with({account_with(50), account_with(std::nextafter(150, 0))}, 0);
  add_now(less, {0, 0});
  EXPECT_EQ(less.answering(), 0);
  auto enough = certificate_with({account_with(50), account_with(150)}, 0);
  add_now(enough, {0, 0});
  EXPECT_EQ(enough.answering(), 1);
  auto below_threshold = certificate_with({account_with(2), account_with(39)}, 0);
  add_now(below_threshold, {0, 0});
  EXPECT_EQ(below_threshold.answering(), 0) << "three times the wealth, but not its threshold";
}

TEST(Certificate, DisplacedCandidateKeepsWealthWatchAndAttempt) {
  auto certificate = certificate_with({account_with(50, 2, 3), account_with(150, 4)}, 0);
  add_now(certificate, {0, 0});
  ASSERT_EQ(certificate.answering(), 1);
  EXPECT_EQ(certificate.wealth(0), 50);
  EXPECT_EQ(certificate.watch(0), 2);
  EXPECT_EQ(certificate.attempt(0), 3);
  EXPECT_TRUE(certificate.is_live(0));
  EXPECT_EQ(certificate.watch(1), 1);
}

TEST(Certificate, SetsAsideAtWatchTenWithWealthZero) {
  auto certificate = certificate_with({account_with(2, std::nextafter(10, 0)), account_with(2, 10)});
  add_now(certificate, {0, 0});
  EXPECT_TRUE(certificate.is_live(0));
  EXPECT_EQ(certificate.wealth(0), 2);
  EXPECT_FALSE(certificate.is_live(1));
  EXPECT_EQ(certificate.wealth(1), 0);
  EXPECT_EQ(certificate.attempt(1), Certificate::kNotLive);
  EXPECT_EQ(certificate.attempts(1), 1);
}

TEST(Certificate, SetAsideCandidateStartsAgainAfter500LabelsOfWhichTheLastDoesNotCount) {
  auto certificate = certificate_with({account_with(1, 10), account_with(1)});
  add_now(certificate, {0, 0});
  ASSERT_FALSE(certificate.is_live(0));
  add_now(certificate, {1, 0}, 499);
  EXPECT_FALSE(certificate.is_live(0));
  EXPECT_EQ(certificate.wealth(0), 0);
  add_now(certificate, {1, 0});
  EXPECT_TRUE(certificate.is_live(0));
  EXPECT_EQ(certificate.attempt(0), 2);
  EXPECT_EQ(certificate.wealth(0), 1);
  EXPECT_EQ(certificate.watch(0), 1);
  add_now(certificate, {1, 0});
  EXPECT_DOUBLE_EQ(certificate.wealth(0), wealth_after({1}));
}

TEST(Certificate, SecondTimeAsideIsCountedFromZero) {
  auto certificate = certificate_with({account_with(1, 10)});
  add_now(certificate, {0}, 501);
  ASSERT_EQ(certificate.attempt(0), 2);
  while (certificate.is_live(0)) add_now(certificate, {-1});
  add_now(certificate, {0}, 499);
  EXPECT_FALSE(certificate.is_live(0));
  add_now(certificate, {0});
  EXPECT_EQ(certificate.attempt(0), 3);
}

TEST(Certificate, RevokesAtWatchThreeAndAdmitsNobodyAtThatLabel) {
  auto certificate = certificate_with({account_with(500, 3), account_with(450)}, 0);
  add_now(certificate, {0, 0});
  EXPECT_EQ(certificate.answering(), Certificate::kBase);
  EXPECT_EQ(certificate.wealth(0), 1);
  EXPECT_EQ(certificate.watch(0), 1);
  EXPECT_EQ(certificate.attempt(0), 2);
  EXPECT_TRUE(certificate.is_live(0));
  EXPECT_EQ(certificate.wealth(1), 450);
  add_now(certificate, {0, 0});
  EXPECT_EQ(certificate.answering(), 1) << "at the next label";
}

TEST(Certificate, DoesNotRevokeBelowWatchThree) {
  auto certificate = certificate_with({account_with(500, std::nextafter(3, 0))}, 0);
  add_now(certificate, {0});
  EXPECT_EQ(certificate.answering(), 0);
  EXPECT_EQ(certificate.attempt(0), 1);
}

TEST(Certificate, AnsweringCandidateIsRevokedNotSetAside) {
  auto certificate = certificate_with({account_with(500, 30)}, 0);
  add_now(certificate, {0});
  EXPECT_TRUE(certificate.is_live(0));
  EXPECT_EQ(certificate.attempt(0), 2);
  EXPECT_EQ(certificate.answering(), Certificate::kBase);
}

TEST(Certificate, LabelsOfAnotherAttemptDoNotCount) {
  auto certificate = certificate_with({account_with(1, 1, 2), account_with(1)});
  certificate.add(Outcomes{1, 1}, Attempts{1, Certificate::kNotLive});
  EXPECT_EQ(certificate.wealth(0), 1) << "drawn in the attempt before";
  EXPECT_EQ(certificate.wealth(1), 1) << "drawn while set aside";
  certificate.add(Outcomes{1, 1}, Attempts{2, 1});
  EXPECT_DOUBLE_EQ(certificate.wealth(0), wealth_after({1}));
  EXPECT_DOUBLE_EQ(certificate.wealth(1), wealth_after({1}));
}

TEST(Certificate, LabelsDrawnBeforeARevocationDoNotCountAfterIt) {
  auto certificate = certificate_with({account_with(500, 3)}, 0);
  const Attempts drawn_in = present(certificate);
  certificate.add(Outcomes{0}, drawn_in);
  ASSERT_EQ(certificate.attempt(0), 2);
  certificate.add(Outcomes{1}, drawn_in);
  EXPECT_EQ(certificate.wealth(0), 1);
}

TEST(Certificate, WealthStaysFiniteAndInTheRangeOfAStateHoweverLongACandidateIsRight) {
  Certificate certificate(2);
  add_now(certificate, {1, 0.5}, 20'000);
  EXPECT_EQ(certificate.answering(), 0);
  for (const auto& account : certificate.state())
    for (const double wealth : account.wealth) EXPECT_LE(wealth, Certificate::kMostWealth);
  EXPECT_EQ(certificate.wealth(0), Certificate::kMostWealth);
  add_now(certificate, {-1, 0}, 3);
  EXPECT_EQ(certificate.attempt(0), 2) << "three labels revoke the first, whatever its wealth";
  add_now(certificate, {0, 0});
  EXPECT_EQ(certificate.answering(), 1);
  add_now(certificate, {0, -1}, 5);
  EXPECT_EQ(certificate.attempt(1), 2) << "is revoked as any other";
}

TEST(Certificate, CandidateThatIsSetAsideInTheLastAttemptStaysSo) {
  auto certificate = certificate_with({account_with(1, 10, Certificate::kMostAttempts - 1)});
  EXPECT_GT(certificate_with({account_with(1, 1, Certificate::kMostAttempts)}).threshold(0), Certificate::kMostWealth);
  add_now(certificate, {0}, 501);
  ASSERT_EQ(certificate.attempt(0), Certificate::kMostAttempts);
  while (certificate.is_live(0)) add_now(certificate, {-1});
  add_now(certificate, {1}, 2000);
  EXPECT_FALSE(certificate.is_live(0));
  EXPECT_EQ(certificate.attempts(0), Certificate::kMostAttempts);
}

TEST(Certificate, ContinuesBitForBitFromARestoredState) {
  Random random(3);
  Certificate certificate(4);
  for (int label = 0; label < 3000; ++label) {
    Certificate copy(4);
    copy.restore(certificate.state(), certificate.answering());
    Outcomes outcomes;
    for (int c = 0; c < 4; ++c) outcomes.push_back(2 * random.uniform() - 1 + 0.3 * std::sin(0.01 * label + c));
    for (double& x : outcomes) x = std::clamp(x, -1.0, 1.0);
    Attempts drawn_in = present(certificate);
    if (random.uniform() < 0.1) drawn_in[random.below(4)] = Certificate::kNotLive;
    certificate.add(outcomes, drawn_in);
    copy.add(outcomes, drawn_in);
    expect_equal_bits(certificate, copy);
  }
  Index attempts = 0;
  for (Index c = 0; c < 4; ++c) attempts += certificate.attempts(c);
  EXPECT_GT(attempts, 4) << "the run reached revocations or retries";
}

}  // namespace
}  // namespace stad::safe
