#include "io/npz.hpp"

#include <gtest/gtest.h>

#include "made_bytes.hpp"

namespace stad {
namespace {

using made::Entry;
using made::npy;
using made::values;

const std::string kOneTwo = npy("<f4", "(1, 2)", values({1.f, 2.f}));

/// The error of reading `x`.
std::string npz_error(const std::string& archive) {
  const auto npz = Npz::open(as_bytes(archive));
  if (!npz) return npz.error().message;
  const auto array = npz->read("x");
  return array ? "" : array.error().message;
}

TEST(NpzReader, ReadsStoredAndDeflatedArrays) {
  for (const std::uint16_t method : {std::uint16_t{0}, std::uint16_t{8}}) {
    const auto archive = made::zip({{"x.npy", kOneTwo, method}});
    const auto npz = Npz::open(as_bytes(archive));
    ASSERT_TRUE(npz) << npz.error().message;
    const auto array = npz->read("x");
    ASSERT_TRUE(array) << array.error().message;
    ASSERT_TRUE(*array);
    EXPECT_EQ((*array)->name, "x");
    EXPECT_EQ((*to_matrix(**array))(0, 1), 2.f);
  }
}

TEST(NpzReader, StartsTheDataOnACacheLine) {
  const auto archive =
      made::zip({{"x.npy", made::npy_of("{'descr':'<f4','fortran_order':False,'shape':(1,1)}", "abcd")}});
  const auto array = *Npz::open(as_bytes(archive))->read("x");
  EXPECT_EQ(to_rows(*array)->view.data, reinterpret_cast<const float*>(array->data.data()));
}

TEST(NpzReader, FindsNoArrayThatIsNotThere) {
  const auto archive = made::zip({{"y.npy", kOneTwo}});
  EXPECT_FALSE(*Npz::open(as_bytes(archive))->read("x"));
}

TEST(NpzReader, IgnoresEntriesThatAreNotRead) {
  const auto archive = made::zip({{"y.npy", npy("|O", "(1,)", "pickle")},
                                  {"z", "no array at all"},
                                  {"x.npy", kOneTwo},
                                  {"secret.npy", "???", 0, 1},
                                  {"z", "twice"}});
  EXPECT_EQ(npz_error(archive), "");
}

TEST(NpzReader, RefusesWhatIsNoArchive) {
  EXPECT_NE(npz_error("PK\3\4 and then nothing").find("is not a whole npz archive"), std::string::npos);
  EXPECT_NE(npz_error(""), "");
}

TEST(NpzReader, RefusesATruncatedArchive) {
  const auto archive = made::zip({{"x.npy", kOneTwo}});
  for (std::size_t size = 0; size < archive.size(); ++size) EXPECT_NE(npz_error(archive.substr(0, size)), "") << size;
}

TEST(NpzReader, RefusesAnArrayThatIsThereTwice) {
  EXPECT_EQ(npz_error(made::zip({{"x.npy", kOneTwo}, {"x.npy", kOneTwo}})), "x occurs twice, must occur once");
}

TEST(NpzReader, RefusesEncryptedArrays) {
  EXPECT_EQ(npz_error(made::zip({{"x.npy", kOneTwo, 0, 1}})), "x: is encrypted, must not be encrypted");
}

TEST(NpzReader, RefusesOtherCompression) {
  EXPECT_EQ(npz_error(made::zip({{"x.npy", kOneTwo, 14}})),
            "x: has zip compression method 14, must be stored or deflated");
}

TEST(NpzReader, ReportsAWrongChecksum) {
  for (const std::uint16_t method : {std::uint16_t{0}, std::uint16_t{8}})
    EXPECT_NE(npz_error(made::zip({{"x.npy", kOneTwo, method, 0, -1, 1}})).find("x: is damaged: CRC error"),
              std::string::npos);
}

TEST(NpzReader, RefusesSizesThatCannotBe) {
  const auto declared = [](std::uint16_t method, std::int64_t size) {
    return npz_error(made::zip({{"x.npy", kOneTwo, method, 0, size}}));
  };
  EXPECT_NE(declared(0, 1 << 30).find("cannot hold"), std::string::npos);
  EXPECT_NE(declared(8, 1 << 30).find("cannot hold"), std::string::npos);
  EXPECT_NE(declared(8, 10'000).find("needs 8 bytes of data, found 9872"), std::string::npos);
  EXPECT_NE(declared(8, 20), "");
}

TEST(NpzReader, RefusesAShapeThatIsNotTheSize) {
  EXPECT_EQ(npz_error(made::zip({{"x.npy", npy("<f4", "(1000000, 1000000)", "abcd"), 8}})),
            "x: data of type <f4 and shape (1000000, 1000000) needs 4000000000000 bytes of data, found 4");
}

TEST(NpzWriter, IsReadBackAsWritten) {
  const std::vector<std::string> names{"a", "\xc3\xa9t\xc3\xa9", ""};
  const std::vector<std::int64_t> numbers{-1, 2};
  Matrix wide(2, 3);
  for (int i = 0; i < 6; ++i) wide.data()[i] = static_cast<float>(i);
  NpzWriter writer;
  ASSERT_TRUE(writer.add("names", std::span(names)));
  writer.add("numbers", std::span(numbers));
  writer.add("narrow", MatrixView(wide.data(), 2, 2, 3));
  writer.add("empty", std::span<const double>());
  const auto archive = writer.encode();
  ASSERT_TRUE(archive) << archive.error().message;

  const auto npz = Npz::open(as_bytes(*archive));
  ASSERT_TRUE(npz) << npz.error().message;
  EXPECT_EQ(*to_names(**npz->read("names")), names);
  EXPECT_EQ(*to_integers(**npz->read("numbers")), numbers);
  const auto narrow = *to_matrix(**npz->read("narrow"));
  EXPECT_EQ(narrow(1, 0), 3);
  EXPECT_EQ(narrow(1, 1), 4);
  EXPECT_TRUE(to_doubles(**npz->read("empty"))->empty());
}

TEST(NpzWriter, GivesTheSameBytesInEveryTimeZone) {
  const std::vector<double> numbers{1, 2};
  NpzWriter writer;
  writer.add("x", std::span(numbers));
  const auto encoded_in = [&](const char* zone) {
    ::setenv("TZ", zone, 1);
    ::tzset();
    return *writer.encode();
  };
  const auto first = encoded_in("UTC");
  EXPECT_EQ(first, encoded_in("Asia/Tokyo"));
  EXPECT_EQ(first, encoded_in("America/New_York"));
  ::unsetenv("TZ");
  ::tzset();
}

TEST(NpzWriter, RefusesNamesThatAreNotUtf8) {
  const std::vector<std::string> names{"a", "\xff"};
  NpzWriter writer;
  const auto added = writer.add("classes", std::span(names));
  ASSERT_FALSE(added);
  EXPECT_NE(added.error().message.find("classes[1]"), std::string::npos);
}

}  // namespace
}  // namespace stad
