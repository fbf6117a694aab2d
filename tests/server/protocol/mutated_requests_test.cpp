// Whatever arrives: a request whose parts fit each other, or an error.

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "server/protocol/requests.hpp"

namespace stad::serving {
namespace {

const Sent kValid = binary_request(
    R"({"id":"r-1","parameters":{"sequence_id":"caf\u00e9 \ud83d\ude00","time":12.5e3,"binary_data_output":true},
        "inputs":[{"name":"ids","shape":[3],"datatype":"INT64","data":[1,-2,3]},
                  {"name":"features","shape":[3,2],"datatype":"FP64","parameters":{"binary_data_size":48}}],
        "outputs":[{"name":"label","parameters":{"binary_data":false}},{"name":"adapted_label"}]})",
    bytes_of_values<double>({1, 2, 3, 4, 5, 6}));

/// True where it was accepted.
bool outcome(const Sent& sent) {
  try {
    const auto request = read(sent);
    EXPECT_GT(request.features.size(), 0);
    EXPECT_TRUE(request.row_ids.empty() || std::cmp_equal(request.row_ids.size(), request.features.rows()));
    EXPECT_LE(request.stream.size(), 256U);
    return true;
  } catch (const AppError& failure) {
    EXPECT_TRUE(http_status(failure) == 400 || http_status(failure) == 413);
    EXPECT_FALSE(failure.error.message.empty());
    return false;
  }
}

TEST(MutatedRequest, IsAcceptedWhole) { EXPECT_TRUE(outcome(kValid)); }

TEST(MutatedRequest, IsRefusedWhereItIsCutAnywhere) {
  for (std::size_t size = 0; size < kValid.body.size(); ++size) {
    EXPECT_FALSE(outcome({kValid.body.substr(0, size), kValid.json_length})) << size;
    EXPECT_FALSE(outcome({kValid.body.substr(0, size), std::nullopt})) << size;
  }
}

TEST(MutatedRequest, IsRefusedWhereItsLengthLies) {
  for (std::size_t length = 0; length < kValid.body.size() + 100; ++length)
    EXPECT_EQ(outcome({kValid.body, length}), length == *kValid.json_length) << length;
  EXPECT_FALSE(outcome({kValid.body, SIZE_MAX}));
}

TEST(MutatedRequest, NeverBreaksTheReader) {
  Random random(11);
  int accepted = 0;
  constexpr int kTries = 50'000;
  for (int i = 0; i < kTries; ++i) {
    Sent sent = kValid;
    const auto flips = 1 + random.below(3);
    for (std::uint64_t flip = 0; flip < flips; ++flip)
      sent.body[random.below(sent.body.size())] ^= static_cast<char>(1U << random.below(8));
    if (random.below(4) == 0) sent.body.resize(random.below(sent.body.size() + 1));
    if (outcome(sent)) ++accepted;
  }
  EXPECT_GT(accepted, 0);  // a flipped bit of a value is another value
  EXPECT_LT(accepted, kTries / 2);
}

}  // namespace
}  // namespace stad::serving
