#pragma once

#include <stad/index.hpp>

namespace stad::safe {

/// Whether the world has changed at once: rows fit what was learned from those before them far worse than rows have
/// fitted of late. [safe-surprise]
class Surprise {
 public:
  /// Rows, and the sum of how well each was predicted, from -1 to 1. True if it is so; then all begins again.
  bool observe(double fit, Index rows);

  template <typename Visitor>
  void visit(Visitor&& visit) {
    visit.number("fit", fit_, -1e3, 1e3);
    visit.number("rows", rows_, 0, 1e3);
    visit.number("chunks", chunks_, 0, 1e3);
    visit.number("sum", sum_, -1e3, 1e3);
    visit.number("squares", squares_, 0, 1e3);
  }

 private:
  bool is_far_below(double fit) const;

  double fit_ = 0;   ///< of the rows since the last chunk was full
  double rows_ = 0;  ///< as many
  double chunks_ = 0;
  double sum_ = 0;      ///< of the chunks' mean fits, fading
  double squares_ = 0;  ///< of the same
};

}  // namespace stad::safe
