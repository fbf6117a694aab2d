#include "server/demo_traffic.hpp"

#include <algorithm>
#include <utility>

namespace stad::server {
namespace {

constexpr Index kBatchRows = 32;
constexpr auto kPause = std::chrono::milliseconds(250);

InferRequest request_for(MatrixView rows) {
  InferRequest request;
  request.features.resize(rows.rows, rows.cols);
  for (Index n = 0; n < rows.rows; ++n) std::ranges::copy(rows.row(n), request.features.row(n).begin());
  return request;
}

}  // namespace

DemoTraffic::DemoTraffic(Service& service, ModelPointer model, FeatureStream stream)
    : thread_(
          [this, &service, model = std::move(model), stream = std::move(stream)] { play(service, model, stream); }) {}

DemoTraffic::~DemoTraffic() {
  is_ending_ = true;
  thread_.join();
}

void DemoTraffic::play(Service& service, const ModelPointer& model, const FeatureStream& stream) {
  for (Index first = 0; !is_ending_; first = (first + kBatchRows) % (stream.features.rows - kBatchRows)) {
    InferTask task;
    task.request = request_for(stream.features.rows_from(first, kBatchRows));
    task.done = [](const InferOutcome&) {};
    try {
      service.inference().infer(model, std::move(task));
    } catch (const AppError&) {  // the model was removed
      return;
    }
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace stad::server
