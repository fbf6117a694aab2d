#pragma once

#include <functional>
#include <vector>

#include "server/serving/crew.hpp"
#include "server/serving/stream_table.hpp"

namespace stad::server {

/// Has errands done, each stream's in their order, those of different streams side by side.
class Streams {
 public:
  /// Answers requests with the turn of their stream. Must not throw.
  using AnswerRequests = std::function<void(const StreamPointer&, std::vector<InferErrand>)>;

  Streams(Crew& crew, AnswerRequests answer_requests) : crew_(crew), answer_requests_(std::move(answer_requests)) {}

  enum class Place {
    kHere,      ///< by the caller if the stream is free and in memory, as is quickest for short work
    kElsewhere  ///< by the crew
  };
  void submit(const StreamName& name, const ModelPointer& model, Errand errand, Place place);
  /// False: the stream is not in memory.
  bool submit_if_present(const StreamName& name, OtherErrand errand);

  /// Errands that came when nobody worked any more may hold their own stream, which would then never go.
  void forget_errands();

  const StreamTable& table() const { return table_; }

 private:
  void work(const StreamPointer& stream, int errands);
  void work_elsewhere(const StreamPointer& stream);
  void work_later(const StreamPointer& stream, ErrandQueue::Clock::time_point due, std::uint64_t ticket);

  Crew& crew_;
  AnswerRequests answer_requests_;
  StreamTable table_;
};

}  // namespace stad::server
