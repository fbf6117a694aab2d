#include "serving/inference_statistics.hpp"

#include <cstddef>

namespace stad::serving {
namespace {

constexpr std::size_t kListedSizes = 128;  // of batches, so that clients cannot make the list long

std::int64_t milliseconds_since_epoch() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

void add(InferenceFigures::Compute& compute, const StepDurations& durations) {
  compute.input.add(durations.input);
  compute.infer.add(durations.infer);
  compute.output.add(durations.output);
}

}  // namespace

void InferenceStatistics::count_request(bool has_succeeded, Duration whole) {
  const std::int64_t now = milliseconds_since_epoch();
  const std::scoped_lock lock(mutex_);
  figures_.last_inference = now;
  (has_succeeded ? figures_.success : figures_.fail).add(whole);
}

void InferenceStatistics::count_answer(std::int64_t rows, const StepDurations& durations) {
  const std::scoped_lock lock(mutex_);
  figures_.inferences += rows;
  figures_.queue.add(durations.queue);
  add(figures_.compute, durations);
}

void InferenceStatistics::count_step(std::int64_t rows, const StepDurations& durations) {
  const std::scoped_lock lock(mutex_);
  ++figures_.executions;
  const auto found = figures_.batches.find(rows);
  if (found != figures_.batches.end()) return add(found->second, durations);
  if (figures_.batches.size() < kListedSizes) add(figures_.batches[rows], durations);
}

void InferenceStatistics::count_lookup(bool has_found, Duration duration) {
  const std::scoped_lock lock(mutex_);
  (has_found ? figures_.cache_hit : figures_.cache_miss).add(duration);
}

InferenceFigures InferenceStatistics::figures() const {
  const std::scoped_lock lock(mutex_);
  return figures_;
}

}  // namespace stad::serving
