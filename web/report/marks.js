// What a series draws: a band and a line, or marks.

const kSparse = 12;  // a line of so few points shows where it was measured

const outlines = {
  dot: (r) => `m${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
  cross: (r) => `m${-r} ${-r}l${2 * r} ${2 * r}m${-2 * r} 0l${2 * r} ${-2 * r}`,
  diamond: (r) => `m0 ${-1.35 * r}l${1.35 * r} ${1.35 * r}l${-1.35 * r} ${1.35 * r}l${-1.35 * r} ${-1.35 * r}z`,
};
outlines.ring = outlines.dot;

const place = (canvas, point) => `${canvas.x(point.x).toFixed(1)} ${canvas.y(point.y).toFixed(1)}`;

// One path for all marks of a series: a thousand cost no more than one.
const marksPath = (mark, places, radius, name) => {
  const kind = Object.hasOwn(outlines, mark) ? mark : "dot";
  const d = places.map((at) => `M${at}${outlines[kind](radius)}`).join("");
  const open = kind === "ring" || kind === "cross";
  return shape("path", {class: `mark ${kind}`, d, fill: open ? "none" : colourOf(name), stroke: open ? colourOf(name) : ""});
};

const drawBand = (group, run, canvas, name) => {
  const edge = (sign) => (point) => place(canvas, {x: point.x, y: point.y + sign * point.spread});
  if (run.length < 2 || run.every((point) => !point.spread)) return;
  const outline = [...run.map(edge(1)), ...run.map(edge(-1)).reverse()];
  group.append(shape("path", {class: "band", d: `M${outline.join("L")}Z`, fill: colourOf(name)}));
};

const drawWhiskers = (group, points, canvas, name) => {
  const d = points.filter((point) => point.spread).map((point) =>
    `M${place(canvas, {x: point.x, y: point.y - point.spread})}L${place(canvas, {x: point.x, y: point.y + point.spread})}`).join("");
  if (d) group.append(shape("path", {class: "whisker", d, stroke: colourOf(name)}));
};

const drawLine = (group, series, canvas) => {
  const {name, runs, points} = series;
  for (const run of runs) drawBand(group, run, canvas, name);
  drawWhiskers(group, runs.filter((run) => run.length === 1).flat(), canvas, name);
  const d = runs.filter((run) => run.length > 1).map((run) => `M${run.map((point) => place(canvas, point)).join("L")}`).join("");
  if (d) group.append(shape("path", {class: "line", d, stroke: colourOf(name), "stroke-dasharray": dashesOf(name)}));
  const marked = series.mark || points.length <= kSparse ? points : runs.filter((run) => run.length === 1).flat();
  if (marked.length) group.append(marksPath(series.mark, marked.map((point) => place(canvas, point)), series.mark ? 3.4 : 2.6, name));
};

const radiusFor = (count) => count <= 30 ? 5 : count <= 150 ? 3.8 : count <= 500 ? 3.1 : 2.5;

const drawPoints = (group, series, canvas) => {
  if (!series.points.length) return;
  drawWhiskers(group, series.points, canvas, series.name);
  group.append(marksPath(series.mark, series.points.map((point) => place(canvas, point)), radiusFor(series.points.length), series.name));
};

// References lie below the rest, and a few marks above many.
const drawingOrder = (chart) => [...chart.series].sort((a, b) =>
  references.has(b.name) - references.has(a.name) || (chart.kind === "points" ? b.points.length - a.points.length : 0));

const drawSeries = (svg, chart, canvas) => {
  for (const series of drawingOrder(chart)) {
    const group = shape("g", {class: "series", "data-name": series.name});
    (chart.kind === "points" ? drawPoints : drawLine)(group, series, canvas);
    svg.append(group);
  }
};
