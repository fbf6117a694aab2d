#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/access/tokens.hpp"
#include "server/service/checkpointer.hpp"
#include "server/service/scheduler.hpp"
#include "server/service/stream_monitor.hpp"
#include "serving/forwarder.hpp"
#include "serving/model.hpp"

namespace stad::server {

/// How a transport encodes responses. A stored response is returned only to the transport that stored it: `id`
/// becomes part of the digest of the request.
struct Transport {
  ResponseWriter write = write_infer_response;
  std::uint64_t id = 0;
};

/// A request of a client, independent of the transport.
struct InferCall {
  TaskPool::Clock::time_point received = TaskPool::Clock::now();  ///< first, so that it is set before parsing
  InferRequest request;
  std::string idempotency_key;             ///< empty: the id of the request identifies repetitions
  std::string body;                        ///< as REST sends it, for the workers of a cluster
  std::optional<std::size_t> json_length;  ///< of the body, where tensors follow
  Transport transport = {};
};

/// Labels of earlier rows.
struct LabelCall {
  StreamName stream;
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> labels;
  std::string body;  ///< as REST sends it
};

/// Answers requests for predictions and applies labels: by the streams of this process or, for models of a cluster, by
/// its workers. Thread-safe.
class Inference {
 public:
  /// @param streams_per_token limit of the streams that each caller may use; 0: unlimited
  /// @param forwarder for models of a cluster; null: there are none
  Inference(const Models& models, Scheduler& scheduler, Checkpointer& checkpointer, StreamMonitor& monitor,
            std::size_t streams_per_token, Forwarder* forwarder)
      : models_(models),
        scheduler_(scheduler),
        checkpointer_(checkpointer),
        monitor_(monitor),
        quota_(streams_per_token),
        forwarder_(forwarder) {}

  /// Throws AppError where the caller may not send the request or the model cannot process it.
  void infer(const Caller& caller, const ModelPointer& model, InferCall call, Callback<InferResponse> done);
  /// Without a check of the caller. Executes short requests to streams in memory before it returns.
  void infer(const ModelPointer& model, InferTask task);
  /// Answers with the JSON {"used", "forgotten"}. Throws AppError.
  void observe(const Caller& caller, LabelCall call, Callback<InferResponse> done);

  /// Answers requests that form a batch. Requires exclusive access to their stream; does not throw.
  void answer(const StreamPointer& stream, std::vector<InferTask> tasks);

 private:
  void forward(const Caller& caller, const ServedModel& model, InferCall call, const InferTask& task);
  static void count_outcome(const ModelPointer& model, InferTask& task);
  void answer_single(const StreamPointer& stream, InferTask& task);
  void answer_batch(const StreamPointer& stream, std::vector<InferTask>& tasks);
  void answer_each(const StreamPointer& stream, std::vector<InferTask>& tasks);
  void end_stream(Stream& stream, const std::string& caller, Store::Done done);

  const Models& models_;
  Scheduler& scheduler_;
  Checkpointer& checkpointer_;
  StreamMonitor& monitor_;
  StreamQuota quota_;
  Forwarder* const forwarder_;
};

}  // namespace stad::server
