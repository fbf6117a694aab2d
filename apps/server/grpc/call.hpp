// One gRPC call. Includes gRPC: to be included by server.cpp and call.cpp only.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include <grpcpp/generic/async_generic_service.h>

#include "server/grpc/methods.hpp"
#include "server/http/request_limits.hpp"
#include "server/http/request_log.hpp"
#include "server/http/routes.hpp"
#include "server/service/service.hpp"
#include "serving/settings/settings.hpp"

namespace stad::server {

class GrpcCall;

/// The calls that have not ended. Thread-safe.
class OpenCalls {
 public:
  void add(GrpcCall* call);
  void remove(GrpcCall* call);
  /// Ends the calls that have waited for a request too long; where the server closes, all that wait.
  void end_waiting(bool is_closing) const;
  bool empty() const {
    const std::scoped_lock lock(mutex_);
    return calls_.empty();
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_set<GrpcCall*> calls_;
};

/// State that all calls share.
struct CallContext {
  const HttpSettings settings;
  const TensorLimits tensors;
  const Tokens tokens;
  Metrics& metrics;
  RequestLimits& limits;
  Service& service;
  Routes& routes;
  OpenCalls open{};
  RequestLog log{};
  std::atomic<bool> is_closing{false};
};

/// Reads the requests of a call and answers them in order. The token is checked before a request is read. Deletes
/// itself when gRPC has finished the call and no answer is pending.
class GrpcCall : public grpc::ServerGenericBidiReactor, public std::enable_shared_from_this<GrpcCall> {
 public:
  static grpc::ServerGenericBidiReactor* start(grpc::GenericCallbackServerContext& grpc, CallContext& context);

  GrpcCall(grpc::GenericCallbackServerContext& grpc, CallContext& context) : grpc_(grpc), context_(context) {}

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

  void end_if_waiting(std::chrono::steady_clock::time_point now, bool is_closing);

 private:
  using Clock = std::chrono::steady_clock;

  std::string_view metadata(const char* name) const;
  bool is_stream() const { return method_.kind == MethodKind::kStreamInfer; }
  void admit();
  void wait_for_request();
  /// Answers the request that was read. Throws AppError.
  void dispatch();
  void infer();
  void answer(const InferOutcome& outcome);
  /// Sends a response, the last where the call is not a stream. Requires the lock.
  void send(std::string message);
  /// Requires the lock.
  void finish(int status, std::string_view message);
  void record(int status);

  grpc::GenericCallbackServerContext& grpc_;
  CallContext& context_;
  GrpcMethod method_{};
  Caller caller_;
  std::shared_ptr<GrpcCall> self_;  ///< until gRPC has finished the call
  std::string id_;                  ///< of the request being answered
  grpc::ByteBuffer request_, response_;
  Clock::time_point start_ = Clock::now();

  std::mutex mutex_;  ///< protects the members below, and the order of operations: none follows the end
  bool is_finished_ = false;
  std::optional<Clock::time_point> waits_since_;  ///< for a request
  std::optional<ScopedCount> flight_;             ///< while a request is being answered
  std::optional<BodyBudget::Share> body_;
  bool has_answered_ = false;  ///< whether a request of a stream was answered
};

}  // namespace stad::server
