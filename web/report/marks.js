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
  const sparse = points.length <= kSparse && !references.has(name);
  const marked = series.mark || sparse ? points : runs.filter((run) => run.length === 1).flat();
  if (marked.length) group.append(marksPath(series.mark, marked.map((point) => place(canvas, point)), series.mark ? 3.4 : 2.6, name));
};

// The more marks, the smaller; but a few among many, such as the centres of clouds, stand out.
const radiusFor = (count, total) => count <= 30 ? 5 : total <= 200 ? 3.8 : total <= 600 ? 3.2 : 2.7;

const drawPoints = (group, series, canvas, total) => {
  if (!series.points.length) return;
  drawWhiskers(group, series.points, canvas, series.name);
  const radius = radiusFor(series.points.length, total);
  group.append(marksPath(series.mark, series.points.map((point) => place(canvas, point)), radius, series.name));
  if (series.points.length > 30) group.classList.add("cloud");
};

// References lie below the other lines, and a few marks above many.
const drawingOrder = (chart) => [...chart.series].sort((a, b) =>
  chart.kind === "points" ? b.points.length - a.points.length : references.has(b.name) - references.has(a.name));

const drawSeries = (svg, chart, canvas) => {
  for (const series of drawingOrder(chart)) {
    const group = shape("g", {class: "series", "data-name": series.name});
    (chart.kind === "points" ? drawPoints : drawLine)(group, series, canvas, chart.points.length);
    svg.append(group);
  }
};
