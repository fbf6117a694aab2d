#include <gtest/gtest.h>

#include <stad/source_model.hpp>

namespace stad::testing {
namespace {

SourceModel head() {
  Matrix weight(2, 2);
  weight(0, 0) = 1;
  weight(1, 1) = 1;
  return *SourceModel::create(weight, {0, 0}, {0.5F, 0.5F});
}

Matrix rows_of(std::initializer_list<std::array<float, 2>> values) {
  Matrix rows(static_cast<Index>(values.size()), 2);
  Index n = 0;
  for (const auto& value : values) {
    rows(n, 0) = value[0];
    rows(n++, 1) = value[1];
  }
  return rows;
}

TEST(SourceCard, HoldsTheStatisticsOfLabelledRows) {
  const Matrix rows = rows_of({{4, 0}, {2, 0}, {0, 3}, {0, 1}});
  const auto source = *head().with_card(rows, std::vector<std::int64_t>{0, 0, 1, 0});
  const SourceCard& card = source.card();
  EXPECT_EQ(card.accuracy, 0.75);
  EXPECT_EQ(card.frequencies, (std::vector<float>{0.75F, 0.25F}));
  EXPECT_FLOAT_EQ(card.means(0, 0), 2);
  EXPECT_FLOAT_EQ(card.means(0, 1), 1.0F / 3);
  EXPECT_FLOAT_EQ(card.means(1, 1), 3);
  EXPECT_FLOAT_EQ(card.variance[0], 2.75F);
  EXPECT_FLOAT_EQ(card.variance[1], 1.5F);
  EXPECT_GT(*card.temperature, 1) << "one of four answers is wrong";
  EXPECT_LT(*card.confidence, 1);
  EXPECT_FLOAT_EQ(source.mean_products()(1, 1), 3) << "W m_1";
  EXPECT_EQ(source.fingerprint(), head().fingerprint()) << "states belong to the head";
  EXPECT_TRUE(head().card().is_empty());
}

TEST(SourceCard, GivesAClassWithoutRowsTheMeanOfAll) {
  const Matrix rows = rows_of({{4, 0}, {2, 2}});
  const auto source = *head().with_card(rows, std::vector<std::int64_t>{0, 0});
  EXPECT_FLOAT_EQ(source.card().means(1, 0), 3);
  EXPECT_EQ(source.card().frequencies[1], 0);
}

TEST(SourceCard, NamesWhatDoesNotFit) {
  const auto error = [](auto SourceCard::*field, auto value) {
    SourceCard card;
    card.*field = std::move(value);
    return head().with_card(std::move(card)).error().message;
  };
  using Floats = std::vector<float>;
  EXPECT_EQ(error(&SourceCard::temperature, 0), "source: card_temperature is 0, must be from 0.001 to 1000");
  EXPECT_EQ(error(&SourceCard::frequencies, Floats{1}),
            "source: card_frequencies has 1 values, must have 2 (one per class)");
  EXPECT_EQ(error(&SourceCard::frequencies, Floats{1, 1}), "source: card_frequencies sum to 2, must sum to 1");
  EXPECT_EQ(error(&SourceCard::frequencies, Floats{2, -1}),
            "source: card_frequencies value 1 is -1, must not be negative");
  EXPECT_EQ(error(&SourceCard::means, Matrix(2, 3)), "source: card_means is 2 x 3, must be 2 x 2");
  EXPECT_EQ(error(&SourceCard::variance, Floats{1, -1}), "source: card_variance value 1 is -1, must not be negative");
  EXPECT_EQ(error(&SourceCard::accuracy, 1.5), "source: card_accuracy is 1.5, must be from 0 to 1");
  const Matrix rows = rows_of({{4, 0}, {2, 2}});
  EXPECT_EQ(head().with_card(rows, std::vector<std::int64_t>{0}).error().message,
            "card: there are 1 labels for 2 rows, must be as many, and at least 2");
  EXPECT_EQ(head().with_card(rows, std::vector<std::int64_t>{0, 2}).error().message,
            "card: label 1 is 2, must be from 0 to 1");
  EXPECT_EQ(head().with_card(Matrix(2, 3), std::vector<std::int64_t>{0, 1}).error().message,
            "card: features have 3 dimensions, must have 2 as the source has");
}

}  // namespace
}  // namespace stad::testing
