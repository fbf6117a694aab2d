#include "server/serving/errand_queue.hpp"

#include <iterator>
#include <utility>

namespace stad::server {
namespace {

/// A batch has one time stamp and is learned from as a whole or not at all. What begins or ends a stream, and what
/// must be looked up among kept answers first, goes by itself.
bool may_be_gathered(const InferErrand& errand) {
  return errand.key.empty() && !errand.request.starts && !errand.request.ends;
}
bool are_alike(const InferRequest& a, const InferRequest& b) {
  return a.adapt == b.adapt && a.time == b.time && a.features.cols() == b.features.cols() &&
         a.row_ids.empty() == b.row_ids.empty();
}

}  // namespace

bool ErrandQueue::push(Errand errand) {
  const std::scoped_lock lock(mutex_);
  waiting_.push_back(std::move(errand));
  const bool is_full =
      turn_ == Turn::kLaidDown && (gathered() < waiting_.size() || waiting_rows() >= gathering_.max_batch);
  if (turn_ == Turn::kFree || is_full) {
    turn_ = Turn::kTaken;
    return true;
  }
  return false;
}

ErrandQueue::Next ErrandQueue::next() {
  const std::scoped_lock lock(mutex_);
  Next next;
  if (waiting_.empty()) {
    turn_ = Turn::kFree;
    return next;
  }
  if (auto* other = std::get_if<OtherErrand>(&waiting_.front())) {
    next.other = std::move(*other);
    waiting_.pop_front();
    return next;
  }
  const std::size_t count = gathered();
  const auto& first = std::get<InferErrand>(waiting_.front());
  const bool may_grow = count == waiting_.size() && may_be_gathered(first) && waiting_rows() < gathering_.max_batch;
  if (may_grow && Clock::now() < first.arrived + gathering_.max_delay) {
    turn_ = Turn::kLaidDown;
    next.wait_until = first.arrived + gathering_.max_delay;
    next.ticket = ++ticket_;
    return next;
  }
  for (std::size_t i = 0; i < count; ++i) {
    next.requests.push_back(std::move(std::get<InferErrand>(waiting_.front())));
    waiting_.pop_front();
  }
  return next;
}

bool ErrandQueue::take_up(std::uint64_t ticket) {
  const std::scoped_lock lock(mutex_);
  if (turn_ != Turn::kLaidDown || ticket != ticket_) return false;
  turn_ = Turn::kTaken;
  return true;
}

void ErrandQueue::clear() {
  std::list<Errand> waiting;  // goes when the lock is gone: an errand may hold the last of the stream
  const std::scoped_lock lock(mutex_);
  waiting.swap(waiting_);
}

bool ErrandQueue::is_empty() const {
  const std::scoped_lock lock(mutex_);
  return waiting_.empty();
}

bool ErrandQueue::is_idle() const {
  const std::scoped_lock lock(mutex_);
  return waiting_.empty() && turn_ == Turn::kFree;
}

std::size_t ErrandQueue::gathered() const {
  const auto* first = std::get_if<InferErrand>(&waiting_.front());
  if (!first || gathering_.max_batch == 0 || !may_be_gathered(*first)) return 1;
  Index rows = first->request.features.rows();
  std::size_t count = 1;
  for (auto place = std::next(waiting_.begin()); place != waiting_.end(); ++place, ++count) {
    const auto* errand = std::get_if<InferErrand>(&*place);
    if (!errand || !may_be_gathered(*errand) || !are_alike(errand->request, first->request)) break;
    rows += errand->request.features.rows();
    if (rows > gathering_.max_batch) break;
  }
  return count;
}

Index ErrandQueue::waiting_rows() const {
  Index rows = 0;
  for (const auto& errand : waiting_)
    if (const auto* infer = std::get_if<InferErrand>(&errand)) rows += infer->request.features.rows();
  return rows;
}

}  // namespace stad::server
