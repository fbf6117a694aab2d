// Histories of streams as the service tells them: a drift that the adaptation follows, or one that it does not survive.

// Always the same figures: mulberry32.
const randomOf = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

const between = (low, value, high) => Math.min(high, Math.max(low, value));

const levelOf = (loss) => loss < 0.04 ? "fine" : loss < 0.08 ? "watch" : "act";

// Who answers: the source for the first points, then label chains.
const guardOf = (step, noise) => step < 6 ?
  {answers: "source", held_by: "rows", zeta: 0, excess: 0, autocorrelation: 0} :
  {
    answers: "chains", held_by: "none", zeta: 31 + noise(3), excess: 0.7 + noise(0.02),
    autocorrelation: 0.05 + noise(0.01)
  };

// Gives one point after another. @param collapse 0: none; 1: in the end one class swallows the others, and where the
// prototypes move, they converge. @param guarded as stad-safe with a card, whose prototypes do not move; false: as
// stad-vmf
export const simulation = ({classes, seed = 1, start, span = 10, length = 120, collapse = 0, guarded = true}) => {
  const random = randomOf(seed), noise = (size) => size * (random() + random() + random() - 1.5);
  const speed = classes.map(() => 0.5 + random()), phase = classes.map(() => 6.28 * random());
  let step = 0;
  return () => {
    ++step;
    const drift = 0.5 * (1 - Math.cos(step / 38)) + step / 500,
          fall = collapse * between(0, (step / length - 0.6) / 0.4, 1);
    const movement =
      classes.map((_, index) => Math.max(
                    0, 0.04 + 0.28 * speed[index] * drift * (1 + (index === 0 ? 2.4 * fall : 0)) + noise(0.012)));
    const weights = classes.map(
      (_, index) => 1 + 0.6 * Math.sin(step / 25 + phase[index]) + noise(0.08) + (index === 0 ? 30 * fall : 0));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const guard = guarded ? guardOf(step, noise) : null;
    const rows = Math.round(640 + noise(120));
    return {
      time: start + step * span,
      span,
      batches: Math.round(rows / 64),
      rows,
      confidence: between(0, 0.95 - 0.03 * drift - 0.1 * fall + noise(0.01), 1),
      source_confidence: between(0, 0.93 - 0.14 * drift - 0.1 * fall + noise(0.012), 1),
      flip_rate: between(0, 0.01 + 0.1 * drift + 0.5 * fall + noise(0.01), 1),
      warning: guarded ? levelOf(0.01 + 0.035 * drift * (1 - step / length) + 0.4 * fall) : null,
      chains: guard && (guard.answers === "chains" ? 1 : 0),
      guard,
      entropy: 0.2 + 0.1 * drift + noise(0.02),
      dispersion: guarded ? 1.42 : 1.42 - 0.03 * drift - 0.6 * fall + noise(0.008),
      movement: guarded ? classes.map(() => 0) : movement,
      proportions: weights.map((weight) => weight / total),
    };
  };
};
