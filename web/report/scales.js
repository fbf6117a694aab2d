// Maps data to positions on the canvas.

const kTicks = 5;      // on the y axis, about
const kLetter = 6.7;   // the width of a character of an axis, about
const kLongest = 18;   // characters of a name on the x axis
const kMeasured = 12;  // so few values of a logarithmic axis are its marks, rather than powers of two
const kLean = 38;      // degrees, of names that do not fit horizontally

// Values that cannot be drawn, such as null, are gaps: `runs` are the segments between gaps, `points` all points.
const readSeries = (series, log) => {
  const runs = [[]];
  for (const [x, y, spread] of (series.points || []).map((point) => point || [])) {
    if (Number.isFinite(x) && Number.isFinite(y) && !(log && x <= 0))
      runs.at(-1).push({x, y, spread: Number.isFinite(spread) ? Math.abs(spread) : null});
    else
      runs.push([]);
  }
  const kept = runs.filter((run) => run.length);
  return {...series, name: series.name ?? "", runs: kept, points: kept.flat()};
};

const readChart = (chart) => {
  const series = (chart.series || []).map((one) => readSeries(one, chart.x_scale === "log"));
  return {kind: "lines", x_label: "", y_label: "", axes: true, y_digits: 1, ...chart, series,
    points: series.flatMap((one) => one.points), names: new Map(chart.x_names || [])};
};

// A loop, because a call with that many spread arguments could exceed the limit of the engine.
const extent = (values) =>
  values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);

// A round step that divides the range into about `wanted` parts.
const tickStep = (low, high, wanted) => {
  const raw = (high - low || Math.abs(high) || 1) / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((m) => m * power).find((step) => step >= raw * 0.8);
};

const multiples = (low, high, step) => {
  const values = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i) values.push(i * step);
  return values;
};

// Extends the range to round values, so that the first and the last grid line have a number.
const roundRange = ([low, high], wanted) => {
  const step = tickStep(low, high, wanted);
  const margin = low === high ? step : 0;  // a constant runs through the middle
  const whole = (value, round, nudge) => round(value / step + nudge) * step;  // the nudge forgives rounding
  return {step, low: whole(low - margin, Math.floor, 1e-9), high: whole(high + margin, Math.ceil, -1e-9)};
};

const everyNth = (values, most) => {
  const stride = Math.max(1, Math.ceil(values.length / Math.max(1, most)));
  return values.filter((_, index) => index % stride === 0);
};

const powersOfTwo = (low, high) => {
  const values = [];
  for (let power = Math.ceil(Math.log2(low) - 1e-9); 2 ** power <= high * (1 + 1e-9); ++power) values.push(2 ** power);
  return values;
};

// The x axis over `width` pixels: its range, logarithmic if requested, and the ticks that fit.
const makeHorizontal = (chart, width) => {
  const log = chart.x_scale === "log", scatter = chart.kind === "points";
  const forward = log ? Math.log2 : (value) => value;
  const [first, last] = extent(chart.points.map((point) => point.x));
  let low = forward(first), high = forward(last);
  let ticks;
  if (chart.names.size) {
    ticks = [...chart.names.keys()].filter((x) => x >= first && x <= last).sort((a, b) => a - b);
  } else if (log) {
    const measured = valuesOfX(chart);
    ticks = measured.length <= kMeasured ? measured : powersOfTwo(first, last);
    if (!ticks.length) ticks = [first];
    ticks = everyNth(ticks, Math.floor(width / (label(ticks.at(-1)).length * kLetter + 12)));
  } else if (first === last) {
    ticks = [first];
  } else {
    const wanted = Math.max(2, Math.min(8, Math.floor(width / 52)));
    const whole = chart.points.every((point) => Number.isInteger(point.x));
    const range = scatter ? roundRange([low, high], wanted) : {low, high, step: tickStep(low, high, wanted)};
    ({low, high} = range);
    ticks = multiples(low, high, whole ? Math.max(1, range.step) : range.step);
  }
  const margin = chart.names.size || (scatter && log) ? (high - low) * 0.04 : 0;
  return {forward, low: low - margin, high: high + margin, ticks};
};

// Names are horizontal where they fit, else slanted.
const nameTicks = (chart, ticks, width) => {
  const texts = ticks.map((x) => chart.names.has(x) ? String(chart.names.get(x)) : label(x));
  const shown = texts.map((text) => text.length > kLongest ? text.slice(0, kLongest - 1) + "\u2026" : text);
  const longest = Math.max(0, ...shown.map((text) => text.length)) * kLetter;
  const leans = chart.names.size > 0 && longest + 8 > width / Math.max(1, ticks.length - 1);
  const pairs = ticks.map((x, index) => ({x, text: shown[index]}));
  if (!leans) return {leans, pairs, depth: kEdge.line, reach: 0};
  // The extent of the first name to the left, and of the longest one downwards.
  const angle = kLean * Math.PI / 180;
  return {leans, pairs: everyNth(pairs, Math.floor(width / 18)),
    depth: longest * Math.sin(angle) + 8, reach: shown[0].length * kLetter * Math.cos(angle) - 4};
};
