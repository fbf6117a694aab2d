// safe_certificate.npz: outcomes of five candidates, and what a float64 reference of the certificate holds after every
// label.

#include "safe/certificate.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/golden_case.hpp"
#include "support/shared_files.hpp"

namespace stad::testing {
namespace {

/// All candidates in their present attempts: in the file every label is applied as soon as its row is drawn.
std::vector<Index> present_attempts(const safe::Certificate& certificate) {
  std::vector<Index> attempts;
  for (Index c = 0; c < certificate.size(); ++c) attempts.push_back(certificate.attempt(c));
  return attempts;
}

TEST(CertificateGolden, AgreesAfterEveryLabel) {
  STAD_NEEDS_SHARED("golden/safe_certificate.npz");
  constexpr double kTolerance = 1e-9;  // of both float64 implementations after thousands of products
  const std::string path = shared_path("golden/safe_certificate.npz");
  const auto x = golden_array(path, "x"), current = golden_array(path, "current"),
             wealth = golden_array(path, "wealth"), live = golden_array(path, "live"),
             attempts = golden_array(path, "attempts");
  ASSERT_GT(x.rows(), 0);
  ASSERT_EQ(wealth.rows(), x.rows());
  // The reference revokes at 5; the default is more careful.
  safe::Certificate certificate(x.cols(), {.revoke = 5});
  for (Index n = 0; n < x.rows(); ++n) {
    const std::vector<double> outcomes(x.row(n).begin(), x.row(n).end());
    certificate.add(outcomes, present_attempts(certificate));
    ASSERT_EQ(certificate.answering(), static_cast<Index>(current(n, 0))) << "label " << n;
    for (Index c = 0; c < x.cols(); ++c) {
      ASSERT_NEAR(certificate.wealth(c), wealth(n, c), kTolerance * wealth(n, c)) << "label " << n << " of " << c;
      ASSERT_EQ(certificate.is_live(c), live(n, c) != 0) << "label " << n << " of " << c;
      ASSERT_EQ(certificate.attempts(c), static_cast<Index>(attempts(n, c))) << "label " << n << " of " << c;
    }
  }
}

TEST(CertificateGolden, CaseReachesAdmissionRevocationTakeoverAndRetry) {
  STAD_NEEDS_SHARED("golden/safe_certificate.npz");
  const std::string path = shared_path("golden/safe_certificate.npz");
  const auto current = golden_array(path, "current"), live = golden_array(path, "live"),
             attempts = golden_array(path, "attempts");
  Index admitted = 0, revoked = 0, taken_over = 0, retried = 0;
  for (Index n = 1; n < current.rows(); ++n) {
    const double before = current(n - 1, 0), after = current(n, 0);
    admitted += before < 0 && after >= 0 ? 1 : 0;
    revoked += before >= 0 && after < 0 ? 1 : 0;
    taken_over += before >= 0 && after >= 0 && before != after ? 1 : 0;
    for (Index c = 0; c < live.cols(); ++c) retried += live(n - 1, c) == 0 && live(n, c) != 0 ? 1 : 0;
  }
  EXPECT_GT(admitted, 0);
  EXPECT_GT(revoked, 0);
  EXPECT_GT(taken_over, 0);
  EXPECT_GT(retried, 0);
  EXPECT_GT(attempts.maxCoeff(), 1);
}

}  // namespace
}  // namespace stad::testing
