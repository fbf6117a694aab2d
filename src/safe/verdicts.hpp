#pragma once

#include <stad/matrix.hpp>

#include "safe/forgetting.hpp"

namespace stad::safe {

/// What each of three said of a row: the source; the mixture of both that is served without labels; the adapted
/// classifier alone.
struct Opinions {
  Index source = -1;
  Index mixture = -1;
  Index adapted = -1;
};

/// Whom to believe once labels have come: of two that differ the one that was right becomes twice as likely to be the
/// best. The mixture is so in the first place; the others have to earn it. [safe-verdicts]
class Verdicts {
 public:
  void count(const Opinions& opinions, Index label);
  /// So many rows have come since, labelled or not.
  void fade(double rows);

  /// The weight of the adapted classifier, given what it would get without labels.
  double informed(double trust) const;

  /// About what share of rows has been labelled of late.
  double labelled_share() const;

  bool in_use() const { return labels_ > 0; }
  void clear() { *this = {}; }

  template <typename Visitor>
  void visit(Visitor&& visit) {
    visit.number("source_lead", source_lead_, -kLongestLead, kLongestLead);
    visit.number("adapted_lead", adapted_lead_, -kLongestLead, kLongestLead);
    visit.number("labels", labels_, 0, kMostRows);
    visit.number("rows", rows_, 0, kMostRows);
  }

 private:
  // No number of verdicts outlasts by much what they were about.
  static constexpr double kLongestLead = 20;
  static constexpr double kMostRows = 1e15;

  double source_lead_ = 0;  ///< rows on which it was right and the mixture was not, less those the other way round
  double adapted_lead_ = 0;
  double labels_ = 0;  ///< that were counted, fading
  double rows_ = 0;    ///< since the first of them, fading
};

}  // namespace stad::safe
