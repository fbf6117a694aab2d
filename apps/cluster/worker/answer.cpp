#include "cluster/worker/answer.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/error.hpp"

namespace stad::cluster {
namespace {

using serving::InferRequest;

// Bytes of client text that is copied to headers, whose total size is limited.
constexpr std::size_t kMaxText = 512;
constexpr std::size_t kMaxNumber = 64;
constexpr std::size_t kMaxSubject = 2048;
constexpr std::size_t kMaxInbox = 256;

/// Shortens to the limit, between characters of UTF-8.
std::string clipped(std::string text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t end = max_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

void copy_header(const Delivery& from, const char* name, NatsMessage& to, const char* new_name, std::size_t max_bytes) {
  if (auto value = from.header(name)) to.set(new_name, clipped(*std::move(value), max_bytes));
}

/// A message with the headers that refer to the input.
NatsMessage message_for(std::string subject, const Delivery& delivery) {
  NatsMessage message{std::move(subject), {}, {}};
  message.set(kMessageId, result_id(delivery.sequence));
  message.set(kSequence, delivery.sequence);
  copy_header(delivery, kMessageId, message, kInputId, kMaxText);
  copy_header(delivery, kTime, message, kTime, kMaxNumber);
  copy_header(delivery, kKind, message, kKind, kMaxNumber);
  return message;
}

InferRequest read(const StreamName& name, const Delivery& delivery) {
  std::optional<std::size_t> json_length;
  if (delivery.header(kJsonLength)) {
    json_length = delivery.number(kJsonLength);
    if (!json_length)
      reject(400, fmt::format("header {} is '{}', must be a count", kJsonLength, *delivery.header(kJsonLength)));
  }
  InferRequest request = serving::read_infer_request(delivery.payload(), json_length, {});
  if (!request.stream.empty() && request.stream != name.stream)
    reject(400,
           fmt::format("sequence_id is '{}', must be the stream of the subject, '{}'", request.stream, name.stream));
  const std::string shape = fmt::format("{}x{}", request.features.rows(), request.features.cols());
  if (const auto promised = delivery.header(kShape); promised && *promised != shape)
    reject(400, fmt::format("header {} is '{}', but the tensor is {}", kShape, *promised, shape));
  return request;
}

bool is_labels(const Delivery& delivery) { return delivery.header(kKind) == kLabels; }

std::vector<std::int64_t> integers_at(const nlohmann::json& object, const char* key) {
  const auto is_integer = [](const nlohmann::json& value) { return value.is_number_integer(); };
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array() || !std::all_of(found->begin(), found->end(), is_integer))
    reject(400, fmt::format("{} must be an array of integers of 64 bits", key));
  return found->get<std::vector<std::int64_t>>();
}

/// Labels of earlier rows: the response counts those that were used and the rows that were forgotten.
std::string observe(const Delivery& delivery, serving::StreamSession& session) {
  const auto object = nlohmann::json::parse(delivery.payload(), nullptr, false);
  if (!object.is_object()) reject(400, "labels must be a JSON object");
  const Observed observed = session.observe(integers_at(object, "ids"), integers_at(object, "labels"));
  return fmt::format(R"({{"used":{},"forgotten":{}}})", observed.used, observed.forgotten);
}

/// An exception becomes a rejection: the message would fail on every other worker as well and block the partition.
serving::InferAnswer answer_or_reject(serving::StreamSession& session, const InferRequest& request) {
  try {
    return session.answer_request(request);
  } catch (const std::exception& error) {
    reject(500, fmt::format("internal error: {}", error.what()));
  }
}

/// Upper bound of the size of the response.
std::size_t response_bound(const InferRequest& request, const serving::ServedModel& model) {
  constexpr std::size_t kNumber = 21;  // characters of a JSON number and its comma
  constexpr std::size_t kHead = 2048;  // names and shapes of all tensors
  std::size_t bytes = kHead + 6 * (request.id.size() + request.stream.size() + model.name().size());  // escaped
  const auto rows = static_cast<std::size_t>(request.features.rows());
  const auto add = [&](const serving::WantedOutput& output, std::size_t values, std::size_t size) {
    if (output.wanted) bytes += values * (output.binary ? size : kNumber);
  };
  add(request.label, rows, sizeof(std::int64_t));
  add(request.source_label, rows, sizeof(std::int64_t));
  add(request.adapted_label, rows, sizeof(std::int64_t));
  add(request.probabilities, rows * static_cast<std::size_t>(model.source().classes()), sizeof(float));
  return bytes;
}

serving::StreamSession copy_of(const serving::StreamSession& session) {
  serving::StreamSession copy = session.make_empty();
  if (session.batches() > 0) copy.restore(session.record(0));
  return copy;
}

/// The size of the answer is known only once it is written: where it may be too large, a copy of the session is made to
/// undo the step.
serving::InferResponse respond(const StreamName& name, const InferRequest& request, serving::StreamSession& session,
                               std::size_t max_bytes) {
  std::optional<serving::StreamSession> before;
  if (response_bound(request, session.model()) > max_bytes) before = copy_of(session);
  const serving::InferAnswer found = answer_or_reject(session, request);
  auto response = serving::write_infer_response(name.model, request, found);
  if (response.body.size() <= max_bytes) return response;
  session = std::move(before).value();
  reject(413, fmt::format("the answer has {} bytes, must have at most {} (the servers' max_payload without headers); "
                          "send fewer rows, or set binary_data_output",
                          response.body.size(), max_bytes));
}

/// The subject comes from the client. Other subjects than inboxes are reserved for workers, and invalid characters or a
/// long subject would make the servers close the connection.
bool is_inbox(std::string_view subject) {
  const auto is_allowed = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-'; };
  return subject.starts_with(kInboxPrefix) && subject.size() <= kMaxInbox && !subject.ends_with('.') &&
         subject.find("..") == std::string_view::npos && std::ranges::all_of(subject, is_allowed);
}

}  // namespace

ProcessedMessage answer(const StreamName& name, const Delivery& delivery, serving::StreamSession& session,
                        std::size_t max_bytes) {
  if (is_labels(delivery)) {
    ProcessedMessage processed{message_for(output_subject(name), delivery), std::nullopt, "", 0};
    processed.result.payload = observe(delivery, session);
    return processed;
  }
  const InferRequest request = read(name, delivery);
  serving::check_request(session.model(), request);
  auto response = respond(name, request, session, max_bytes);
  if (session.ends(request)) session = session.make_empty();
  ProcessedMessage processed{message_for(output_subject(name), delivery), std::nullopt, "", request.features.rows()};
  if (response.json_length) processed.result.set(kJsonLength, *response.json_length);
  processed.result.payload = std::move(response.body);
  return processed;
}

bool restarts(const StreamName& name, const Delivery& delivery, const serving::StreamSession& session) {
  return !is_labels(delivery) && session.restarts(read(name, delivery));
}

ProcessedMessage rejected(const StreamName& name, const Delivery& delivery, const AppError& failure,
                          std::size_t max_bytes) {
  ProcessedMessage processed{message_for(output_subject(name), delivery), message_for(kDeadSubject, delivery),
                             clipped(failure.error.message, kMaxText), 0};
  NatsMessage& dead = *processed.dead;
  for (NatsMessage* message : {&processed.result, &dead}) {
    message->set(kStatus, std::to_string(http_status(failure)));
    message->set(kError, processed.reason);
  }
  dead.set(kSubject, clipped(std::string(delivery.subject()), kMaxSubject));
  copy_header(delivery, kJsonLength, dead, kJsonLength, kMaxNumber);
  if (delivery.payload().size() <= max_bytes)
    dead.payload = delivery.payload();
  else
    dead.set(kOmitted, fmt::format("the payload of {} bytes does not fit beside the reason; message {} of {} has it",
                                   delivery.payload().size(), delivery.sequence, kInputStream));
  return processed;
}

std::optional<NatsMessage> reply_to(const Delivery& delivery, const NatsMessage& result) {
  const auto subject = delivery.header(kReply);
  if (!subject || !is_inbox(*subject)) return std::nullopt;
  NatsMessage reply = result;
  reply.subject = *subject;
  return reply;
}

}  // namespace stad::cluster
