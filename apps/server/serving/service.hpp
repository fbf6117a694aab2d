#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>

#include "server/serving/crew.hpp"
#include "server/serving/keeper.hpp"
#include "server/serving/models.hpp"
#include "server/serving/streams.hpp"
#include "server/serving/watchers.hpp"
#include "server/store/store.hpp"
#include "server/telemetry/metrics.hpp"

namespace stad::server {

struct ServiceSettings {
  KeepingSettings keeping;
  std::int64_t kept_snapshots = 16;  ///< of each stream
  int threads = 2;                   ///< of the crew
};

template <typename T>
using Outcome = std::variant<T, Refusal>;
/// Called once, from any thread; must not block.
template <typename T>
using Tell = std::function<void(Outcome<T>)>;

/// How a stream stands.
struct StreamReport {
  StreamName name;
  ModelPointer model;
  std::int64_t batches = 0;
  std::int64_t rows = 0;
  bool is_saved = true;
  Health health;
  std::vector<Index> shown_classes;
  std::vector<Point> history;
};

struct Done {};

/// Models, their streams, and everything that can be done with them. Safe to use from any thread.
class Service {
 public:
  Service(ServiceSettings settings, std::unique_ptr<Store> store, Metrics& metrics);
  /// Saves what is not on disk.
  ~Service();

  const Models& models() const { return models_; }
  const Store& store() const { return *store_; }
  Watchers& watchers() { return watchers_; }
  std::size_t resident_streams() const { return streams_.table().size(); }
  std::size_t resident_streams(const std::string& model) const { return streams_.table().size(model); }
  const KeepingSettings& keeping() const { return settings_.keeping; }
  double unsaved_age() const { return keeper_.unsaved_age(); }

  /// On a thread that may wait for the disk, beside what is done for streams. Must not throw.
  void do_elsewhere(std::function<void()> work) { desk_.run(std::move(work)); }

  /// Short work on a stream that is in memory is done before this returns. Throws Refusal where the model cannot give
  /// what is asked.
  void infer(const ModelPointer& model, InferErrand errand);
  void observe(const StreamName& name, std::vector<std::int64_t> ids, std::vector<std::int64_t> labels,
               Tell<Observed> tell);

  // What people do to a stream. Each is refused where neither memory nor disk knows it, but restore().
  void inspect(const StreamName& name, Tell<StreamReport> tell);
  void state(const StreamName& name, Tell<std::string> tell);
  void snapshot(const StreamName& name, std::string why, Tell<std::int64_t> tell);
  /// The present is kept as a snapshot first, here and in reset() and restore().
  void roll_back(const StreamName& name, std::int64_t snapshot, Tell<Done> tell);
  void reset(const StreamName& name, Tell<Done> tell);
  void restore(const StreamName& name, std::string state, Tell<Done> tell);
  void remove(const StreamName& name, Tell<Done> tell);

  /// For this run. Throws Refusal where the name is taken.
  void serve(const ModelPointer& model);
  void set_mode(const std::string& model, Mode mode);
  /// Adds a model that outlives this run; waits until it is on disk. Throws Refusal.
  /// @param source the bytes of its head
  void add_model(const ModelPointer& model, const std::string& source);
  /// Those added in earlier runs. Throws Refusal.
  void open_kept_models();
  /// With all of its streams. Throws Refusal; what could not be taken off the disk is refused to clients all the same
  /// and may be removed again.
  void remove_model(const std::string& model);

 private:
  void answer(const StreamPointer& stream, std::vector<InferErrand> errands);
  void answer_alone(const StreamPointer& stream, InferErrand& errand);
  void answer_together(const StreamPointer& stream, std::vector<InferErrand>& errands);
  void learned(const StreamPointer& stream);
  void watch_the_watched();
  /// Tells the log, the list of events and whoever watches; `then` is called when it can be read.
  void note(const StreamName& name, std::string kind, std::string detail, bool of_whole_model,
            std::function<void()> then);
  void retire(Model& model);
  void forget(const std::string& model);
  void note_of_model(const std::string& model, std::string kind, std::string detail);  ///< waits until it can be read

  /// Runs with the turn of the stream; what it throws is told.
  template <typename T, typename Work>
  void submit_to(const StreamName& name, Tell<T> tell, Work work);
  /// The same, where the stream is known.
  template <typename T, typename Work>
  void with_stream(const StreamName& name, Tell<T> tell, Work work);
  /// Throws Refusal where its model is served no longer.
  void keep_snapshot(const Stream& stream, StreamRecord record, const std::string& why,
                     std::function<void(Result<std::int64_t>)> done);
  void keep_present(Stream& stream, const std::string& why);
  void replace(Stream& stream, Learner learner, const std::string& kind, std::string detail, Tell<Done> tell);

  const ServiceSettings settings_;
  std::unique_ptr<Store> store_;
  Metrics& metrics_;
  Models models_;
  std::mutex changing_models_;  ///< held until the change is on disk: one after another
  Watchers watchers_;
  Crew crew_;
  Crew desk_;  ///< for work that waits: a backup takes minutes, a list meanwhile shall not
  Streams streams_;
  Keeper keeper_;
};

}  // namespace stad::server
