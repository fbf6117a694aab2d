#include "io/csv.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>

#include "io/numbers.hpp"

namespace stad {
namespace {

std::string csv_error(std::string_view text, const CsvColumns& columns = {}) {
  const auto stream = decode_csv(text, columns);
  return stream ? "" : stream.error().message;
}

std::vector<float> csv_row(const FeatureStream& stream, Index r) {
  const auto values = stream.features.row(r);
  return {values.begin(), values.end()};
}

void expect_1_2_3_4(std::string_view text) {
  const auto stream = decode_csv(text, {});
  ASSERT_TRUE(stream) << stream.error().message;
  ASSERT_EQ(stream->features.rows, 2) << text;
  EXPECT_EQ(csv_row(*stream, 0), (std::vector<float>{1, 2})) << text;
  EXPECT_EQ(csv_row(*stream, 1), (std::vector<float>{3, 4})) << text;
}

TEST(CsvReader, ReadsRowsWithAndWithoutAHeader) {
  expect_1_2_3_4("1,2\n3,4\n");
  expect_1_2_3_4("a,b\n1,2\n3,4");
  expect_1_2_3_4("0,b\n1,2\n3,4");
}

TEST(CsvReader, ReadsWhatSpreadsheetsWrite) {
  expect_1_2_3_4("\xef\xbb\xbf\"a\",b\r\n1,\"2\"\r\n3,4\r\n\r\n\n");
  expect_1_2_3_4("a;b\n1;2\n3;4\n");
  expect_1_2_3_4("1\t2\n3\t4\n");
  expect_1_2_3_4("\"x;y;z\",b\n 1 , +2e0\n3.0,4\n");
}

TEST(CsvReader, TakesLabelAndTimeOutOfTheFeatures) {
  const auto stream = decode_csv("a,label,b,time\n1,7,2,0.5\n3,-8,4,1e3\n", {});
  ASSERT_TRUE(stream) << stream.error().message;
  EXPECT_EQ(csv_row(*stream, 1), (std::vector<float>{3, 4}));
  EXPECT_EQ(stream->labels, (std::vector<std::int64_t>{7, -8}));
  EXPECT_EQ(stream->time, (std::vector<double>{0.5, 1000}));
  EXPECT_EQ(decode_csv("labels,x\n3.0,1\n", {})->labels, std::vector<std::int64_t>{3});
}

TEST(CsvReader, FindsColumnsByTheNamesGiven) {
  const auto stream = decode_csv("\"the \"\"class\"\"\",x,when\n1,2,3\n", {"the \"class\"", "when"});
  ASSERT_TRUE(stream) << stream.error().message;
  EXPECT_EQ(stream->labels, std::vector<std::int64_t>{1});
  EXPECT_EQ(stream->time, std::vector<double>{3});
  EXPECT_EQ(csv_row(*stream, 0), std::vector<float>{2});
}

TEST(CsvReader, RefusesAColumnThatIsNotThereAndListsThoseThatAre) {
  EXPECT_EQ(csv_error("a,b\n1,2\n", {"y", ""}), "has no column 'y'; it has 'a', 'b'");
  EXPECT_EQ(csv_error("1,2\n", {"", "when"}), "has no header, so no column 'when'");
}

TEST(CsvReader, ListsOnlyTheFirstOfManyColumns) {
  std::string header = "c0";
  for (int i = 1; i < 30; ++i) header += ",c" + std::to_string(i);
  const auto error = csv_error(header + "\n", {"y", ""});
  EXPECT_NE(error.find("'c19', ... (30 in all)"), std::string::npos) << error;
}

TEST(CsvReader, RefusesColumnsThatAreAmbiguous) {
  EXPECT_EQ(csv_error("label,label,x\n1,2,3\n"), "has two columns 'label', must have one");
  EXPECT_NE(csv_error("label,labels,x\n1,2,3\n").find("name the one to use"), std::string::npos);
  EXPECT_EQ(csv_error("t,x\n1,2\n", {"t", "t"}), "column 't' cannot be both label and time");
  EXPECT_EQ(csv_error("label,time\n1,2\n"), "has no feature columns, must have at least one");
}

TEST(CsvReader, NamesLineColumnValueAndRule) {
  EXPECT_EQ(csv_error("a,b\n1,2\n3,x4\n"), "line 3 column 2 ('b'): 'x4' is not a number");
  EXPECT_EQ(csv_error("1,2\n3,\n"), "line 2 column 2: '' is not a number");
  EXPECT_EQ(csv_error("1,2\n3,1e99\n"), "line 2 column 2: '1e99' is too large for float32");
  EXPECT_EQ(csv_error("a,label\n1,2.5\n"), "line 2 column 2 ('label'): '2.5' is a label, must be an integer");
  EXPECT_EQ(csv_error("a,time\n1,nan\n"), "line 2 column 2 ('time'): 'nan' is a time, must be a finite number");
  EXPECT_EQ(csv_error("1,2\n3\n"), "line 2 has 1 fields, must have 2 as the first line");
  EXPECT_EQ(csv_error("1,2\n\n3,4\n"), "line 2 is blank");
  EXPECT_EQ(csv_error("1,\"2\n3,4\n"), "line 1 column 2: a quoted field must end on its line");
  EXPECT_EQ(csv_error("1,\"2\"3\n"), "line 1 column 2: a quoted field must be followed by a separator");
}

TEST(CsvReader, KeepsNanAndInfinityAsFeatures) {
  const auto stream = decode_csv("nan,-inf,1e-60\n", {});
  ASSERT_TRUE(stream) << stream.error().message;
  EXPECT_TRUE(std::isnan(csv_row(*stream, 0)[0]));
  EXPECT_EQ(csv_row(*stream, 0)[1], -INFINITY);
  EXPECT_EQ(csv_row(*stream, 0)[2], 0);
}

TEST(CsvReader, RefusesBinaryFiles) {
  EXPECT_EQ(csv_error(std::string_view("\x7f"
                                       "ELF\0\1",
                                       6)),
            "is neither npz nor npy nor text: byte 0 is 0x7f");
  EXPECT_EQ(csv_error(std::string_view("1,2\n\0\1", 6)), "is neither npz nor npy nor text: byte 4 is 0x00");
}

TEST(CsvReader, EscapesInMessagesWhatATerminalCannotBear) {
  EXPECT_EQ(csv_error("1\n\xe9t\xe9\n"), "line 2 column 1: '\\xe9t\\xe9' is not a number");
  EXPECT_EQ(csv_error("1\n\xc3\xa9\n"), "line 2 column 1: '\xc3\xa9' is not a number");
}

TEST(CsvReader, RefusesAnEmptyFile) { EXPECT_EQ(csv_error("\r\n\n"), "is empty, must have at least one row"); }

TEST(CsvReader, TellsColumnsAndRowsFromAGlance) {
  const auto summary = summarise_csv("a,\"b,c\"\n1,2\n3,4\n\n");
  ASSERT_TRUE(summary);
  EXPECT_TRUE(summary->has_header);
  EXPECT_EQ(summary->columns, (std::vector<std::string>{"a", "b,c"}));
  EXPECT_EQ(summary->rows, 2);
}

TEST(NumberText, MustBeANumberFromEndToEnd) {
  for (const char* const text : {"", " ", "1x", "0x10", "1 2", "+-1", "--1", "+", "1,5", "e5"})
    EXPECT_EQ(parse_number<double>(text).flaw, NumberFlaw::kNotANumber) << text;
}

TEST(NumberText, RoundsWhatIsTooSmallAndFlagsWhatIsTooLarge) {
  EXPECT_EQ(parse_number<double>("1e-400").value, 0);
  EXPECT_EQ(parse_number<double>("1e-400").flaw, NumberFlaw::kNone);
  EXPECT_EQ(parse_number<double>("-1e400").flaw, NumberFlaw::kTooLarge);
  EXPECT_EQ(parse_number<float>("1e-45").value, 1e-45f);
  EXPECT_EQ(parse_number<float>("3.4028235e38").flaw, NumberFlaw::kNone);
  EXPECT_EQ(parse_number<float>("3.5e38").flaw, NumberFlaw::kTooLarge);
}

TEST(NumberText, ReadsIntegersUpTo64Bits) {
  EXPECT_EQ(parse_integer("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(parse_integer(" -3e2 "), -300);
  EXPECT_EQ(parse_integer("9223372036854775808"), std::nullopt);
  EXPECT_EQ(parse_integer("inf"), std::nullopt);
}

TEST(Csv, RefusesAFirstRowWithAMistypedNumberInsteadOfTakingItForAHeader) {
  EXPECT_NE(csv_error("1.5,2.0,O.5\n4,5,6\n", {}).find("line 1"), std::string::npos);
  EXPECT_NE(csv_error("1,,3\n4,5,6\n", {}).find("line 1"), std::string::npos);
  EXPECT_EQ(csv_error("0,1,label\n4,5,6\n", {}), "");
  EXPECT_EQ(csv_error(",0,label\n4,5,6\n", {}), "");
}

}  // namespace
}  // namespace stad
