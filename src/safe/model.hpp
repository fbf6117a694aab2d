#pragma once

#include <optional>
#include <span>

#include "base/scratch.hpp"
#include "safe/background.hpp"
#include "safe/clock.hpp"
#include "safe/distrust.hpp"
#include "safe/label_chains.hpp"
#include "safe/memories.hpp"
#include "safe/persistence.hpp"
#include "safe/remembered_rows.hpp"
#include "safe/shadow.hpp"
#include "safe/verdicts.hpp"

namespace stad::safe {

/// What the source classifier says about rows.
struct SourceAnswer {
  ConstRows log_probabilities;    ///< n x K
  std::span<const Index> labels;  ///< n
};

/// Prototypes that follow the drift, and what decides how far they are believed. docs/maths.md derives it.
class Model {
 public:
  /// @param has_background whether rows may be of none of the classes
  Model(FloatRows source_directions, bool has_background);

  /// Learns from unit rows and answers them: posteriors, n x K. Rows with ids, n or none, may get a label later. Where
  /// there is a background, `unknown` are n probabilities that a row belongs to it; else none. Returns the mean
  /// log-likelihood of the rows under the prototypes as they were before. [safe-likelihood]
  double adapt(const ConstRows& rows, const SourceAnswer& source, std::span<const std::int64_t> ids,
               FloatRowsMap posteriors, std::span<float> unknown);
  /// Says when the next rows are from, before they are adapted to.
  void move_to(std::optional<double> time);
  /// Answers as things stand.
  void predict(const ConstRows& rows, const SourceAnswer& source, FloatRowsMap posteriors,
               std::span<float> unknown) const;

  /// The true class of a row that came with that id. False: nothing is remembered of it.
  bool observe(std::int64_t id, Index label);
  /// The true classes of rows, n, that may never have been seen before.
  void observe(const ConstRows& rows, const SourceAnswer& source, std::span<const Index> labels);

  FloatRows prototypes() const;
  double trust() const;             ///< 0: the source answers; 1: the adapted classifier does [safe-trust]
  double unlabelled_trust() const;  ///< the same before any label
  double persistence() const;       ///< 0: rows are independent; 1: labels persist
  double reliability() const;       ///< what stated probabilities are worth [safe-reliability]

  template <typename Visitor>
  void visit(Visitor&& visit) {
    visit.part("prototypes.", memories_);
    visit.part("shadow.", shadow_);
    visit.part("persistence.", persistence_);
    visit.part("chains.", chains_);
    visit.part("clock.", clock_);
    visit.part("distrust.", distrust_);
    visit.mean("likeness", likeness_);
    visit.mean("flips", flips_);
    visit.mean("borne_out", borne_out_);
    if (background_) visit.part("background.", *background_);
    visit.part_in_use("remembered.", remembered_);
    visit.part_in_use("verdicts.", verdicts_);
  }

 private:
  struct Terms;

  /// All prototypes keep this share of what they have heard.
  void fade(double keep);
  /// @param said what the shadow's prototypes say of the rows
  void judge(const ConstRows& rows, const SourceAnswer& source, std::span<Index> said);
  double learn(const ConstRows& rows, const SourceAnswer& source, std::span<const std::int64_t> ids,
               std::span<const float> unknown);
  void write_prototypes(FloatRowsMap out) const;
  /// What the source, the adapted classifier and the mixture of both say, given the cosines with the prototypes.
  std::span<const Opinions> ask_all(const SourceAnswer& source, const FloatRowsMap& cosines, Scratch& scratch) const;
  /// Cosines of rows with the nearest source direction.
  void write_fits(const ConstRows& rows, std::span<float> fits) const;
  void write_cosines(const ConstRows& rows, FloatRowsMap cosines) const;
  void smooth(FloatRowsMap posteriors) const;
  double settled() const;   ///< from 0 to 1: how far the usual memory alone counts
  double believed() const;  ///< from 0 to 1: whether prototypes can say what the source says
  Terms terms(Scratch& scratch) const;
  ConstRows source_directions() const { return as_rows(source_); }

  FloatRows source_;   ///< K x D, unit rows
  Memories memories_;  ///< of the adapted prototypes
  Shadow shadow_;
  Persistence persistence_;
  LabelChains chains_;
  Clock clock_;
  Distrust distrust_;
  MovingMean likeness_;   ///< cosine of rows with the source direction of their label
  MovingMean flips_;      ///< share of rows that the adapted classifier alone answers otherwise than the source
  MovingMean borne_out_;  ///< share of answers that the shadow gives as well
  std::optional<Background> background_;
  RememberedRows remembered_;
  Verdicts verdicts_;
};

}  // namespace stad::safe
