#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/error.hpp"
#include "server/service/checkpointer.hpp"
#include "server/service/metrics.hpp"
#include "server/service/streams.hpp"
#include "server/service/subscribers.hpp"
#include "server/service/task_pool.hpp"
#include "serving/model.hpp"
#include "serving/settings/settings.hpp"
#include "serving/store/store.hpp"

namespace stad::server {

template <typename T>
using Outcome = std::variant<T, AppError>;
/// Called once, from any thread; must not block.
template <typename T>
using Callback = std::function<void(Outcome<T>)>;

/// Status and history of a stream.
struct StreamReport {
  StreamName name;
  ModelPointer model;
  std::int64_t batches = 0;
  std::int64_t rows = 0;
  bool is_saved = true;
  Health health;
  std::vector<Index> shown_classes;
  std::vector<HistoryPoint> history;
};

struct Done {};

/// The models, their streams and all operations on them. Thread-safe.
class Service {
 public:
  Service(ServiceSettings settings, std::unique_ptr<Store> store, Metrics& metrics);
  /// Saves all unsaved changes.
  ~Service();

  const Models& models() const { return models_; }
  const Store& store() const { return *store_; }
  Subscribers& subscribers() { return subscribers_; }
  std::size_t resident_streams() const { return streams_.table().size(); }
  std::size_t resident_streams(const std::string& model) const { return streams_.table().size(model); }
  const CheckpointSettings& checkpoints() const { return settings_.checkpoints; }
  double unsaved_age() const { return checkpointer_.unsaved_age(); }
  /// Streams whose stored state cannot be read.
  std::size_t damaged_streams(const std::string& model) const { return checkpointer_.quarantine().size(model); }
  /// Why requests should not be sent to this service; empty: it is ready. Without paths and names of streams, since
  /// readiness requires no token.
  std::vector<std::string> obstacles() const;
  /// Of the model's streams in memory that have at least 500 rows, each at its last point; none where no stream has a
  /// warning level.
  std::optional<Warning> worst_warning(const std::string& model) const;

  /// Executes a function that may wait for the disk, on threads separate from those of the streams. It must not throw.
  void run_in_background(std::function<void()> function) { background_.run(std::move(function)); }

  /// Executes short requests to streams in memory before it returns. Throws AppError where the model cannot process
  /// the request.
  void infer(const ModelPointer& model, InferTask task);
  void observe(const StreamName& name, std::vector<std::int64_t> ids, std::vector<std::int64_t> labels,
               const Callback<Observed>& done);

  // Operations on a stream. All but restore() fail with 404 where the stream is neither in memory nor on disk.
  void inspect(const StreamName& name, const Callback<StreamReport>& done);
  void state(const StreamName& name, const Callback<std::string>& done);
  // The caller is recorded in the event of the operation.
  void snapshot(const StreamName& name, std::string note, const Callback<std::int64_t>& done,
                const std::string& caller = "");
  /// Takes a snapshot of the current state first, like reset() and restore().
  void roll_back(const StreamName& name, std::int64_t snapshot, const Callback<Done>& done,
                 const std::string& caller = "");
  void reset(const StreamName& name, const Callback<Done>& done, const std::string& caller = "");
  void restore(const StreamName& name, std::string state, const Callback<Done>& done, const std::string& caller = "");
  void remove(const StreamName& name, const Callback<Done>& done, const std::string& caller = "");

  /// Serves a model until the program ends. Throws AppError where the name is taken.
  void serve(const ModelPointer& model);
  void set_mode(const std::string& model, Mode mode, const std::string& caller = "");
  /// Adds a model permanently; waits until it is on disk. Throws AppError.
  /// @param source the bytes of its classifier
  void add_model(const ModelPointer& model, const std::string& source, const std::string& caller = "");
  /// Serves the models that earlier runs added; logs those that cannot be served. Throws AppError.
  void restore_models();
  /// Removes a model with all of its streams. Throws AppError where the disk fails; the model is not served then and
  /// may be removed again.
  void remove_model(const std::string& model, const std::string& caller = "");

 private:
  void answer(const StreamPointer& stream, std::vector<InferTask> tasks);
  void answer_single(const StreamPointer& stream, InferTask& task);
  void answer_batch(const StreamPointer& stream, std::vector<InferTask>& tasks);
  void answer_each(const StreamPointer& stream, std::vector<InferTask>& tasks);
  /// Counts a step whose effect is certain. Callable from any thread.
  void count_step(Stream& stream, const StepSums& step);
  void end_stream(Stream& stream, const std::string& caller, Store::Done done);
  void publish_point(Stream& stream, StreamSession::PointSpan span = StreamSession::PointSpan::kSpaced);
  void publish_due_points();
  void probe_store();
  /// Writes an event to the audit log and the store, then sends it to subscribers and calls `then`.
  void record_event(Event event, bool of_whole_model, std::function<void()> then);
  /// Waits for the disk.
  void record_model_event(const std::string& model, std::string kind, std::string detail, const std::string& caller);
  /// Throws AppError (403) where the request would reset or delete a stream and its caller may not.
  static void check_may_end(const StreamSession& session, const InferTask& task);
  void retire(ServedModel& model);
  void unregister(const std::string& model);

  /// Executes a function with exclusive access to the stream; exceptions are passed to `done`.
  template <typename T, typename Function>
  void submit_task(const StreamName& name, const Callback<T>& done, Function function);
  /// As submit_task(), with an error where the stream does not exist.
  template <typename T, typename Function>
  void with_known_stream(const StreamName& name, const Callback<T>& done, Function function);
  /// Throws AppError where the model was removed.
  void write_snapshot(const Stream& stream, StreamRecord record, const std::string& note,
                      std::function<void(Result<std::int64_t>)> done);
  void snapshot_current(Stream& stream, const std::string& note);
  void replace(Stream& stream, StreamSession session, Event event, const Callback<Done>& done);

  const ServiceSettings settings_;
  std::unique_ptr<Store> store_;
  Metrics& metrics_;
  Models models_;
  std::mutex changing_models_;  ///< held until a change of models is on disk, so that changes are sequential
  Subscribers subscribers_;
  TaskPool pool_;
  TaskPool background_;  ///< two threads, so that a backup, which takes minutes, does not block listings
  Streams streams_;
  Checkpointer checkpointer_;
};

}  // namespace stad::server
