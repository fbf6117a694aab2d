#include "torch/oracle_adapter.hpp"

#include "base/try.hpp"
#include "data/feature_rules.hpp"
#include "torch/tensors.hpp"

namespace stad::backbone {

OracleAdapter::OracleAdapter(SourceNetwork source_network, const OracleOptions& options, FeatureStream labelled)
    : NetworkMethod(std::move(source_network), options),
      labelled_(std::move(labelled)),
      student_(network().weights(), network().parameters()),
      adam_(student_.trained(), options.learning_rate),
      tuned_(at::zeros({}, at::kLong)),
      time_(at::zeros({}, at::kDouble)) {
  for (Index row = 0; row < labelled_.features.rows; ++row)
    steps_[labelled_.has_time() ? labelled_.time[static_cast<std::size_t>(row)] : 0].push_back(row);
}

Result<at::Tensor> OracleAdapter::learn(const at::Tensor& images, std::optional<double> time) {
  const double now = time.value_or(0);
  const bool is_new = tuned_.item<Index>() == 0 || now != time_.item<double>();
  if (const auto step = steps_.find(now); is_new && step != steps_.end()) {
    STAD_TRY(tune(step->second));
    tuned_ += 1;
    time_.fill_(now);
  }
  return infer(images);
}

Status OracleAdapter::tune(const std::vector<Index>& rows) {
  ShuffledBatches epoch(labelled_, shape(), rows, options_.batch_size, generator(options_.seed));
  while (const auto batch = epoch.next()) {
    const at::Tensor logits = network().run(batch->images, student_.weights(), training_statistics()).logits;
    STAD_ASSIGN(const Tensors gradients, student_.gradients(at::cross_entropy_loss(logits, batch->labels)));
    adam_.step(student_.trained(), gradients);
  }
  return {};
}

at::Tensor OracleAdapter::infer(const at::Tensor& images) const {
  return logits_of(images, student_.weights(), source_statistics());
}

StateTensors OracleAdapter::state_tensors() const {
  StateTensors tensors{{"tuned", tuned_}, {"time", time_, kLatestTime}};
  append_tensors(tensors, "weights", network().names(), student_.weights());
  adam_.append_state(tensors, student_.select_trained(network().names()));
  return tensors;
}

}  // namespace stad::backbone
