#include "cli/command_test.hpp"
#include "support/npy_bytes.hpp"

namespace stad::testing {
namespace {

/// Streams in csv, each broken in one way, against a head of 3 classes in 2 dimensions.
class BadInputTest : public CommandTest {
 protected:
  BadInputTest() { directory.write("head.npy", npy_bytes({3, 2}, {1, 0, 0, 1, -1, -1})); }

  std::vector<std::string> adapt(const std::string& stream, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"adapt", "--method", "stad-vmf", "--source",    "head.npy", "--stream",
                                       stream,  "--out",    "out.npz",  "--state-out", "out.state"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  void expect_stream_rejected(const std::string& text, const std::vector<std::string>& pieces) const {
    directory.write("s.csv", text);
    expect_rejected(adapt("s.csv"), pieces);
  }
};

TEST_F(BadInputTest, AFeatureThatIsNotFinite) {
  expect_stream_rejected("a,b\n1,2\n3,nan\n", {"s.csv", "row 1", "nan"});
  expect_stream_rejected("a,b\n1,2\n3,4\ninf,6\n", {"s.csv", "row 2", "inf"});
  directory.write("s.npy", npy_bytes({2, 2}, {1, 2, 3, std::nanf("")}));
  expect_rejected(adapt("s.npy"), {"s.npy", "row 1", "nan"});
}

TEST_F(BadInputTest, AnotherDimensionThanTheSource) { expect_stream_rejected("a,b,c\n1,2,3\n", {"s.csv", "3", "2"}); }

TEST_F(BadInputTest, ASourceOfOneClass) {
  directory.write("one.npy", npy_bytes({1, 2}, {1, 0}));
  directory.write("s.csv", "a,b\n1,2\n");
  expect_rejected({"adapt", "--method", "source", "--source", "one.npy", "--stream", "s.csv", "--out", "o.npz"},
                  {"one.npy", "1 rows", "at least 2"});
}

TEST_F(BadInputTest, ALabelOutOfRange) {
  expect_stream_rejected("a,b,label\n1,2,0\n3,4,3\n", {"s.csv", "row 1", "3"});
  expect_stream_rejected("a,b,label\n1,2,-1\n3,4,-2\n", {"s.csv", "labels row 1 is -2", "from 0 to 2, or -1"});
}

TEST_F(BadInputTest, TimeThatGoesBackwards) {
  expect_stream_rejected("a,b,time\n1,2,1971\n3,4,1970\n", {"s.csv", "row 1", "1970", "1971"});
}

TEST_F(BadInputTest, AnEmptyStream) {
  expect_stream_rejected("a,b\n", {"s.csv"});
  expect_stream_rejected("", {"s.csv"});
  directory.write("s.npy", npy_bytes({0, 2}, {}));
  expect_rejected(adapt("s.npy"), {"s.npy"});
}

TEST_F(BadInputTest, ATimeRangeThatLeavesNothing) {
  directory.write("s.csv", "a,b,time\n1,2,1970\n");
  expect_rejected(adapt("s.csv", {"--since", "1980"}), {"s.csv", "since"});
}

TEST_F(BadInputTest, AnUnknownMethodOrOption) {
  directory.write("s.csv", "a,b\n1,2\n");
  expect_rejected(adapt("s.csv", {"-O", "kapa=3"}), {"stad-vmf", "kapa"});
  expect_rejected({"adapt", "--method", "magic", "--source", "head.npy", "--stream", "s.csv"}, {"magic"});
}

TEST_F(BadInputTest, AnOptionOutOfRange) {
  directory.write("s.csv", "a,b\n1,2\n");
  expect_rejected(adapt("s.csv", {"-O", "window=-1"}), {"stad-vmf", "window = -1", "must be"});
  expect_rejected(adapt("s.csv", {"-O", "kappa_ems=lots"}), {"kappa_ems", "lots"});
  expect_rejected(adapt("s.csv", {"--batch-size", "0"}), {"batch", "0"});
  expect_rejected(adapt("s.csv", {"--batch-size", "-3"}), {"batch", "-3"});
  expect_rejected(adapt("s.csv", {"--threads", "0"}), {"--threads"});
  expect_rejected(adapt("s.csv", {"--seed", "-1"}), {"--seed", "-1", "must be"});
  expect_rejected(adapt("s.csv", {"--seed", "18446744073709551616"}), {"--seed", "18446744073709551616"});
}

TEST_F(BadInputTest, SortingWithoutLabels) {
  directory.write("s.csv", "a,b\n1,2\n");
  expect_rejected(adapt("s.csv", {"--order", "sorted"}), {"s.csv", "labels"});
  expect_rejected(adapt("s.csv", {"--per-class"}), {"s.csv", "labels"});
}

TEST_F(BadInputTest, AColumnThatIsNotThere) {
  directory.write("s.csv", "a,b\n1,2\n");
  expect_rejected(adapt("s.csv", {"--label-column", "truth"}), {"s.csv", "truth"});
}

TEST_F(BadInputTest, AStateOfAnotherMethodOptionOrShape) {
  directory.write("s.csv", "a,b\n1,2\n3,1\n");
  ASSERT_EQ(stad({"adapt", "--method", "t3a", "--source", "head.npy", "--stream", "s.csv", "--state-out", "t.state"})
                .exit_code,
            0);
  expect_rejected(adapt("s.csv", {"--state-in", "t.state"}), {"t.state", "t3a", "stad-vmf"});
  expect_rejected({"adapt", "--source", "head.npy", "--stream", "s.csv", "--state-in", "t.state", "-O", "supports=5"},
                  {"t.state", "supports"});
  directory.write("wide.npy", npy_bytes({3, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1}));
  directory.write("wide.csv", "a,b,c\n1,2,3\n");
  expect_rejected({"adapt", "--source", "wide.npy", "--stream", "wide.csv", "--state-in", "t.state"}, {"t.state"});
}

TEST_F(BadInputTest, AFileThatIsNotWhatItSays) {
  directory.write("s.npz", "this is no archive");
  expect_rejected(adapt("s.npz"), {"s.npz"});
  directory.write("s.npy", npy_bytes({2, 2}, {1, 2, 3, 4}).substr(0, 100));
  expect_rejected(adapt("s.npy"), {"s.npy"});
  directory.write("s.csv", "a,b\n1,2\n");
  directory.write("cut.state", "stad");
  expect_rejected(adapt("s.csv", {"--state-in", "cut.state"}), {"cut.state"});
}

TEST_F(BadInputTest, AStreamThatMayNotHoldItsOwnHead) {
  directory.write("s.csv", "a,b\n1,2\n");
  expect_rejected({"adapt", "--method", "source", "--stream", "s.csv"}, {"s.csv", "--source"});
  expect_rejected({"adapt", "--method", "source", "--stream", "-"}, {"--source"});
}

TEST_F(BadInputTest, FiguresOfRowsThatAreNotScored) {
  directory.write("s.csv", "a,b,label,time\n1,2,0,1\n3,4,-1,2\n");
  expect_rejected(adapt("s.csv", {"--per-class", "--since", "2"}), {"s.csv", "no labels"});
  expect_rejected(adapt("s.csv", {"--calibration", "--since", "2"}), {"s.csv", "no labels"});
}

TEST_F(BadInputTest, LabelsThatMakeNoHead) {
  directory.write("s.csv", "a,b\n1,2\n");
  expect_rejected({"fit", "--features", "s.csv", "--out", "f.npz"}, {"s.csv", "no labels"});
  directory.write("s.csv", "a,b,label\n1,2,0\n3,4,2\n");
  expect_rejected({"fit", "--features", "s.csv", "--out", "f.npz"}, {"s.csv", "labelled 1"});
  directory.write("s.csv", "a,b,label\n1,2,0\n3,4,1\n5,6,-1\n");
  expect_rejected({"fit", "--features", "s.csv", "--out", "f.npz"}, {"s.csv", "labels row 2 is -1"});
  directory.write("s.csv", "a,b,label\n1,2,0\n3,4,1\n");
  expect_rejected({"fit", "--features", "s.csv", "--out", "f.npz", "--l2", "-1"}, {"l2 = -1"});
}

TEST_F(BadInputTest, ASimulationOutOfRange) {
  expect_rejected({"simulate", "--out", "f.npz", "--classes", "1"}, {"classes = 1", "from 2 to 1000"});
  expect_rejected({"simulate", "--out", "f.npz", "--noise", "nan"}, {"noise = nan"});
  expect_rejected({"simulate", "--out", "f.npz", "--scattered", "--dimension", "4"}, {"dimension = 4", "scattered"});
  expect_rejected({"simulate", "--out", "f.npz", "--unknown-class", "--steps", "1"}, {"steps = 1", "unknown class"});
}

}  // namespace
}  // namespace stad::testing
