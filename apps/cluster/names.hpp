#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/store/store.hpp"

namespace stad::cluster {

using server::StreamName;

// What the servers keep.
inline constexpr const char* kInputStream = "STAD_IN";    ///< embeddings, by partition
inline constexpr const char* kOutputStream = "STAD_OUT";  ///< predictions
inline constexpr const char* kDeadStream = "STAD_DEAD";   ///< what could not be answered, and why
inline constexpr const char* kOwnershipBucket = "stad_ownership";
inline constexpr const char* kStatesBucket = "stad_states";
inline constexpr const char* kDeadSubject = "stad.dead";

// Headers of messages beside the Open Inference Protocol's own.
inline constexpr const char* kMessageId = "Nats-Msg-Id";                       ///< the servers drop one they have seen
inline constexpr const char* kJsonLength = "Inference-Header-Content-Length";  ///< where tensors begin; none: all JSON
inline constexpr const char* kShape = "Stad-Shape";        ///< of the features, "64x512"; must agree with the request
inline constexpr const char* kTime = "Stad-Time";          ///< when it was published, seconds since 1970
inline constexpr const char* kReply = "Stad-Reply";        ///< inbox of someone who waits for the answer
inline constexpr const char* kInboxPrefix = "_INBOX.";     ///< where nothing is kept
inline constexpr const char* kSequence = "Stad-Sequence";  ///< of the input that is answered, in STAD_IN
inline constexpr const char* kInputId = "Stad-Input-Id";   ///< its message id
inline constexpr const char* kError = "Stad-Error";        ///< why there is no answer
inline constexpr const char* kStatus = "Stad-Status";      ///< of such a refusal, as HTTP numbers them
inline constexpr const char* kSubject = "Stad-Subject";    ///< where a dead message came from
inline constexpr const char* kOmitted = "Stad-Omitted";    ///< of a dead message: that its payload did not fit

/// A name as a token of a subject and of a key: letters, digits, - and _ as they are, other bytes as =XX, none as "=".
std::string token_of(std::string_view name);
/// Throws Refusal where it is not what token_of makes of a name.
std::string name_of_token(std::string_view token);

std::string input_subject(const StreamName& name);   ///< stad.in.MODEL.STREAM, for those who publish
std::string output_subject(const StreamName& name);  ///< stad.out.MODEL.STREAM
/// What the servers make of the first: stad.partition.P.MODEL.STREAM.
std::string partition_subject(std::int64_t partition, const StreamName& name);
std::string partition_filter(std::int64_t partition);
/// Where the mapping of the servers, partition(N,1,2), puts the messages of a stream.
std::int64_t partition_of(const StreamName& name, std::int64_t partitions);
/// A message elsewhere would give its stream a second owner: throws Refusal.
void check_partition(std::string_view subject, const StreamName& name, std::int64_t partitions);
/// The stream in the last two tokens of a subject. Throws Refusal, also where the service would not take such a name.
StreamName stream_of_subject(std::string_view subject);

// Keys of a stream's state and of the last snapshot of it.
std::string state_key(const StreamName& name);
std::string snapshot_key(const StreamName& name);

/// By which an owner takes the messages of a partition: of its own, so that two who take themselves for it do not share
/// one.
std::string consumer_name(std::int64_t partition, std::uint64_t epoch, const std::string& worker);

/// What the results of an input are called, whoever makes them and however often.
std::string result_id(std::uint64_t sequence);

}  // namespace stad::cluster
