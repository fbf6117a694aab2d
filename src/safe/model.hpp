#pragma once

#include <span>

#include "base/scratch.hpp"
#include "safe/clock.hpp"
#include "safe/distrust.hpp"
#include "safe/label_chains.hpp"
#include "safe/memories.hpp"
#include "safe/persistence.hpp"
#include "safe/shadow.hpp"

namespace stad::safe {

/// What the source classifier says about rows.
struct SourceAnswer {
  ConstRows log_probabilities;    ///< n x K
  std::span<const Index> labels;  ///< n
};

/// Prototypes that follow the drift, and what decides how far they are believed. docs/maths.md derives it.
class Model {
 public:
  explicit Model(FloatRows source_directions);

  /// Learns from unit rows and answers them: posteriors, n x K. Returns the mean log-likelihood of the rows under the
  /// prototypes as they were before. [safe-likelihood]
  double adapt(const ConstRows& rows, const SourceAnswer& source, FloatRowsMap posteriors);
  /// Says when the next rows are from, before they are adapted to.
  void move_to(std::optional<double> time);
  /// Answers as things stand.
  void predict(const ConstRows& rows, const SourceAnswer& source, FloatRowsMap posteriors) const;

  FloatRows prototypes() const;
  double trust() const;        ///< 0: the source answers; 1: the adapted classifier does [safe-trust]
  double persistence() const;  ///< 0: rows are independent; 1: labels persist
  double reliability() const;  ///< what stated probabilities are worth [safe-reliability]

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
  }

 private:
  struct Terms;

  /// All prototypes keep this share of what they have heard.
  void fade(double keep);
  /// @param said what the shadow's prototypes say of the rows
  void judge(const ConstRows& rows, const SourceAnswer& source, std::span<Index> said);
  double learn(const ConstRows& rows, const SourceAnswer& source);
  void write_prototypes(FloatRowsMap out) const;
  void write_cosines(const ConstRows& rows, FloatRowsMap cosines) const;
  void smooth(FloatRowsMap posteriors) const;
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
};

}  // namespace stad::safe
