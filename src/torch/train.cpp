#include "torch/train.hpp"

#include <algorithm>
#include <numeric>

#include <ATen/CPUGeneratorImpl.h>
#include <fmt/format.h>

#include "base/flush_subnormals.hpp"
#include "base/random.hpp"
#include "base/try.hpp"
#include "torch/epoch.hpp"
#include "torch/first_line.hpp"
#include "torch/network.hpp"
#include "torch/optimiser.hpp"
#include "torch/small_cnn.hpp"
#include "torch/student.hpp"

namespace stad::backbone {
namespace {

constexpr Index kMostClasses = 100'000;
constexpr Index kScoredAtOnce = 128;

Status check_images(const ImageStream& images) {
  const std::string& name = images.pixels.name;
  if (!images.pixels.has_labels()) return invalid(fmt::format("{}: has no labels, which training needs", name));
  if (images.shape.height < kLeastSide || images.shape.width < kLeastSide)
    return invalid(fmt::format("{}: images are {} x {}, must be at least {} x {}", name, images.shape.height,
                               images.shape.width, kLeastSide, kLeastSide));
  const auto [least, most] = std::ranges::minmax_element(images.pixels.labels);
  if (*least < 0 || *most >= kMostClasses || *most < 1)
    return invalid(
        fmt::format("{}: labels go from {} to {}, must go from 0 to at least 1 and less than {}", name, *least, *most, kMostClasses));
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

struct Split {
  std::vector<Index> training;
  std::vector<Index> validation;
};

Result<Split> split(const ImageStream& images, const TrainingSettings& settings) {
  std::vector<Index> rows(static_cast<std::size_t>(images.pixels.features.rows));
  std::iota(rows.begin(), rows.end(), Index{0});
  Random(settings.seed).shuffle(rows);
  const auto apart = static_cast<std::ptrdiff_t>(settings.validation * static_cast<double>(rows.size()));
  if (apart < 1 || apart + 2 > std::ssize(rows))
    return invalid(fmt::format("{}: has {} images, too few for a validation share of {}", images.pixels.name,
                               rows.size(), settings.validation));
  return Split{{rows.begin() + apart, rows.end()}, {rows.begin(), rows.begin() + apart}};
}

/// A network in training and the best it has been.
class Trainer {
 public:
  Trainer(const ImageStream& images, const TrainingSettings& settings, Split split, const KeepTraining& keep_training)
      : images_(images),
        settings_(settings),
        split_(std::move(split)),
        keep_training_(keep_training),
        generator_(at::make_generator<at::CPUGeneratorImpl>(settings.seed)) {
    const Index batches = (std::ssize(split_.training) + settings.batch_size - 1) / settings.batch_size;
    progress_.steps = batches * settings.epochs;
  }

  Result<TrainedNetwork> train() {
    const Index classes = *std::ranges::max_element(images_.pixels.labels) + 1;
    const std::string blank = make_small_cnn(images_.shape, classes, generator_);
    STAD_ASSIGN(auto graph, read_graph(std::as_bytes(std::span(blank)), "fc"));
    const Network network(std::move(graph));
    Student student(network.weights(), network.parameters());
    Adam adam(student.trained(), settings_.learning_rate);
    Tensors best;
    double best_accuracy = -1;
    TrainedNetwork result;
    for (Index number = 1; number <= settings_.epochs; ++number) {
      EpochReport report{number, 0, 0};
      STAD_ASSIGN(report.loss, run_epoch(network, student, adam));
      report.validation_accuracy = accuracy(network, student.weights());
      result.epochs.push_back(report);
      if (report.validation_accuracy > best_accuracy) {
        best_accuracy = report.validation_accuracy;
        best = copies(student.weights());
        result.best_epoch = number;
      }
      STAD_TRY(tell(report));
    }
    result.file = with_weights(blank, network.names(), best);
    result.trained_on.assign(static_cast<std::size_t>(images_.pixels.features.rows), false);
    for (const Index row : split_.training) result.trained_on[static_cast<std::size_t>(row)] = true;
    return result;
  }

 private:
  /// The mean loss.
  Result<double> run_epoch(const Network& network, const Student& student, Adam& adam) {
    Epoch epoch(images_.pixels, images_.shape, split_.training, settings_.batch_size, generator_);
    double sum = 0;
    while (const auto batch = epoch.next()) {
      const at::Tensor logits = network.run(batch->images, student.weights(), training_statistics()).logits;
      const at::Tensor loss = at::cross_entropy_loss(logits, batch->labels);
      STAD_ASSIGN(const Tensors gradients, student.gradients(loss));
      adam.step(student.trained(), gradients);
      const double value = loss.item<double>();
      sum += value * static_cast<double>(batch->labels.size(0));
      progress_.loss = progress_.steps_done == 0 ? value : 0.98 * progress_.loss + 0.02 * value;
      ++progress_.steps_done;
      STAD_TRY(tell(std::nullopt));
    }
    return sum / static_cast<double>(split_.training.size());
  }

  double accuracy(const Network& network, const Tensors& weights) const {
    const at::NoGradGuard no_grad;
    Index right = 0;
    const std::span<const Index> all = split_.validation;
    for (std::size_t first = 0; first < all.size(); first += kScoredAtOnce) {
      const auto rows = all.subspan(first, std::min<std::size_t>(kScoredAtOnce, all.size() - first));
      const at::Tensor labels =
          network.run(gather_images(images_.pixels, images_.shape, rows), weights, source_statistics()).logits.argmax(1);
      for (std::size_t i = 0; i < rows.size(); ++i)
        right += labels.data_ptr<std::int64_t>()[i] == images_.pixels.labels[static_cast<std::size_t>(rows[i])];
    }
    return static_cast<double>(right) / static_cast<double>(all.size());
  }

  Status tell(const std::optional<EpochReport>& finished) {
    progress_.finished = finished;
    if (!keep_training_ || keep_training_(progress_)) return {};
    return failed(fmt::format("interrupted after {} of {} steps", progress_.steps_done, progress_.steps));
  }

  const ImageStream& images_;
  TrainingSettings settings_;
  Split split_;
  const KeepTraining& keep_training_;
  at::Generator generator_;
  TrainingProgress progress_;
};

}  // namespace

Result<TrainedNetwork> train(const ImageStream& images, const TrainingSettings& settings,
                             const KeepTraining& keep_training) {
  STAD_TRY(check_images(images));
  STAD_TRY(check_settings(settings));
  STAD_ASSIGN(auto parts, split(images, settings));
  const FlushSubnormals flush;
  try {
    return Trainer(images, settings, std::move(parts), keep_training).train();
  } catch (const std::exception& trouble) {
    return failed("training: " + first_line(trouble));
  }
}

}  // namespace stad::backbone
