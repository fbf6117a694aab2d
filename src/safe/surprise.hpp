#pragma once

#include <stad/matrix.hpp>

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
    visit.number("level", level_, -2, 2);
    visit.number("fall", fall_, 0, 4);
    visit.number("falls", falls_, 0, 1e3);
  }

 private:
  /// The mean fit of a chunk with those before it.
  bool compare(double fit);

  double fit_ = 0;     ///< of the rows since the last chunk was full
  double rows_ = 0;    ///< as many
  double chunks_ = 0;  ///< since the last surprise, up to as many as are remembered
  double level_ = 0;   ///< how rows have fitted of late
  double fall_ = 0;    ///< how far below that a chunk usually lies
  double falls_ = 0;   ///< chunks that this is known from
};

}  // namespace stad::safe
