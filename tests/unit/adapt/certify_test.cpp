#include <gtest/gtest.h>

#include <stad/methods.hpp>

#include "support/contest_run.hpp"

namespace stad::testing {
namespace {

/// A labelled history with one batch of the stream a time step.
FeatureStream history_of(const ContestStream& stream) {
  const Index rows = stream.features(0).rows();
  Matrix features(stream.size() * rows, stream.features(0).cols());
  std::vector<std::int64_t> labels;
  std::vector<double> time;
  for (Index b = 0; b < stream.size(); ++b)
    for (Index n = 0; n < rows; ++n) {
      std::ranges::copy(stream.features(b).row(n), features.row(b * rows + n).begin());
      labels.push_back(stream.label(b, n));
      time.push_back(static_cast<double>(b));
    }
  FeatureStream history = FeatureStream::from(std::move(features));
  history.labels = std::move(labels);
  history.time = std::move(time);
  return history;
}

TEST(Certify, AdmitsTheCorrectionWhereClassesHaveChangedPlaces) {
  const ContestStream stream(1);
  const auto result = certify(stream.source, history_of(stream));
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->candidates.size(), 2U);
  const CandidateRecord& correction = result->candidates[1];
  EXPECT_EQ(correction.name, "fine-tune");
  EXPECT_TRUE(correction.answers);
  ASSERT_TRUE(correction.admitted);
  EXPECT_GT(correction.gain, 0.1);
  EXPECT_GT(correction.gain_error, 0);
  EXPECT_LE(correction.worst_gain, 0);
  EXPECT_EQ(result->steps, 40);
}

TEST(Certify, StartsADeploymentWithWhatTheHistoryTaught) {
  const ContestStream stream(1);
  const auto result = certify(stream.source, history_of(stream));
  ASSERT_TRUE(result);
  const auto adapter = *make_adapter(result->source, StadSafeOptions{});
  EXPECT_EQ(adapter->health().answers(), "fine-tune");
  const auto answer = adapter->adapt(stream.features(3));
  const auto source = (*make_adapter(stream.source, SourceOptions{}))->adapt(stream.features(3));
  EXPECT_NE(answer->labels, source->labels);
  StadSafeOptions none;
  none.candidates = "none";
  EXPECT_EQ((*make_adapter(result->source, none))->adapt(stream.features(3))->labels, source->labels);
}

TEST(Certify, AdmitsNoCandidateWhereTheSourceIsRight) {
  const ContestStream stream(1);
  FeatureStream history = history_of(stream);
  history.labels = (*make_adapter(stream.source, SourceOptions{}))->predict(history.features)->labels;
  const auto result = certify(stream.source, history);
  ASSERT_TRUE(result);
  for (const CandidateRecord& candidate : result->candidates) EXPECT_FALSE(candidate.answers) << candidate.name;
}

TEST(Certify, RejectsHistoriesThatProveNothing) {
  const ContestStream stream(1);
  const auto message = [&](const auto& change) {
    FeatureStream history = history_of(stream);
    change(history);
    const auto result = certify(stream.source, history);
    return result ? std::string("accepted") : result.error().message;
  };
  EXPECT_EQ(message([](FeatureStream& h) { h.labels.clear(); }),
            "stream: has no labels, a history needs labels and times");
  EXPECT_EQ(message([](FeatureStream& h) { h.time.clear(); }),
            "stream: has no times, a history needs labels and times");
  EXPECT_EQ(message([](FeatureStream& h) { h.labels[7] = -1; }), "stream: row 7 has label -1, must be from 0 to 3");
  EXPECT_EQ(message([](FeatureStream& h) { h.time[30] = -1; }),
            "stream: row 30 has time -1 after 1, must not decrease");
  EXPECT_EQ(message([](FeatureStream& h) { std::ranges::fill(h.time, 1); }),
            "stream: has 1 time steps, must have at least 5: every step is one bet");
}

TEST(Certify, RejectsCertificatesThatDoNotListCandidates) {
  const ContestStream stream(1);
  const auto result = certify(stream.source, history_of(stream));
  ASSERT_TRUE(result);
  const auto message = [&](std::vector<OptionSetting> options) {
    AdapterState certificate = *result->source.certificate();
    certificate.options = std::move(options);
    const auto changed = stream.source.with_certificate(certificate);
    return changed ? std::string("accepted") : changed.error().message;
  };
  EXPECT_EQ(message({}), "source: certificate must have one option, candidates");
  EXPECT_EQ(message({{.name = "seed", .value = "1"}}), "source: certificate must have one option, candidates");
  EXPECT_EQ(message({{.name = "candidates", .value = "none"}}),
            "source: certificate has candidates = none, must name them");
  EXPECT_NE(message({{.name = "candidates", .value = "stad-safe"}}).find("candidates = stad-safe, must be"),
            std::string::npos)
      << "would contain itself";
  EXPECT_NE(message({{.name = "candidates", .value = ""}}).find("candidates = , must be"), std::string::npos);
  EXPECT_EQ(message(result->source.certificate()->options), "accepted");
}

TEST(Certify, CertificateBelongsToItsHead) {
  const ContestStream stream(1), other(2);
  const auto result = certify(stream.source, history_of(stream));
  ASSERT_TRUE(result);
  EXPECT_FALSE(other.source.with_certificate(*result->source.certificate()));
  EXPECT_EQ(result->source.with_card(SourceCard{})->certificate(), nullptr) << "it holds for one card";
}

}  // namespace
}  // namespace stad::testing
