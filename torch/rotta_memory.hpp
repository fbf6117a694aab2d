#pragma once

#include <vector>

#include <stad/error.hpp>

#include "torch/memory.hpp"

namespace stad::backbone {

/// The category-balanced memory of RoTTA: as many samples of each class as the others, young and certain ones rather
/// than old and doubtful ones.
class RottaMemory {
 public:
  /// @param image the shape of one, C x H x W
  RottaMemory(Index capacity, Index classes, const ImageShape& image, double timeliness, double uncertainty);

  /// Offers a sample with the label and entropy the teacher gave it. All ages grow, whether it is taken or not.
  void offer(const at::Tensor& image, Index label, double entropy);

  Index size() const { return size_.item<Index>(); }
  /// n x C x H x W
  at::Tensor images() const { return images_.narrow(0, 0, size()); }
  /// n: ages as shares of the capacity.
  at::Tensor ages() const;
  Index count(Index label) const;

  /// What makes a sample go: its age and its doubt.
  double score(Index age, double entropy) const;

  void remember(Memory& memory) const;
  /// That labels, ages and size are such as offer() makes.
  Status check() const;

 private:
  /// A place for a sample of this class and score; -1: it is not worth one.
  Index make_room(Index label, double score);
  /// The highest score among samples of these classes gives way, if it exceeds the newcomer's.
  Index replace_worst(const std::vector<bool>& classes, double score);
  std::vector<bool> majority_classes() const;

  Index capacity_;
  Index classes_;
  double timeliness_;
  double uncertainty_;
  // All of the full capacity: what a state keeps has one shape.
  at::Tensor images_;
  at::Tensor labels_;
  at::Tensor ages_;
  at::Tensor entropies_;
  at::Tensor size_;
};

}  // namespace stad::backbone
