#pragma once

#include <vector>

#include <stad/error.hpp>

#include "torch/network_adapter.hpp"
#include "torch/optimisation.hpp"
#include "torch/state_tensors.hpp"

namespace stad::backbone {

/// The category-balanced memory bank of RoTTA: an equal share of samples for each class, preferring recent samples with
/// low entropy.
class RottaMemory {
 public:
  /// @param capacity number of samples
  /// @param timeliness weight of age in the score
  /// @param uncertainty weight of entropy in the score
  RottaMemory(Index capacity, Index classes, const ImageShape& image, double timeliness, double uncertainty);

  /// Stores a sample with the teacher's pseudo-label and entropy if its score is low enough. Increments all ages in any
  /// case.
  void insert(const at::Tensor& image, Index label, double entropy);

  Index size() const { return size_.item<Index>(); }
  /// n x C x H x W
  at::Tensor images() const { return images_.narrow(0, 0, size()); }
  /// n: ages as fractions of the capacity.
  at::Tensor ages() const;
  Index count(Index label) const;

  /// Score of a sample, increasing with age and entropy. The sample with the highest score is replaced first.
  double score(Index age, double entropy) const;

  void append_state(StateTensors& tensors) const;
  /// Checks that size, labels and ages of a restored state are in range.
  Status check() const;

 private:
  /// Slot for a sample of this class and score; -1 if it is not stored.
  Index find_slot(Index label, double score);
  /// Slot of the highest score among samples of these classes, if it exceeds the given score; otherwise -1.
  Index slot_of_worst(const std::vector<bool>& classes, double score_limit);
  std::vector<bool> majority_classes() const;

  Index capacity_;
  Index classes_;
  double timeliness_;
  double uncertainty_;
  // Allocated for the full capacity, because the shape of state tensors is constant.
  at::Tensor images_;
  at::Tensor labels_;
  at::Tensor ages_;
  at::Tensor entropies_;
  at::Tensor size_;
};

/// Robust test-time adaptation (Yuan et al., 2023): robust batch norm, a category-balanced memory bank, and a
/// moving-average teacher that predicts.
class RottaAdapter final : public NetworkMethod<RottaOptions> {
 public:
  RottaAdapter(SourceNetwork source_network, const RottaOptions& options);

 private:
  Result<at::Tensor> learn(const at::Tensor& images, std::optional<double> time) override;
  at::Tensor infer(const at::Tensor& images) const override;
  const Tensors& weights() const override { return teacher_.weights(); }
  StateTensors state_tensors() const override;
  Status check_state_tensors() const override { return memory_.check(); }

  /// One step of student and teacher on the samples in the memory bank.
  Status step_on_memory(const at::Generator& random);
  /// Forward pass with these statistics, which are then updated with the batch's.
  at::Tensor run_robust(const at::Tensor& images, const Tensors& weights, NormStatistics& statistics) const;

  TrainableWeights student_;
  TrainableWeights teacher_;  ///< moving average of the student; receives no gradients
  NormStatistics student_statistics_;
  NormStatistics teacher_statistics_;
  Adam adam_;
  RottaMemory memory_;
  at::Tensor arrivals_;  ///< scalar int64: samples received
};

}  // namespace stad::backbone
