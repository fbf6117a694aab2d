#include "cluster/layout/names.hpp"

#include <gtest/gtest.h>

#include "common/error.hpp"

namespace stad::cluster {
namespace {

TEST(Token, HoldsNothingThatSubjectsAndKeysForbid) {
  EXPECT_EQ(token_of("camera-7_b"), "camera-7_b");
  EXPECT_EQ(token_of("a.b*c> d"), "a=2Eb=2Ac=3E=20d");
  EXPECT_EQ(token_of(""), "=");
  EXPECT_EQ(token_of("="), "=3D");
}

TEST(Token, TellsEveryNameApartAndGivesItBack) {
  std::string every;
  for (int byte = 0; byte < 256; ++byte) every += static_cast<char>(byte);
  for (const std::string& name : {every, std::string(), std::string("="), std::string("caf\xc3\xa9")})
    EXPECT_EQ(name_of_token(token_of(name)), name);
}

TEST(Token, RefusesWhatIsNoneOfOurs) {
  for (const char* token : {"=2", "=", "=zz", "a b", "a=2", "caf\xc3\xa9", "=2 "}) {
    if (std::string_view(token) == "=") continue;  // the default stream
    EXPECT_THROW(name_of_token(token), AppError) << token;
  }
}

TEST(Token, HasOneWayToWriteAName) {
  for (const char* token : {"=2e", "=41", "a=5f", "=2d", "=3d"}) EXPECT_THROW(name_of_token(token), AppError) << token;
  EXPECT_EQ(name_of_token("=2E"), ".");
}

TEST(Partition, IsTheOneThatTheServersHashTo) {
  // FNV-1a of "foobar" is 0xbf9cf968, as its authors say.
  EXPECT_EQ(partition_of({"foo", "bar"}, 1000), 0xbf9cf968 % 1000);
  const StreamName name{"foo", "bar"};
  EXPECT_NO_THROW(check_partition(partition_subject(partition_of(name, 16), name), name, 16));
  EXPECT_THROW(check_partition(partition_subject((partition_of(name, 16) + 1) % 16, name), name, 16), AppError);
  EXPECT_THROW(check_partition("stad.partition.007.foo.bar", name, 16), AppError);
}

TEST(Consumer, IsOfOneOwnerAlone) {
  EXPECT_NE(consumer_name(3, 7, "one"), consumer_name(3, 7, "other"));
  EXPECT_NE(consumer_name(3, 7, "one"), consumer_name(3, 8, "one"));
}

TEST(Subject, NamesItsStream) {
  const StreamName name{"cam.eras", "gate 7"};
  EXPECT_EQ(input_subject(name), "stad.in.cam=2Eeras.gate=207");
  EXPECT_EQ(stream_of_subject(output_subject(name)), name);
  EXPECT_EQ(stream_of_subject(partition_subject(3, name)), name);
  EXPECT_EQ(stream_of_subject(input_subject({"m", ""})), (StreamName{"m", ""}));
  EXPECT_THROW(stream_of_subject("stad"), AppError);
}

TEST(Subject, NamesAStreamThatTheServiceWouldTake) {
  EXPECT_EQ(stream_of_subject("stad.in.m." + std::string(256, 'a')).stream.size(), 256u);
  for (const std::string& token : {std::string(257, 'a'), std::string("=0A"), std::string("=FF")})
    EXPECT_THROW(stream_of_subject("stad.in.m." + token), AppError) << token;
}

}  // namespace
}  // namespace stad::cluster
