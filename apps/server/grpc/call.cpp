#include "server/grpc/call.hpp"

#include <utility>

#include <fmt/format.h>
#include <grpcpp/support/proto_buffer_reader.h>
#include <open_inference.pb.h>

#include "server/grpc/infer_message.hpp"
#include "server/grpc/status.hpp"
#include "server/http/admission.hpp"
#include "serving/log.hpp"

namespace stad::server {
namespace {

/// Part of the digests of requests, so that responses stored for REST are not sent over gRPC: any odd constant.
constexpr std::uint64_t kTransport = 0x67525043'00000001U;  // "gRPC"

constexpr std::size_t kCopied = 4096;  // bytes: shorter responses are copied, which takes less time than to share them

constexpr std::size_t kMaxId = 256;  // bytes: longer ids are rejected, and not repeated in the error

grpc::ByteBuffer buffer_of(std::string message) {
  if (message.size() < kCopied) {
    const grpc::Slice slice(message);
    return {&slice, 1};
  }
  auto* const owned = new std::string(std::move(message));
  const grpc::Slice slice(
      owned->data(), owned->size(), [](void* text) { delete static_cast<std::string*>(text); }, owned);
  return {&slice, 1};
}

void check_version(const std::string& model, const std::string& version) {
  if (!version.empty() && version != "1")
    reject(404, fmt::format("model {} has no version '{}', must be 1", model, version));
}

}  // namespace

void OpenCalls::add(GrpcCall* call) {
  const std::scoped_lock lock(mutex_);
  calls_.insert(call);
}

void OpenCalls::remove(GrpcCall* call) {
  const std::scoped_lock lock(mutex_);
  calls_.erase(call);
}

void OpenCalls::end_waiting(bool is_closing) const {
  const auto now = std::chrono::steady_clock::now();
  const std::scoped_lock lock(mutex_);
  for (GrpcCall* call : calls_) call->end_if_waiting(now, is_closing);
}

grpc::ServerGenericBidiReactor* GrpcCall::start(grpc::GenericCallbackServerContext& grpc, CallContext& context) {
  const auto call = std::make_shared<GrpcCall>(grpc, context);
  call->self_ = call;
  context.open.add(call.get());
  const std::scoped_lock lock(call->mutex_);
  try {
    call->admit();
    call->wait_for_request();
  } catch (const AppError& failure) {
    call->finish(http_status(failure), failure.error.message);
  }
  return call.get();
}

/// By the path and the metadata alone, before a request is read.
void GrpcCall::admit() {
  const auto method = method_at(grpc_.method());
  method_ = method.value_or(GrpcMethod{"", MethodKind::kServerLive, Role::kRead, "grpc-other"});
  caller_ = identify(context_.tokens, grpc_.host(), metadata("authorization"), method_.needed);
  if (!method) reject(501, fmt::format("no such method: {}", grpc_.method()));
  if (context_.is_closing) reject(503, "the service is shutting down");
  if (method_.needed != Role::kNone && !caller_.may_somewhere(method_.needed, std::nullopt))
    reject(403, fmt::format("token {} not allowed to call {}", caller_.name, method_.path));
}

std::string_view GrpcCall::metadata(const char* name) const {
  const auto& all = grpc_.client_metadata();
  const auto found = all.find(name);
  return found == all.end() ? std::string_view() : std::string_view(found->second.data(), found->second.size());
}

void GrpcCall::wait_for_request() {
  waits_since_ = Clock::now();
  StartRead(&request_);
}

void GrpcCall::OnReadDone(bool ok) {
  {
    const std::scoped_lock lock(mutex_);
    waits_since_.reset();
    if (is_finished_) return;
    if (!ok) return is_stream() ? finish(200, "") : finish(400, "a request is missing");
    if (is_stream()) start_ = Clock::now();
    flight_.emplace(context_.limits.grpc_in_flight);
    body_.emplace(context_.limits.bodies, caller_.name);
  }
  try {
    dispatch();
  } catch (const AppError& failure) {
    answer(failure);
  } catch (const std::exception& error) {
    log(LogLevel::kError, "a request failed unexpectedly",
        {{"path", std::string(method_.path)}, {"reason", error.what()}});
    answer(http_error(500, std::string("internal error: ") + error.what()));
  }
}

void GrpcCall::dispatch() {
  if (method_.needed == Role::kInfer) return infer();
  grpc::ProtoBufferReader reader(&request_);
  answer(InferResponse{describe_by_route(method_.kind, reader, caller_, context_.routes), std::nullopt});
}

void GrpcCall::infer() {
  id_.clear();
  if (flight_->value() + context_.limits.http_in_flight > context_.settings.max_in_flight)
    reject(429, "too many requests are being answered; try again");
  if (!body_->grow_to(static_cast<std::int64_t>(request_.Length())))
    reject(429, "the requests of this caller hold too much memory; wait for their answers");
  inference::ModelInferRequest message;
  grpc::ProtoBufferReader reader(&request_);
  if (!message.ParseFromZeroCopyStream(&reader)) reject(400, "the message is not a ModelInferRequest");
  request_.Clear();
  if (message.id().size() <= kMaxId) id_ = message.id();
  const std::string& name = message.model_name();
  check_permission(caller_, Role::kInfer, "POST", fmt::format("/v2/models/{}/infer", name),
                   {"v2", "models", name, "infer"});
  check_version(name, message.model_version());
  const ModelPointer model = context_.service.models().find(name);
  if (model->specification().is_clustered)
    reject(501,
           fmt::format("model {} has cluster = true, which gRPC does not support: send the request over REST", name));
  InferCall call{.request = request_from(message, context_.tensors),
                 .idempotency_key = std::string(metadata("idempotency-key")),
                 .body = {},
                 .json_length = std::nullopt,
                 .transport = {write_grpc_response, kTransport}};
  context_.service.inference().infer(
      caller_, model, std::move(call),
      [self = shared_from_this()](const InferOutcome& outcome) { self->answer(outcome); });
}

/// An answer may come after the end of a cancelled call, when the context may have ended too.
void GrpcCall::answer(const InferOutcome& outcome) {
  const std::scoped_lock lock(mutex_);
  if (is_finished_) return;
  const auto* failure = std::get_if<AppError>(&outcome);
  if (failure != nullptr && !is_stream()) return finish(http_status(*failure), failure->error.message);
  record(failure != nullptr ? http_status(*failure) : 200);
  if (failure != nullptr) return send(stream_error(trailer_text(failure->error.message), id_));
  const std::string& body = std::get<InferResponse>(outcome).body;
  send(is_stream() ? stream_response(body) : body);
}

void GrpcCall::send(std::string message) {
  response_ = buffer_of(std::move(message));
  if (is_stream()) return StartWrite(&response_);
  is_finished_ = true;
  StartWriteAndFinish(&response_, grpc::WriteOptions(), grpc::Status::OK);
}

void GrpcCall::finish(int status, std::string_view message) {
  if (is_finished_) return;
  is_finished_ = true;
  if (status != 200) record(status);
  Finish(grpc_status(status, message));
}

void GrpcCall::OnWriteDone(bool ok) {
  const std::scoped_lock lock(mutex_);
  if (is_finished_ || !is_stream()) return;
  flight_.reset();
  body_.reset();
  has_answered_ = true;
  if (!ok) return finish(499, "the client has ended the call");
  if (context_.is_closing) return finish(503, "the service is shutting down");
  wait_for_request();
}

void GrpcCall::OnCancel() {
  const std::scoped_lock lock(mutex_);
  finish(499, "the client has ended the call");
}

void GrpcCall::OnDone() {
  context_.open.remove(this);
  {
    const std::scoped_lock lock(mutex_);
    flight_.reset();
    body_.reset();
  }
  const auto last = std::move(self_);
}

void GrpcCall::end_if_waiting(Clock::time_point now, bool is_closing) {
  const std::scoped_lock lock(mutex_);
  if (!waits_since_) return;
  const auto limit = has_answered_ ? context_.settings.idle_timeout : context_.settings.request_timeout;
  if (is_closing) return finish(503, "the service is shutting down");
  if (now - *waits_since_ > limit) finish(408, fmt::format("no request within {} seconds", limit.count()));
}

void GrpcCall::record(int status) {
  const std::chrono::duration<double> taken = Clock::now() - start_;
  context_.metrics.count_request(method_.family, status, taken.count());
  context_.log.add(status, taken, [&] {
    return LoggedRequest{
        .method = "gRPC", .path = grpc_.method(), .id = std::string(metadata("x-request-id")), .address = grpc_.peer()};
  });
}

}  // namespace stad::server
