#include "io/formats.hpp"

#include <gtest/gtest.h>

#include "made_bytes.hpp"
#include "support/temporary_directory.hpp"

namespace stad {
namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

TEST(Inspect, ShowsEveryArrayOfAnNpzWhateverItsType) {
  const auto file = made::zip({{"a.npy", made::npy("<f4", "(1, 2)", "12345678"), 8},
                               {"b.npy", made::npy("|O", "(7,)", "pickle")},
                               {"readme.txt", "hello"},
                               {"c.npy", "?", 0, 1}});
  const auto summary = summarise(as_bytes(file));
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->format, "npz");
  EXPECT_EQ(summary->bytes, file.size());
  ASSERT_EQ(summary->arrays.size(), 4u);
  EXPECT_EQ(summary->arrays[0].name, "a");
  EXPECT_EQ(summary->arrays[0].type, "<f4");
  EXPECT_EQ(summary->arrays[0].shape, (std::vector<Index>{1, 2}));
  EXPECT_EQ(summary->arrays[1].type, "|O");
  EXPECT_EQ(summary->arrays[2].type, "not npy");
  EXPECT_EQ(summary->arrays[2].shape, std::vector<Index>{5});
  EXPECT_EQ(summary->arrays[3].type, "encrypted");
}

TEST(Inspect, ShowsTheArrayOfAnNpy) {
  const auto summary = summarise(as_bytes(made::npy(">f2", "(3,)", "abcdef")));
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->format, "npy");
  EXPECT_EQ(summary->arrays.at(0).type, ">f2");
}

TEST(Inspect, ShowsTheColumnsOfACsv) {
  const auto summary = summarise(as_bytes("x,label\n1,2\n3,4\n"));
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->format, "csv");
  EXPECT_EQ(summary->arrays.at(0).shape, (std::vector<Index>{2, 2}));
  EXPECT_EQ(summary->facts, (Facts{{"header", "yes"}, {"columns", "x, label"}}));
}

TEST(Inspect, ShowsMethodOptionsAndTensorsOfAState) {
  AdapterState state;
  state.method = "t3a";
  state.options = {{"supports", "100", true}};
  state.source_fingerprint = 255;
  state.classes = 2;
  state.dimension = 3;
  state.tensors = {{"sums", {2, 3}, std::vector<double>(6)}};
  const auto summary = summarise(as_bytes(encode_state(state)));
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->format, "state");
  EXPECT_EQ(summary->arrays.at(0).name, "state/sums");
  EXPECT_EQ(summary->arrays.at(0).type, "<f8");
  EXPECT_EQ(summary->facts, (Facts{{"method", "t3a"},
                                   {"supports", "100"},
                                   {"classes", "2"},
                                   {"dimension", "3"},
                                   {"source fingerprint", "00000000000000ff"}}));
}

TEST(Inspect, NamesTheFileInEveryError) {
  const testing::TemporaryDirectory scratch;
  const auto path = scratch.write("x", std::string("\0\1\2", 3));
  EXPECT_EQ(inspect_file(path).error().message, path + ": is neither npz nor npy nor text: byte 0 is 0x00");
}

}  // namespace
}  // namespace stad
