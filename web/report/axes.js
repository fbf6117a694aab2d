// The canvas of a chart: its size, the positions of values, and the axes.

const kEdge = {right: 16, top: 12, line: 14, title: 22};

const heightFor = (chart, width) => {
  if (!chart.points.length) return 90;
  return Math.round(chart.axes ? Math.min(360, Math.max(250, width * 0.42)) : Math.min(width, 460));
};

// A map: one scale for both directions, so that distances can be compared.
const makeMap = (chart, width, height) => {
  const [x0, x1] = extent(chart.points.map((point) => point.x));
  const [y0, y1] = extent(chart.points.map((point) => point.y));
  const unit = Math.min((width - 24) / (x1 - x0 || 1), (height - 24) / (y1 - y0 || 1));
  return {width, height, left: 0, right: width, top: 0, bottom: height,
    x: (value) => width / 2 + (value - (x0 + x1) / 2) * unit,
    y: (value) => height / 2 - (value - (y0 + y1) / 2) * unit};
};

const makeCanvas = (chart, width) => {
  const flat = heightFor(chart, width);
  if (!chart.points.length || !chart.axes) return makeMap(chart, width, flat);
  const [least, most] = chart.y_range || [-Infinity, Infinity];
  const within = (value) => Math.min(most, Math.max(least, value));
  const edges = chart.points.flatMap(({y, spread}) => [within(y - spread), within(y + spread)]);
  const vertical = roundRange(extent(edges), kTicks);
  const digits = Math.min(20, Math.max(0, -Math.floor(Math.log10(vertical.step) + 1e-9)));  // as many as the step has
  const rows = multiples(vertical.low, vertical.high, vertical.step).map((y) => ({y, text: rounded(y, digits)}));
  const numbers = (chart.y_label ? 24 : 8) + Math.max(...rows.map(({text}) => text.length)) * kLetter + 6;
  const right = width - kEdge.right;
  const horizontal = makeHorizontal(chart, right - numbers);
  const columns = nameTicks(chart, horizontal.ticks, right - numbers);
  const left = Math.max(numbers, columns.reach), height = flat + columns.depth - kEdge.line;
  const bottom = height - columns.depth - 6 - (chart.x_label ? kEdge.title : 4);
  const {forward, low, high} = horizontal;
  return {width, height, left, right, top: kEdge.top, bottom, rows, columns,
    x: (value) => left + (high > low ? (forward(value) - low) / (high - low) : 0.5) * (right - left),
    y: (value) => bottom - (within(value) - vertical.low) / (vertical.high - vertical.low) * (bottom - kEdge.top)};
};

const drawColumns = (svg, canvas) => {
  const {leans, pairs} = canvas.columns;
  for (const {x, text} of pairs) {
    const at = canvas.x(x), end = at + 4, below = canvas.bottom + 12;
    svg.append(shape("line", {class: "tick", x1: at, x2: at, y1: canvas.bottom, y2: canvas.bottom + 4}));
    svg.append(leans
      ? shape("text", {x: end, y: below, "text-anchor": "end", transform: `rotate(${-kLean} ${end} ${below})`}, text)
      : shape("text", {x: at, y: canvas.bottom + 18, "text-anchor": "middle"}, text));
  }
};

const drawAxes = (svg, chart, canvas) => {
  for (const row of canvas.rows) {
    const y = canvas.y(row.y);
    svg.append(shape("line", {class: "grid", x1: canvas.left, x2: canvas.right, y1: y, y2: y}),
      shape("text", {x: canvas.left - 6, y: y + 4, "text-anchor": "end"}, row.text));
  }
  drawColumns(svg, canvas);
  const centre = (canvas.left + canvas.right) / 2, middle = (canvas.top + canvas.bottom) / 2;
  const title = {class: "title", "text-anchor": "middle"};
  svg.append(shape("text", {...title, x: centre, y: canvas.height - 5}, chart.x_label),
    shape("text", {...title, x: 13, y: middle, transform: `rotate(-90 13 ${middle})`}, chart.y_label));
};
