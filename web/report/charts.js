// A chart: title, canvas, note, and the figures as a table.

const describe = (chart) => {
  const subject = chart.axes ? `${chart.y_label} over ${chart.x_label}` : `a map of ${chart.points.length} points`;
  return `${chart.title}: ${subject}. Arrow keys read the figures.`;
};

// The width of a canvas: that of the frame on screen. The layout of print cannot be measured by a script: there it is a
// width that gives readable text when one, two or three charts are scaled into a row.
const kPaperWidths = {one: 620, two: 400, three: 300};

const screenWidth = (outer) => {
  const style = getComputedStyle(outer);
  return Math.max(220, Math.round(outer.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)));
};

const drawCanvas = (outer, chart, width) => {
  outer.querySelectorAll(":scope > svg, :scope > .tip").forEach((old) => old.remove());
  const canvas = makeCanvas(chart, width);
  const viewBox = `0 0 ${width} ${canvas.height}`;
  const svg = shape("svg", {class: "canvas", viewBox, role: "img", "aria-label": describe(chart)});
  outer.querySelector(".before").after(svg);
  if (!chart.points.length) {
    svg.classList.add("empty");
    svg.append(shape("text", {x: width / 2, y: canvas.height / 2, "text-anchor": "middle"}, "no figures"));
    return;
  }
  svg.setAttribute("tabindex", 0);
  if (chart.axes) drawAxes(svg, chart, canvas);
  drawSeries(svg, chart, canvas);
  makeReadable(outer, svg, chart, canvas);
};

const figuresTable = (chart) => {
  const lookups = chart.series.map((series) => new Map(series.points.map((point) => [point.x, point])));
  const rows = valuesOfX(chart).map((x) => [wordForX(chart, x), ...lookups.map((lookup) =>
    lookup.has(x) ? figure(lookup.get(x), chart.y_digits) : "")]);
  return drawTable({columns: [chart.x_label, ...chart.series.map((series) => series.name)], rows});
};

// The table is made when it is first opened, because a long report has many.
const drawFigures = (chart) => {
  const node = element("details", {}, element("summary", {}, "Figures"));
  node.addEventListener("toggle", () => node.append(figuresTable(chart)), {once: true});
  return node;
};

const drawKey = (series, kind) => {
  const svg = shape("svg", {viewBox: "0 0 26 12", "aria-hidden": "true"});
  if (kind === "lines") svg.append(linePath("M2 6H24", series.name));
  if (kind === "points" || series.mark)
    svg.append(marksPath(series.mark, ["13 6"], kind === "points" ? 4.2 : 3.4, series.name));
  return svg;
};

// While the pointer is over a name, the other series are faded.
const single = (entry, name) => (event) => {
  for (const group of entry.closest("figure, section").querySelectorAll("g.series"))
    group.classList.toggle("faded", event.type === "pointerenter" && group.dataset.name !== name);
};

const drawLegend = (chart) => {
  const named = chart.series.filter((series) => series.name && series.like === undefined);
  return element("ul", {class: "legend"}, ...named.map((series) => {
    const entry = element("li", {"data-name": series.name}, drawKey(series, chart.kind), series.name);
    for (const type of ["pointerenter", "pointerleave"]) entry.addEventListener(type, single(entry, series.name));
    return entry;
  }));
};

const drawChart = (chart, ownLegend, inRow) => {
  const before = element("div", {class: "before"}, element("figcaption", {}, chart.title ?? ""));
  if (ownLegend) before.append(drawLegend(chart));
  const outer = element("figure", {class: chart.axes ? "" : "map"}, before);
  if (chart.note) outer.append(element("p", {class: "note"}, chart.note));
  if (chart.kind === "lines" && chart.points.length) outer.append(drawFigures(chart));
  let drawn = 0;
  new ResizeObserver(() => {
    if (outer.clientWidth === drawn) return;
    drawn = outer.clientWidth;
    drawCanvas(outer, chart, screenWidth(outer));
  }).observe(outer);
  addEventListener("beforeprint", () => drawCanvas(outer, chart, kPaperWidths[inRow]));
  addEventListener("afterprint", () => drawCanvas(outer, chart, screenWidth(outer)));
  return outer;
};

// Charts of the same series share one legend.
const drawCharts = (charts) => {
  const namesOf = (chart) => JSON.stringify(chart.series.map((series) => series.name).sort());
  const shared = charts.length > 1 && charts.every((chart) => namesOf(chart) === namesOf(charts[0]));
  const inRow = {1: "one", 2: "two", 4: "two"}[charts.length] || "three";
  const grid = element("div", {class: `charts ${inRow}`}, ...charts.map((chart) => drawChart(chart, !shared, inRow)));
  return shared ? [drawLegend(charts[0]), grid] : [grid];
};
