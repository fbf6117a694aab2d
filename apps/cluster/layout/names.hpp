#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "serving/store/store.hpp"

namespace stad::cluster {

using serving::StreamName;

// Streams and buckets on the servers.
inline constexpr const char* kInputStream = "STAD_IN";    ///< embeddings, by partition
inline constexpr const char* kOutputStream = "STAD_OUT";  ///< predictions
inline constexpr const char* kDeadStream = "STAD_DEAD";   ///< rejected inputs with their errors
inline constexpr const char* kOwnershipBucket = "stad_ownership";
inline constexpr const char* kStatesBucket = "stad_states";
inline constexpr const char* kDeadSubject = "stad.dead";

// Headers of messages beside the Open Inference Protocol's own.
inline constexpr const char* kMessageId = "Nats-Msg-Id";  ///< the servers drop repeated ids
inline constexpr const char* kJsonLength =
    "Inference-Header-Content-Length";               ///< where tensors begin; absent: all JSON
inline constexpr const char* kShape = "Stad-Shape";  ///< of the features, "64x512"; must equal that of the request
inline constexpr const char* kKind = "Stad-Kind";    ///< of an input and its result; absent: a batch
inline constexpr const char* kLabels = "labels";     ///< kind: labels of earlier rows, {"ids": [...], "labels": [...]}
inline constexpr const char* kTime = "Stad-Time";    ///< time of publication, seconds since the epoch
inline constexpr const char* kReply = "Stad-Reply";  ///< inbox that receives a copy of the result
inline constexpr const char* kInboxPrefix = "_INBOX.";     ///< subjects that are not stored
inline constexpr const char* kSequence = "Stad-Sequence";  ///< of the input in STAD_IN
inline constexpr const char* kInputId = "Stad-Input-Id";   ///< its message id
inline constexpr const char* kError = "Stad-Error";        ///< why the input was rejected
inline constexpr const char* kStatus = "Stad-Status";      ///< HTTP status of the rejection
inline constexpr const char* kSubject = "Stad-Subject";    ///< subject of a dead message
inline constexpr const char* kOmitted = "Stad-Omitted";    ///< note on a dead message whose payload did not fit

/// Encodes a name as a token of subjects and keys: letters, digits, - and _ literally, other bytes as =XX, the empty
/// name as "=".
std::string token_of(std::string_view name);
/// Inverse of token_of(). Throws AppError where the token is not its result.
std::string name_of_token(std::string_view token);

std::string input_subject(const StreamName& name);   ///< stad.in.MODEL.STREAM, to publish to
std::string output_subject(const StreamName& name);  ///< stad.out.MODEL.STREAM
/// The subject to which the servers map inputs: stad.partition.P.MODEL.STREAM.
std::string partition_subject(std::int64_t partition, const StreamName& name);
std::string partition_filter(std::int64_t partition);
/// The partition of a stream by the servers' mapping partition(N,1,2).
std::int64_t partition_of(const StreamName& name, std::int64_t partitions);
/// Throws AppError for a message of another partition, which would give its stream a second owner.
void check_partition(std::string_view subject, const StreamName& name, std::int64_t partitions);
/// The stream in the last two tokens of a subject. Throws AppError, also for names that the service does not accept.
StreamName stream_of_subject(std::string_view subject);

// Keys of the state of a stream and of its last snapshot.
std::string state_key(const StreamName& name);
std::string snapshot_key(const StreamName& name);

/// The consumer of the owner of a partition: unique for each owner, so that two workers that both consider themselves
/// the owner do not share one.
std::string consumer_name(std::int64_t partition, std::uint64_t epoch, const std::string& worker);

/// Message id of the result of an input, the same for every worker and repetition.
std::string result_id(std::uint64_t sequence);

}  // namespace stad::cluster
