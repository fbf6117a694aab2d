// The tooltip with the figures at the pointer. A chart has stops: each x of a line chart, each mark of a scatter plot.
// The pointer selects the nearest stop, arrow keys move between stops.

const kGap = 14;  // pixels between a stop and its figures

const valuesOfX = (chart) => [...new Set(chart.points.map((point) => point.x))].sort((a, b) => a - b);
const wordForX = (chart, x) => chart.names.has(x) ? String(chart.names.get(x)) : label(x);

const key = (name) => element("span", {class: "key", style: `background:${colourOf(name)}`});

const lineStops = (chart, canvas) => {
  const lookups = chart.series.map((series) => new Map(series.points.map((point) => [point.x, point])));
  return valuesOfX(chart).map((x) => {
    const all = chart.series.map(({name}, index) => ({name, point: lookups[index].get(x)}));
    const found = all.filter(({point}) => point).sort((a, b) => b.point.y - a.point.y);
    return {x: canvas.x(x), y: canvas.top, crosshair: true,
      head: [chart.names.has(x) ? "" : chart.x_label, wordForX(chart, x)].filter(Boolean).join(" "),
      dots: found.map(({name, point}) => ({name, y: canvas.y(point.y)})),
      rows: found.map(({name, point}) => [[key(name), name], figure(point, chart.y_digits)])};
  });
};

// The coordinates of a map have no meaning, so only the name is shown.
const coordinates = (chart, point) => !chart.axes ? [] :
  [[[chart.x_label || "x"], wordForX(chart, point.x)], [[chart.y_label || "y"], figure(point, chart.y_digits)]];

const pointStops = (chart, canvas) => chart.series.flatMap(({name, points}) => points.map((point) => ({
  x: canvas.x(point.x), y: canvas.y(point.y), crosshair: false,
  head: [key(name), name],
  dots: [{name, y: canvas.y(point.y)}],
  rows: coordinates(chart, point),
}))).sort((a, b) => a.x - b.x);

const nearestStop = (stops, x, y) => {
  const distance = (stop) => Math.hypot(stop.x - x, stop.crosshair ? 0 : stop.y - y);
  return stops.reduce((best, stop, index) => distance(stop) < distance(stops[best]) ? index : best, 0);
};

const drawStop = (stop, canvas) => {
  const layer = shape("g", {class: "reading"}), {x, crosshair} = stop;
  if (crosshair) layer.append(shape("line", {class: "crosshair", x1: x, x2: x, y1: canvas.top, y2: canvas.bottom}));
  for (const {name, y} of stop.dots)
    layer.append(shape("circle", crosshair ? {class: "point", cx: x, cy: y, r: 4, fill: colourOf(name)}
                                           : {class: "halo", cx: x, cy: y, r: 7, stroke: colourOf(name)}));
  return layer;
};

const fillTip = (tip, stop) => {
  const rows = stop.rows.map(([name, value]) =>
    element("tr", {}, element("th", {scope: "row"}, ...name), element("td", {}, value)));
  tip.replaceChildren(element("div", {class: "head"}, ...[stop.head].flat()));
  if (rows.length) tip.append(element("table", {}, element("tbody", {}, ...rows)));
};

// To the right of the stop if it fits in the window there, else to the left; always inside the window.
const placeTip = (tip, svg, outer, stop, canvas) => {
  const box = svg.getBoundingClientRect(), frame = outer.getBoundingClientRect(), ratio = box.width / canvas.width;
  const x = box.left + stop.x * ratio, y = box.top - frame.top + stop.y * ratio;
  const rightmost = document.documentElement.clientWidth - tip.offsetWidth - 4;
  const beside = x + kGap > rightmost ? x - kGap - tip.offsetWidth : x + kGap;
  tip.style.left = `${Math.max(4, Math.min(beside, rightmost)) - frame.left - outer.clientLeft}px`;
  tip.style.top = `${Math.max(4, y - (stop.crosshair ? 0 : tip.offsetHeight / 2))}px`;
};

const makeReadable = (outer, svg, chart, canvas) => {
  const stops = (chart.kind === "points" ? pointStops : lineStops)(chart, canvas);
  const tip = element("div", {class: "tip", role: "status"});
  tip.hidden = true;
  outer.append(tip);
  let at = -1, layer = null;
  const clear = () => { layer?.remove(); tip.hidden = true; };
  const show = (index) => {
    clear();
    at = Math.min(Math.max(index, 0), stops.length - 1);
    layer = drawStop(stops[at], canvas);
    svg.append(layer);
    fillTip(tip, stops[at]);
    tip.hidden = false;
    placeTip(tip, svg, outer, stops[at], canvas);
  };
  const follow = (event) => {
    const box = svg.getBoundingClientRect(), ratio = canvas.width / box.width;
    show(nearestStop(stops, (event.clientX - box.left) * ratio, (event.clientY - box.top) * ratio));
  };
  svg.addEventListener("pointermove", follow);
  svg.addEventListener("pointerdown", follow);
  svg.addEventListener("pointerleave", clear);
  svg.addEventListener("blur", clear);
  svg.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return clear();
    const next = {ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: stops.length - 1}[event.key];
    if (next === undefined) return;
    event.preventDefault();
    show(next);
  });
};
