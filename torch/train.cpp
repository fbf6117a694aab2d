#include "torch/train.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include <ATen/CPUGeneratorImpl.h>
#include <fmt/format.h>

#include <stad/backbone.hpp>

#include "base/flush_subnormals.hpp"
#include "base/random.hpp"
#include "base/try.hpp"
#include "torch/network.hpp"
#include "torch/optimisation.hpp"
#include "torch/small_cnn.hpp"
#include "torch/tensors.hpp"

namespace stad::backbone {
namespace {

/// Rows of the training images, and of the validation images that select the best epoch.
struct TrainingRows {
  std::vector<Index> training;
  std::vector<Index> validation;
};

constexpr Index kMaxClasses = 100'000;

Status check_images(const ImageStream& images) {
  const std::string& name = images.pixels.name;
  if (!images.pixels.has_labels()) return invalid(fmt::format("{}: has no labels, which training requires", name));
  if (images.shape.height < kMinSide || images.shape.width < kMinSide)
    return invalid(fmt::format("{}: images are {} x {}, must be at least {} x {}", name, images.shape.height,
                               images.shape.width, kMinSide, kMinSide));
  const auto [least, most] = std::ranges::minmax_element(images.pixels.labels);
  if (*least < 0 || *most < 1 || *most >= kMaxClasses)
    return invalid(fmt::format("{}: labels go from {} to {}, must begin at 0 or above and end between 1 and {}", name,
                               *least, *most, kMaxClasses - 1));
  return {};
}

Status check_settings(const TrainingSettings& settings) {
  if (settings.epochs < 1) return invalid(fmt::format("epochs is {}, must be at least 1", settings.epochs));
  if (settings.batch_size < 2) return invalid(fmt::format("batch size is {}, must be at least 2", settings.batch_size));
  if (!(settings.learning_rate > 0))
    return invalid(fmt::format("learning rate is {}, must be positive", settings.learning_rate));
  if (!(settings.validation > 0 && settings.validation < 1))
    return invalid(fmt::format("validation is {}, must be between 0 and 1", settings.validation));
  return {};
}

Result<TrainingRows> split_rows(const ImageStream& images, const TrainingSettings& settings) {
  STAD_TRY(check_settings(settings));
  STAD_TRY(check_images(images));
  std::vector<Index> rows(static_cast<std::size_t>(images.pixels.features.rows));
  std::iota(rows.begin(), rows.end(), Index{0});
  Random(settings.seed).shuffle(rows);
  const auto validation_count = static_cast<std::ptrdiff_t>(settings.validation * static_cast<double>(rows.size()));
  if (validation_count < 1 || validation_count + 2 > std::ssize(rows))
    return invalid(fmt::format("{}: has {} images, too few for a validation share of {}", images.pixels.name,
                               rows.size(), settings.validation));
  return TrainingRows{{rows.begin() + validation_count, rows.end()}, {rows.begin(), rows.begin() + validation_count}};
}

Index count_classes(const ImageStream& images) { return *std::ranges::max_element(images.pixels.labels) + 1; }

constexpr std::size_t kValidationBatch = 128;
constexpr double kKeepLoss = 0.98;  ///< momentum of the moving mean of the loss that is reported

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
    ShuffledBatches epoch(images_.pixels, images_.shape, rows_.training, batch_size_, generator_);
    double sum = 0;
    while (const auto batch = epoch.next()) {
      STAD_ASSIGN(const double loss, step(*batch));
      sum += loss * static_cast<double>(batch->labels.size(0));
      STAD_TRY(report_step(loss));
    }
    EpochReport report{number, sum / static_cast<double>(rows_.training.size()), accuracy()};
    progress_.finished = report;
    STAD_TRY(check_continue());
    progress_.finished.reset();
    return report;
  }

 private:
  Result<double> step(const ShuffledBatches::LabelledBatch& batch) {
    const at::Tensor logits = network_.run(batch.images, student_.weights(), training_statistics()).logits;
    const at::Tensor loss = at::cross_entropy_loss(logits, batch.labels);
    STAD_ASSIGN(const Tensors gradients, student_.gradients(loss));
    adam_.step(student_.trained(), gradients);
    return loss.item<double>();
  }

  /// Accuracy on the validation images under the running statistics.
  double accuracy() const {
    const at::NoGradGuard no_grad;
    Index correct = 0;
    const std::span<const Index> all = rows_.validation;
    for (std::size_t first = 0; first < all.size(); first += kValidationBatch) {
      const auto rows = all.subspan(first, std::min(kValidationBatch, all.size() - first));
      const at::Tensor images = gather_images(images_.pixels, images_.shape, rows);
      const at::Tensor labels = network_.run(images, student_.weights(), source_statistics()).logits.argmax(1);
      for (std::size_t i = 0; i < rows.size(); ++i)
        correct += labels.data_ptr<std::int64_t>()[i] == images_.pixels.labels[static_cast<std::size_t>(rows[i])];
    }
    return static_cast<double>(correct) / static_cast<double>(all.size());
  }

  Status report_step(double loss) {
    progress_.loss = progress_.steps_done == 0 ? loss : kKeepLoss * progress_.loss + (1 - kKeepLoss) * loss;
    ++progress_.steps_done;
    return check_continue();
  }

  Status check_continue() const {
    if (!keep_training_ || keep_training_(progress_)) return {};
    return failed(fmt::format("interrupted after {} of {} steps", progress_.steps_done, progress_.steps));
  }

  const ImageStream& images_;
  const TrainingRows& rows_;
  Index batch_size_;
  const KeepTraining& keep_training_;
  const Network& network_;
  at::Generator generator_;
  TrainableWeights student_;
  Adam adam_;
  TrainingProgress progress_;
};

/// Returns the weights of the epoch with the best validation accuracy.
Result<TrainedNetwork> train_best(const ImageStream& images, const TrainingRows& rows, const TrainingSettings& settings,
                                  const KeepTraining& keep_training) {
  const auto generator = at::make_generator<at::CPUGeneratorImpl>(settings.seed);
  const std::string untrained = make_small_cnn(images.shape, count_classes(images), generator);
  STAD_ASSIGN(auto graph, read_graph(std::as_bytes(std::span(untrained)), ""));
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
    result.file = with_weights(untrained, network.names(), trainer.weights());
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
  } catch (const std::exception& error) {
    return failed("training: " + error_message(error));
  }
}

}  // namespace stad::backbone
