// Draws a report from the JSON in #data:
//   {title, intro: [text], sections: [section], footer: [text]}
//   section = {title, text: [text], list: [text], tables: [table], charts: [chart]}   all but title optional
//   table   = {caption, columns: [text], rows: [[cell]]}     cell = text, number or {text, tone: "better" | "worse"}
//   chart   = {title, x_label, y_label, series: [{name, points: [[x, y]], reference: bool}]}
// Text is only ever set as text, never as markup.
"use strict";
(() => {
  const kHeight = 250;
  const kTicks = 5;  // on the y axis, about
  const kEdge = {left: 46, right: 12, top: 12, bottom: 40};
  const kSvg = "http:" + "//www.w3.org/2000/svg";  // a name, not an address: nothing is fetched

  const element = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  };
  const shape = (tag, attributes = {}, text) => {
    const node = document.createElementNS(kSvg, tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    if (text !== undefined) node.textContent = text;
    return node;
  };
  const colour = (index) => `var(--series-${index % 7})`;
  const rounded = (value) => Number(value).toFixed(1);

  // ---- tables

  const tableCell = (cell, tag) => {
    const value = cell !== null && typeof cell === "object" ? cell : {text: cell};
    const node = element(tag, value.tone ? {class: value.tone} : {}, String(value.text));
    return node;
  };
  const drawTable = (table) => {
    const node = element("table");
    if (table.caption) node.append(element("caption", {}, table.caption));
    node.append(element("thead", {}, element("tr", {}, ...table.columns.map((c) => element("th", {scope: "col"}, c)))));
    const rows = table.rows.map((row) =>
      element("tr", {}, ...row.map((cell, c) => {
        const node = tableCell(cell, c ? "td" : "th");
        if (!c) node.setAttribute("scope", "row");
        return node;
      })));
    node.append(element("tbody", {}, ...rows));
    return element("div", {class: "scroll"}, node);
  };

  // ---- charts

  // A round distance that divides the range into about `wanted` parts.
  const tickStep = (low, high, wanted) => {
    const raw = (high - low || 1) / wanted;
    const power = 10 ** Math.floor(Math.log10(raw));
    return [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw * 0.99);
  };
  const ticks = (low, high, wanted) => {
    const step = tickStep(low, high, wanted);
    const values = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i) values.push(i * step);
    return values;
  };
  const label = (value) => String(Number(value.toPrecision(10)));

  const extent = (values) => [Math.min(...values), Math.max(...values)];

  // Where data values lie on a canvas of that width.
  const makeScale = (chart, width) => {
    const points = chart.series.flatMap((s) => s.points);
    const [x0, x1] = extent(points.map((p) => p[0]));
    const [low, high] = extent(points.map((p) => p[1]));
    // From round value to round value, so that the top and the bottom line have a number.
    const step = tickStep(low, high, kTicks);
    const y0 = Math.floor(low / step) * step, y1 = Math.max(Math.ceil(high / step) * step, y0 + step);
    const right = width - kEdge.right, bottom = kHeight - kEdge.bottom;
    return {
      x0, x1, y0, y1, right, bottom,
      x: (v) => kEdge.left + (x1 > x0 ? (v - x0) / (x1 - x0) : 0.5) * (right - kEdge.left),
      y: (v) => bottom - (v - y0) / (y1 - y0) * (bottom - kEdge.top),
    };
  };

  const drawAxes = (svg, chart, scale) => {
    for (const value of ticks(scale.y0, scale.y1, kTicks)) {
      svg.append(shape("line", {class: "grid", x1: kEdge.left, x2: scale.right, y1: scale.y(value), y2: scale.y(value)}));
      svg.append(shape("text", {x: kEdge.left - 6, y: scale.y(value) + 4, "text-anchor": "end"}, label(value)));
    }
    for (const value of ticks(scale.x0, scale.x1, 6))
      svg.append(shape("text", {x: scale.x(value), y: scale.bottom + 16, "text-anchor": "middle"}, label(value)));
    svg.append(shape("text", {x: (kEdge.left + scale.right) / 2, y: kHeight - 5, "text-anchor": "middle"}, chart.x_label));
    const middle = (kEdge.top + scale.bottom) / 2;
    svg.append(shape("text", {x: 12, y: middle, "text-anchor": "middle", transform: `rotate(-90 12 ${middle})`}, chart.y_label));
  };

  const drawLines = (svg, chart, scale) => chart.series.forEach((series, index) => {
    const path = series.points.map(([x, y], i) => `${i ? "L" : "M"}${scale.x(x).toFixed(1)} ${scale.y(y).toFixed(1)}`).join("");
    svg.append(shape("path", {class: "line" + (series.reference ? " reference" : ""), d: path, stroke: colour(index)}));
  });

  const tipFor = (chart, x) => {
    const found = chart.series
      .map((series, index) => ({name: series.name, index, point: series.points.find((p) => p[0] === x)}))
      .filter((entry) => entry.point)
      .sort((a, b) => b.point[1] - a.point[1]);
    const body = element("tbody");
    for (const entry of found)
      body.append(element("tr", {},
        element("th", {}, element("span", {class: "key", style: `background:${colour(entry.index)}`}), entry.name),
        element("td", {}, rounded(entry.point[1]))));
    const tip = element("div", {class: "tip"}, `${chart.x_label} ${label(x)}`, element("table", {}, body));
    return {tip, found};
  };

  // A line through the nearest x, a dot on every series, and the figures beside it.
  const makeCrosshair = (figure, svg, chart, scale) => {
    const xs = [...new Set(chart.series.flatMap((s) => s.points.map((p) => p[0])))].sort((a, b) => a - b);
    let marks = [], at = -1;
    const clear = () => { marks.forEach((mark) => mark.remove()); marks = []; };
    const show = (index) => {
      clear();
      at = index;
      const x = xs[index], left = scale.x(x);
      const {tip, found} = tipFor(chart, x);
      marks.push(shape("line", {class: "cross", x1: left, x2: left, y1: kEdge.top, y2: scale.bottom}));
      for (const entry of found)
        marks.push(shape("circle", {cx: left, cy: scale.y(entry.point[1]), r: 3.5, fill: colour(entry.index)}));
      svg.append(...marks);
      figure.append(tip);
      marks.push(tip);
      const box = svg.getBoundingClientRect(), outer = figure.getBoundingClientRect();
      const centre = box.left - outer.left + left * box.width / svg.viewBox.baseVal.width;
      const beside = centre + 12 + tip.offsetWidth > outer.width ? centre - 12 - tip.offsetWidth : centre + 12;
      tip.style.left = `${Math.max(4, beside)}px`;
      tip.style.top = `${box.top - outer.top + 8}px`;
    };
    const nearest = (event) => {
      const box = svg.getBoundingClientRect();
      const here = (event.clientX - box.left) * svg.viewBox.baseVal.width / box.width;
      return xs.reduce((best, x, i) => Math.abs(scale.x(x) - here) < Math.abs(scale.x(xs[best]) - here) ? i : best, 0);
    };
    svg.addEventListener("pointermove", (event) => show(nearest(event)));
    svg.addEventListener("pointerdown", (event) => show(nearest(event)));
    svg.addEventListener("pointerleave", clear);
    svg.addEventListener("blur", clear);
    svg.addEventListener("keydown", (event) => {
      const move = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      if (!move) return;
      event.preventDefault();
      show(Math.min(Math.max(at < 0 ? 0 : at + move, 0), xs.length - 1));
    });
  };

  const drawCanvas = (figure, chart) => {
    figure.querySelectorAll(":scope > svg, :scope > .tip").forEach((old) => old.remove());
    const style = getComputedStyle(figure);
    const width = Math.max(240, Math.round(figure.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)));
    const svg = shape("svg", {viewBox: `0 0 ${width} ${kHeight}`, role: "img", tabindex: 0,
      "aria-label": `${chart.title}: ${chart.y_label} over ${chart.x_label}. Arrow keys read the figures.`});
    const scale = makeScale(chart, width);
    drawAxes(svg, chart, scale);
    drawLines(svg, chart, scale);
    figure.querySelector("figcaption").after(svg);
    makeCrosshair(figure, svg, chart, scale);
  };

  const figuresOf = (chart) => {
    const xs = [...new Set(chart.series.flatMap((s) => s.points.map((p) => p[0])))].sort((a, b) => a - b);
    const rows = xs.map((x) => [label(x), ...chart.series.map((s) => {
      const point = s.points.find((p) => p[0] === x);
      return point ? rounded(point[1]) : "";
    })]);
    return element("details", {}, element("summary", {}, "Figures"),
      drawTable({columns: [chart.x_label, ...chart.series.map((s) => s.name)], rows}));
  };

  const drawChart = (chart) => {
    const figure = element("figure", {}, element("figcaption", {}, chart.title), figuresOf(chart));
    let drawn = 0;
    new ResizeObserver(() => {
      if (figure.clientWidth === drawn) return;
      drawn = figure.clientWidth;
      drawCanvas(figure, chart);
    }).observe(figure);
    return figure;
  };

  const drawLegend = (charts) => {
    const entries = charts[0].series.map((series, index) => {
      const key = shape("svg", {viewBox: "0 0 26 10", "aria-hidden": "true"});
      key.append(shape("path", {class: "line" + (series.reference ? " reference" : ""), d: "M2 5H24", stroke: colour(index)}));
      const entry = element("li", {}, key, series.name);
      return entry;
    });
    return element("ul", {class: "legend"}, ...entries);
  };

  // ---- the page

  const drawSection = (section) => {
    const node = element("section", {}, element("h2", {}, section.title));
    for (const text of section.text || []) node.append(element("p", {}, text));
    if (section.list) node.append(element("ul", {}, ...section.list.map((text) => element("li", {}, text))));
    for (const table of section.tables || []) node.append(drawTable(table));
    if (section.charts && section.charts.length)
      node.append(drawLegend(section.charts), element("div", {class: "charts"}, ...section.charts.map(drawChart)));
    return node;
  };

  const report = JSON.parse(document.getElementById("data").textContent);
  const main = document.getElementById("report");
  main.replaceChildren(element("h1", {}, report.title));
  for (const text of report.intro || []) main.append(element("p", {}, text));
  for (const section of report.sections || []) main.append(drawSection(section));
  main.append(element("footer", {}, ...(report.footer || []).map((text) => element("div", {}, text))));
})();
