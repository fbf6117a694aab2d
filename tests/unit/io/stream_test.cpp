#include "io/formats.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "made_bytes.hpp"
#include "support/temporary_directory.hpp"

namespace stad {
namespace {

using made::npy;
using made::values;

const std::string kFeatures = npy("<f4", "(3, 2)", values({1.f, 2.f, 3.f, 4.f, 5.f, 6.f}));

std::string stream_error(const std::string& file) {
  const auto stream = decode_stream(own_bytes(file), {});
  return stream ? "" : stream.error().message;
}

/// The error of a stream with this array.
std::string stream_error_with(const std::string& name, const std::string& content) {
  return stream_error(made::zip({{"features.npy", kFeatures}, {name + ".npy", content}}));
}

TEST(StreamFile, HoldsFeaturesLabelsTimeAndBatchSizes) {
  const auto file = made::zip({{"features.npy", kFeatures, 8},
                               {"labels.npy", npy("|u1", "(3,)", values<std::uint8_t>({0, 1, 2}))},
                               {"time.npy", npy("<i4", "(3,)", values({1930, 1930, 1931}))},
                               {"batch_sizes.npy", npy("<i8", "(2,)", values<std::int64_t>({2, 1}))}});
  const auto stream = decode_stream(own_bytes(file), {});
  ASSERT_TRUE(stream) << stream.error().message;
  EXPECT_EQ(stream->features.rows, 3);
  EXPECT_EQ(stream->features.row(2)[1], 6);
  EXPECT_EQ(stream->labels, (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(stream->time, (std::vector<double>{1930, 1930, 1931}));
  EXPECT_EQ(stream->batch_sizes, (std::vector<Index>{2, 1}));
}

TEST(StreamFile, IsMappedAndNotCopiedWhereItIsFloat32Npy) {
  const testing::TemporaryDirectory scratch;
  const auto path = scratch.write("x.npy", kFeatures);
  const auto stream = read_stream(path);
  ASSERT_TRUE(stream) << stream.error().message;
  EXPECT_EQ(stream->name, path);
  const auto* const mapped = static_cast<const std::byte*>(stream->storage.get());
  EXPECT_EQ(reinterpret_cast<const std::byte*>(stream->features.data), mapped + 128);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(mapped) % static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)), 0u);
  EXPECT_EQ(stream->features.row(2)[0], 5);
}

TEST(StreamFile, IsRecognisedByItsContentWhateverItsName) {
  const testing::TemporaryDirectory scratch;
  EXPECT_TRUE(read_stream(scratch.write("a.csv", kFeatures)));
  EXPECT_TRUE(read_stream(scratch.write("a.npy", made::zip({{"features.npy", kFeatures}}))));
  EXPECT_TRUE(read_stream(scratch.write("a.npz", "1,2\n3,4\n")));
}

TEST(StreamFile, MayComeFromStandardInput) {
  const testing::TemporaryDirectory scratch;
  for (const auto& content : {kFeatures, std::string("1,2\n3,4\n5,6\n"), made::zip({{"features.npy", kFeatures}})}) {
    const int before = ::dup(STDIN_FILENO);
    ASSERT_NE(std::freopen(scratch.write("in", content).c_str(), "rb", stdin), nullptr);
    const auto stream = read_stream("-");
    ::dup2(before, STDIN_FILENO);
    ::close(before);
    ASSERT_TRUE(stream) << stream.error().message;
    EXPECT_EQ(stream->name, "standard input");
    EXPECT_EQ(stream->features.row(2)[1], 6);
  }
}

TEST(StreamFile, RefusesFeaturesThatAreNoRows) {
  EXPECT_EQ(stream_error(npy("<f4", "(2,)", values({1.f, 2.f}))), "features has 1 dimensions, must have 2");
  EXPECT_EQ(stream_error(npy("<f4", "(0, 2)", "")), "features has no rows, must have at least 1");
  EXPECT_EQ(stream_error(npy("<f4", "(2, 0)", "")), "features has no columns, must have at least 1");
  EXPECT_EQ(stream_error("a,b\n"), "features has no rows, must have at least 1");
  EXPECT_EQ(stream_error(made::zip({{"x.npy", kFeatures}})), "has no array 'features'; it has 'x'");
}

TEST(StreamFile, RefusesLengthsThatDiffer) {
  EXPECT_EQ(stream_error_with("labels", npy("|i1", "(2,)", "ab")),
            "labels has 2 values, features has 3 rows, must be as many");
  EXPECT_EQ(stream_error_with("time", npy("|i1", "(4,)", "abcd")),
            "time has 4 values, features has 3 rows, must be as many");
  EXPECT_EQ(stream_error_with("labels", npy("|i1", "(3, 1)", "abc")), "labels has 2 dimensions, must have 1");
}

TEST(StreamFile, RefusesLabelsThatAreNoIntegers) {
  EXPECT_EQ(stream_error_with("labels", npy("<f4", "(3,)", values({0.f, 0.5f, 1.f}))),
            "labels[1] is 0.5, must be an integer of at most 64 bits");
}

TEST(StreamFile, RefusesTimeThatIsNotFinite) {
  EXPECT_EQ(stream_error_with("time", npy("<f4", "(3,)", values<float>({0, 1, INFINITY}))),
            "time[2] is inf, must be finite");
}

TEST(StreamFile, RefusesBatchSizesThatDoNotAddUp) {
  const auto error = [](std::initializer_list<std::int64_t> sizes) {
    return stream_error_with("batch_sizes", npy("<i8", "(" + std::to_string(sizes.size()) + ",)", values(sizes)));
  };
  EXPECT_EQ(error({1, 1}), "batch_sizes sum to 2, must sum to the 3 rows of features");
  EXPECT_EQ(error({4, -1}), "batch_sizes[1] is -1, must be positive");
  EXPECT_EQ(error({3, 0}), "batch_sizes[1] is 0, must be positive");
  EXPECT_EQ(error({INT64_MAX, INT64_MAX, 5}), "batch_sizes has a sum beyond 64 bits");
}

TEST(StreamFile, LeavesNanFeaturesToThePipeline) {
  EXPECT_EQ(stream_error(npy("<f4", "(1, 2)", values<float>({NAN, INFINITY}))), "");
}

TEST(StreamFile, NamesTheFileInEveryError) {
  const testing::TemporaryDirectory scratch;
  const auto path = scratch.write("x.csv", "a,b\n1,oops\n");
  EXPECT_EQ(read_stream(path).error().message, path + ": line 2 column 2 ('b'): 'oops' is not a number");
}

TEST(StreamFile, IsReadBackAsWrittenWithItsHead) {
  const testing::TemporaryDirectory scratch;
  auto stream = *decode_stream(own_bytes(kFeatures), {});
  stream.labels = {5, 6, 7};
  stream.time = {0.5, 0.5, 1};
  stream.batch_sizes = {2, 1};
  Matrix weight(2, 2);
  weight(0, 0) = weight(1, 1) = 1;
  const auto source = SourceModel::create(weight);
  const auto path = scratch.file("both.npz");
  ASSERT_TRUE(write_stream(path, stream, &*source));
  const auto read = read_stream(path);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->features.row(1)[0], 3);
  EXPECT_EQ(read->labels, stream.labels);
  EXPECT_EQ(read->time, stream.time);
  EXPECT_EQ(read->batch_sizes, stream.batch_sizes);
  EXPECT_EQ(read_source(path)->fingerprint(), source->fingerprint());
}

TEST(StreamFile, IsNotWrittenFromAStreamThatContradictsItself) {
  const testing::TemporaryDirectory scratch;
  auto stream = *decode_stream(own_bytes(kFeatures), {});
  stream.labels = {1};
  EXPECT_EQ(write_stream(scratch.file("x"), stream).error().message,
            scratch.file("x") + ": labels has 1 values, features has 3 rows, must be as many");
}

}  // namespace
}  // namespace stad
