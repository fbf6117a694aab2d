#include "cluster/working/answer.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "server/refusal.hpp"

namespace stad::cluster {
namespace {

using server::InferRequest;

// Bytes of others' words that are repeated in headers, which all together must stay small.
constexpr std::size_t kMostWords = 512;
constexpr std::size_t kMostNumber = 64;
constexpr std::size_t kMostSubject = 2048;
constexpr std::size_t kMostInbox = 256;

/// Not cut within a character of UTF-8.
std::string clipped(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

void copy_header(const Delivery& from, const char* name, Message& to, const char* new_name, std::size_t most) {
  if (auto value = from.header(name)) to.set(new_name, clipped(*std::move(value), most));
}

/// With what a result says about its input.
Message message_for(std::string subject, const Delivery& delivery) {
  Message message{std::move(subject), {}, {}};
  message.set(kMessageId, result_id(delivery.sequence));
  message.set(kSequence, delivery.sequence);
  copy_header(delivery, kMessageId, message, kInputId, kMostWords);
  copy_header(delivery, kTime, message, kTime, kMostNumber);
  return message;
}

InferRequest read(const StreamName& name, const Delivery& delivery) {
  std::optional<std::size_t> json_length;
  if (delivery.header(kJsonLength)) {
    json_length = delivery.number(kJsonLength);
    if (!json_length)
      server::refuse(400,
                     fmt::format("header {} is '{}', must be a count", kJsonLength, *delivery.header(kJsonLength)));
  }
  InferRequest request = server::read_infer_request(delivery.payload(), json_length, {});
  if (!request.stream.empty() && request.stream != name.stream)
    server::refuse(
        400, fmt::format("sequence_id is '{}', must be the stream of the subject, '{}'", request.stream, name.stream));
  const std::string shape = fmt::format("{}x{}", request.features.rows(), request.features.cols());
  if (const auto promised = delivery.header(kShape); promised && *promised != shape)
    server::refuse(400, fmt::format("header {} is '{}', but the tensor is {}", kShape, *promised, shape));
  return request;
}

/// What fails here would fail on every worker that takes the message next: it is refused, so that it stops none.
server::InferAnswer answer_or_refuse(server::Learner& learner, const InferRequest& request) {
  try {
    return learner.answer_one(request);
  } catch (const std::exception& bug) {
    server::refuse(500, fmt::format("the worker failed: {}", bug.what()));
  }
}

/// That a response may have.
std::size_t most_bytes(const InferRequest& request, const server::Model& model) {
  constexpr std::size_t kNumber = 21;  // a number of JSON and its comma, at most
  constexpr std::size_t kHead = 2048;  // names and shapes of all tensors
  std::size_t bytes = kHead + 6 * (request.id.size() + request.stream.size() + model.name().size());  // escaped
  const auto rows = static_cast<std::size_t>(request.features.rows());
  const auto add = [&](const server::WantedOutput& output, std::size_t values, std::size_t size) {
    if (output.wanted) bytes += values * (output.binary ? size : kNumber);
  };
  add(request.label, rows, sizeof(std::int64_t));
  add(request.source_label, rows, sizeof(std::int64_t));
  add(request.adapted_label, rows, sizeof(std::int64_t));
  add(request.unknown, rows, sizeof(float));
  add(request.probabilities, rows * static_cast<std::size_t>(model.source().classes()), sizeof(float));
  return bytes;
}

server::Learner copy_of(const server::Learner& learner) {
  server::Learner copy = learner.anew();
  if (learner.batches() > 0) copy.restore(learner.record(0));
  return copy;
}

/// Where the answer may be too large, it is known only when it is made: then a copy remembers what was before.
server::InferResponse respond(const StreamName& name, const InferRequest& request, server::Learner& learner,
                              std::size_t most) {
  std::optional<server::Learner> before;
  if (most_bytes(request, learner.model()) > most) before = copy_of(learner);
  const server::InferAnswer found = answer_or_refuse(learner, request);
  auto response = server::write_infer_response(name.model, request, found);
  if (response.body.size() <= most) return response;
  learner = std::move(before).value();
  server::refuse(413, fmt::format("the answer has {} bytes, may have {} (the servers' max_payload without headers): "
                                  "send fewer rows at once, or ask for binary_data_output",
                                  response.body.size(), most));
}

/// A client's words: anywhere but to an inbox they could write what only workers may, and other characters or a long
/// name would end the connection.
bool is_inbox(std::string_view subject) {
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-'; };
  return subject.starts_with(kInboxPrefix) && subject.size() <= kMostInbox && !subject.ends_with('.') &&
         subject.find("..") == std::string_view::npos && std::ranges::all_of(subject, is_plain);
}

}  // namespace

Answered answer(const StreamName& name, const Delivery& delivery, server::Learner& learner, std::size_t most) {
  const InferRequest request = read(name, delivery);
  server::check_request(learner.model(), request);
  auto response = respond(name, request, learner, most);
  if (learner.ends(request)) learner = learner.anew();
  Answered answered{message_for(output_subject(name), delivery), std::nullopt, "", request.features.rows()};
  if (response.json_length) answered.result.set(kJsonLength, *response.json_length);
  answered.result.payload = std::move(response.body);
  return answered;
}

bool starts_anew(const StreamName& name, const Delivery& delivery, const server::Learner& learner) {
  return learner.starts_anew(read(name, delivery));
}

Answered refused(const StreamName& name, const Delivery& delivery, const server::Refusal& refusal, std::size_t most) {
  Answered answered{message_for(output_subject(name), delivery), message_for(kDeadSubject, delivery),
                    clipped(refusal.message, kMostWords), 0};
  Message& dead = *answered.dead;
  for (Message* message : {&answered.result, &dead}) {
    message->set(kStatus, std::to_string(refusal.status));
    message->set(kError, answered.reason);
  }
  dead.set(kSubject, clipped(std::string(delivery.subject()), kMostSubject));
  copy_header(delivery, kJsonLength, dead, kJsonLength, kMostNumber);
  if (delivery.payload().size() <= most)
    dead.payload = delivery.payload();
  else
    dead.set(kOmitted, fmt::format("the payload of {} bytes does not fit beside the reason; message {} of {} has it",
                                   delivery.payload().size(), delivery.sequence, kInputStream));
  return answered;
}

std::optional<Message> reply_to(const Delivery& delivery, const Message& result) {
  const auto subject = delivery.header(kReply);
  if (!subject || !is_inbox(*subject)) return std::nullopt;
  Message reply = result;
  reply.subject = *subject;
  return reply;
}

}  // namespace stad::cluster
