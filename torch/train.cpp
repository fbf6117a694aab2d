#include "torch/train.hpp"

#include <algorithm>

#include <ATen/CPUGeneratorImpl.h>
#include <fmt/format.h>

#include "base/flush_subnormals.hpp"
#include "base/try.hpp"
#include "torch/epoch.hpp"
#include "torch/network.hpp"
#include "torch/optimiser.hpp"
#include "torch/reason.hpp"
#include "torch/small_cnn.hpp"
#include "torch/student.hpp"
#include "torch/training_rows.hpp"

namespace stad::backbone {
namespace {

constexpr std::size_t kScoredAtOnce = 128;
constexpr double kKeepLoss = 0.98;  ///< of the moving mean that is shown

class Trainer {
 public:
  Trainer(const ImageStream& images, const TrainingRows& rows, const TrainingSettings& settings,
          const KeepTraining& keep_training, const Network& network, at::Generator generator)
      : images_(images),
        rows_(rows),
        batch_size_(settings.batch_size),
        keep_training_(keep_training),
        network_(network),
        generator_(std::move(generator)),
        student_(network.weights(), network.parameters()),
        adam_(student_.trained(), settings.learning_rate) {
    progress_.steps = settings.epochs * ((std::ssize(rows.training) + batch_size_ - 1) / batch_size_);
  }

  const Tensors& weights() const { return student_.weights(); }

  Result<EpochReport> run_epoch(Index number) {
    Epoch epoch(images_.pixels, images_.shape, rows_.training, batch_size_, generator_);
    double sum = 0;
    while (const auto batch = epoch.next()) {
      STAD_ASSIGN(const double loss, step(*batch));
      sum += loss * static_cast<double>(batch->labels.size(0));
      STAD_TRY(tell(loss));
    }
    EpochReport report{number, sum / static_cast<double>(rows_.training.size()), accuracy()};
    progress_.finished = report;
    STAD_TRY(ask());
    progress_.finished.reset();
    return report;
  }

 private:
  Result<double> step(const Epoch::LabelledBatch& batch) {
    const at::Tensor logits = network_.run(batch.images, student_.weights(), training_statistics()).logits;
    const at::Tensor loss = at::cross_entropy_loss(logits, batch.labels);
    STAD_ASSIGN(const Tensors gradients, student_.gradients(loss));
    adam_.step(student_.trained(), gradients);
    return loss.item<double>();
  }

  /// On the images kept apart, with the statistics that training gathered.
  double accuracy() const {
    const at::NoGradGuard no_grad;
    Index right = 0;
    const std::span<const Index> all = rows_.validation;
    for (std::size_t first = 0; first < all.size(); first += kScoredAtOnce) {
      const auto rows = all.subspan(first, std::min(kScoredAtOnce, all.size() - first));
      const at::Tensor images = gather_images(images_.pixels, images_.shape, rows);
      const at::Tensor labels = network_.run(images, student_.weights(), source_statistics()).logits.argmax(1);
      for (std::size_t i = 0; i < rows.size(); ++i)
        right += labels.data_ptr<std::int64_t>()[i] == images_.pixels.labels[static_cast<std::size_t>(rows[i])];
    }
    return static_cast<double>(right) / static_cast<double>(all.size());
  }

  Status tell(double loss) {
    progress_.loss = progress_.steps_done == 0 ? loss : kKeepLoss * progress_.loss + (1 - kKeepLoss) * loss;
    ++progress_.steps_done;
    return ask();
  }

  Status ask() const {
    if (!keep_training_ || keep_training_(progress_)) return {};
    return failed(fmt::format("interrupted after {} of {} steps", progress_.steps_done, progress_.steps));
  }

  const ImageStream& images_;
  const TrainingRows& rows_;
  Index batch_size_;
  const KeepTraining& keep_training_;
  const Network& network_;
  at::Generator generator_;
  Student student_;
  Adam adam_;
  TrainingProgress progress_;
};

/// The weights of the epoch that does best on what was kept apart.
Result<TrainedNetwork> train_best(const ImageStream& images, const TrainingRows& rows, const TrainingSettings& settings,
                                  const KeepTraining& keep_training) {
  const auto generator = at::make_generator<at::CPUGeneratorImpl>(settings.seed);
  const std::string blank = make_small_cnn(images.shape, count_classes(images), generator);
  STAD_ASSIGN(auto graph, read_graph(std::as_bytes(std::span(blank)), ""));
  const Network network(std::move(graph));
  Trainer trainer(images, rows, settings, keep_training, network, generator);
  TrainedNetwork result;
  double best = -1;
  for (Index number = 1; number <= settings.epochs; ++number) {
    STAD_ASSIGN(const EpochReport report, trainer.run_epoch(number));
    result.epochs.push_back(report);
    if (report.validation_accuracy <= best) continue;
    best = report.validation_accuracy;
    result.best_epoch = number;
    result.file = with_weights(blank, network.names(), trainer.weights());
  }
  return result;
}

}  // namespace

Result<TrainedNetwork> train(const ImageStream& images, const TrainingSettings& settings,
                             const KeepTraining& keep_training) {
  STAD_ASSIGN(const TrainingRows rows, split_rows(images, settings));
  const FlushSubnormals flush;
  try {
    STAD_ASSIGN(auto trained, train_best(images, rows, settings, keep_training));
    trained.trained_on.assign(static_cast<std::size_t>(images.pixels.features.rows), false);
    for (const Index row : rows.training) trained.trained_on[static_cast<std::size_t>(row)] = true;
    return trained;
  } catch (const std::exception& trouble) {
    return failed("training: " + reason(trouble));
  }
}

}  // namespace stad::backbone
