// Draws a series: a band and a line, or marks.

const kSparse = 12;  // a line of so few points shows where it was measured

const outlines = {
  dot: (r) => `m${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
  cross: (r) => `m${-r} ${-r}l${2 * r} ${2 * r}m${-2 * r} 0l${2 * r} ${-2 * r}`,
  diamond: (r) => `m0 ${-1.35 * r}l${1.35 * r} ${1.35 * r}l${-1.35 * r} ${1.35 * r}l${-1.35 * r} ${-1.35 * r}z`,
};
outlines.ring = outlines.dot;

const place = (canvas, point) => `${canvas.x(point.x).toFixed(1)} ${canvas.y(point.y).toFixed(1)}`;

// One path for all marks of a series, because a thousand elements would be slow.
const marksPath = (mark, places, radius, name) => {
  const kind = Object.hasOwn(outlines, mark) ? mark : "dot";
  const d = places.map((at) => `M${at}${outlines[kind](radius)}`).join("");
  const paint = kind === "ring" || kind === "cross" ? {fill: "none", stroke: colourOf(name)} : {fill: colourOf(name)};
  return shape("path", {class: `mark ${kind}`, d, ...paint});
};

const linePath = (d, name) =>
  shape("path", {class: "line", d, stroke: colourOf(name), "stroke-dasharray": dashesOf(name)});

// The upper or lower end of the spread of a point.
const edge = (canvas, sign) => (point) => place(canvas, {x: point.x, y: point.y + sign * point.spread});

const drawBand = (group, run, canvas, name) => {
  if (run.every((point) => !point.spread)) return;
  const outline = [...run.map(edge(canvas, 1)), ...run.map(edge(canvas, -1)).reverse()];
  group.append(shape("path", {class: "band", d: `M${outline.join("L")}Z`, fill: colourOf(name)}));
};

const drawWhiskers = (group, points, canvas, name) => {
  const below = edge(canvas, -1), above = edge(canvas, 1);
  const d = points.filter((point) => point.spread).map((point) => `M${below(point)}L${above(point)}`).join("");
  if (d) group.append(shape("path", {class: "whisker", d, stroke: colourOf(name)}));
};

const drawLine = (group, series, canvas) => {
  const {name, mark, runs, points} = series;
  const alone = runs.filter((run) => run.length === 1).flat(), joined = runs.filter((run) => run.length > 1);
  for (const run of joined) drawBand(group, run, canvas, name);
  drawWhiskers(group, alone, canvas, name);
  const d = joined.map((run) => `M${run.map((point) => place(canvas, point)).join("L")}`).join("");
  if (d) group.append(linePath(d, name));
  const sparse = points.length <= kSparse && !references.has(name);
  const marked = (mark || sparse ? points : alone).map((point) => place(canvas, point));
  if (marked.length) group.append(marksPath(mark, marked, mark ? 3.4 : 2.6, name));
};

// The size of marks decreases with their number; few marks among many, such as class centres, are larger.
const radiusFor = (count, total) => count <= 30 ? 5 : total <= 200 ? 3.8 : total <= 600 ? 3.2 : 2.7;

const drawPoints = (group, series, canvas, total) => {
  if (!series.points.length) return;
  drawWhiskers(group, series.points, canvas, series.name);
  const places = series.points.map((point) => place(canvas, point));
  group.append(marksPath(series.mark, places, radiusFor(places.length, total), series.name));
  if (series.points.length > 30) group.classList.add("cloud");
};

// References are drawn below other lines, and series with few marks above those with many.
const drawingOrder = (chart) => [...chart.series].sort((a, b) =>
  chart.kind === "points" ? b.points.length - a.points.length : references.has(b.name) - references.has(a.name));

const drawSeries = (svg, chart, canvas) => {
  for (const series of drawingOrder(chart)) {
    const group = shape("g", {class: "series", "data-name": series.name});
    (chart.kind === "points" ? drawPoints : drawLine)(group, series, canvas, chart.points.length);
    svg.append(group);
  }
};
