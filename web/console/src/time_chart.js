// A chart over time. All charts of the page show the same time and share a cursor.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

import {colour, element, whenColoursChange} from "./elements.js";
import {clock, isBreak, kEvents, tick} from "./words.js";

const kCursor = "time";
const kFont = "12px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
const kNear = 5;  // pixels from an event's mark
const kHalfLabel = 18;  // pixels of a time's label that do not fit beyond the last point

const charts = new Set();
const shown = {range: [0, 1], marks: []};

// What every chart shows from now on: [from, to] in seconds, and the events to mark.
export const showTime = (range, marks) => Object.assign(shown, {range, marks});
whenColoursChange(() => charts.forEach(({plot}) => plot.redraw(false)));

// Arrow keys: the cursor of all charts goes to a neighbouring point of time.
export const moveCursor = (key) => {
  const [first] = charts;
  if (!first) return;
  const {plot} = first, [from, to] = plot.series[0].idxs ?? [0, plot.data[0].length - 1];
  const at = plot.cursor.idx ?? to + 1;
  const next = {ArrowLeft: at - 1, ArrowRight: at + 1, Home: from, End: to}[key];
  const left = next === undefined ? -10 : plot.valToPos(plot.data[0][Math.min(Math.max(next, from), to)], "x");
  plot.setCursor({left, top: left < 0 ? -10 : plot.over.clientHeight / 2}, true, true);
};

// Small charts only hint at them.
const drawMarks = (small) => (plot) => {
  const {ctx, bbox} = plot, [from, to] = shown.range;
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const {time, kind} of shown.marks) {
    if (time < from || time > to) continue;
    const x = Math.round(plot.valToPos(time, "x", true));
    ctx.strokeStyle = ctx.fillStyle = colour(small ? "rule" : isBreak(kind) ? "worse" : "soft");
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    if (small) continue;
    ctx.beginPath();
    ctx.arc(x, bbox.top, 3 * devicePixelRatio, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.restore();
};

const markNear = (plot, time) => shown.marks.find((mark) =>
  Math.abs(plot.valToPos(mark.time, "x") - plot.valToPos(time, "x")) <= kNear);

// The time under the cursor, and what happened then; nothing where there is no cursor.
const whenRead = (plot, index) => {
  if (plot.cursor.idx === null || plot.cursor.idx === undefined) return "";
  const time = plot.data[0][index], mark = markNear(plot, time);
  return mark ? `${kEvents[mark.kind] ?? mark.kind}, ${clock(mark.time)}` : clock(time);
};

// A label that the edge would cut is left out; its tick stays.
const fits = (plot, time) => plot.valToPos(time, "x") <= plot.over.clientWidth - kHalfLabel;

const axes = (small, format) => {
  const ink = {stroke: () => colour("soft"), font: kFont};
  const grid = {stroke: () => colour("rule"), width: 1};
  if (small) return [{show: false}, {show: false}];
  return [
    {...ink, size: 30, space: 64, grid: {show: false}, ticks: {stroke: () => colour("strong-rule"), width: 1, size: 5},
      values: (plot, splits, axis, space, spacing) => splits.map((time) => fits(plot, time) ? tick(time, spacing) : "")},
    {...ink, size: 46, space: 34, grid, ticks: {show: false}, values: (plot, splits) => splits.map(format)},
  ];
};

const line = ({colour: name, dashed, filled, stepped}) => ({
  stroke: () => colour(name),
  width: dashed ? 1.5 : 2,
  dash: dashed && [5, 4],
  points: {show: false},
  spanGaps: true,
  fill: filled && (() => `${colour(name)}30`),
  // A point is the end of its span.
  paths: stepped && uPlot.paths.stepped({align: -1}),
});

const options = ({series, range, format, small}) => ({
  width: 300,
  height: small ? 64 : 170,
  legend: {show: false},
  padding: small ? [4, 0, 2, 0] : [8, 8, 0, 0],
  cursor: {
    y: false,
    drag: {x: false, y: false},
    sync: {key: kCursor},
    points:
      {size: 7, width: 1.5, stroke: () => colour("panel"), fill: (plot, index) => colour(series[index - 1].colour)}
  },
  scales: {x: {time: true, range: () => shown.range}, y: {range: (plot, low, high) => range(low ?? 0, high ?? 1)}},
  axes: axes(small, format),
  series: [{}, ...series.map(line)],
  hooks: {drawAxes: [drawMarks(small)]},
});

// `read(index)` says in words what the chart shows there, as [{colour, name, text}].
export const timeChart = ({title, hint, read, ...description}) => {
  const values = element("span", {class: "values"}), when = element("span", {class: "when"});
  const canvas = element("div", {class: "canvas", "aria-hidden": "true"});
  const node = element("figure", {}, element("figcaption", {}, title),
    ...(hint ? [element("p", {class: "note"}, hint)] : []), element("div", {class: "reading"}, values, when), canvas);

  const given = options(description);
  const showReading = (plot) => {
    if (!plot.data[0].length) return;
    const index = plot.cursor.idx ?? plot.data[0].length - 1;
    values.replaceChildren(...read(index).map(({colour: name, name: word, text}) => element("span", {},
      ...(word ? [element("i", {class: `key ${name}`}), `${word} `] : []), element("b", {}, text))));
    when.textContent = whenRead(plot, index);
  };
  given.hooks.setCursor = [showReading];
  const plot = new uPlot(given, [[], ...description.series.map(() => [])], canvas);
  const chart = {plot, node};
  charts.add(chart);

  const observer = new ResizeObserver(([{contentRect}]) => {
    if (contentRect.width > 0) plot.setSize({width: Math.floor(contentRect.width), height: given.height});
  });
  observer.observe(canvas);
  return {
    node,
    show: (columns) => { plot.setData(columns); showReading(plot); },
    remove: () => { observer.disconnect(); charts.delete(chart); plot.destroy(); node.remove(); },
  };
};
