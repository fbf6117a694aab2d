// The charts that say how a stream fares.
import {byId} from "./elements.js";
import {timeChart} from "./time_chart.js";
import {count, degrees, kLevels, percent, share} from "./words.js";

const kThird = 1 / 3;
const kDegree = Math.PI / 180;

// Steps of nice size around what is shown, so that noise does not fill the chart.
const around = (step, least, most) => (low, high) =>
  [Math.max(least, Math.floor(low / step - 0.2) * step), Math.min(most, Math.ceil(high / step + 0.2) * step)];

const isTold = (value) => value !== null && value !== undefined;
const text = (value, words) => isTold(value) ? words(value) : "not known";
// Methods that leave the prototypes where the source has them have no distances to show.
const hasMoved = (movement) => movement?.some((angle) => angle > 1e-3);

// `of` draws the columns out of points; a chart is left out where no point `has` something to show.
const kCharts = [
  {
    title: "How sure the answers are",
    hint: "Good: adapted at or above source. Bad: both sink, the data drift faster than the adaptation follows.",
    series: [{colour: "series-3"}, {colour: "series-0", dashed: true}],
    range: around(0.1, 0, 1),
    format: (value) => percent(value),
    has: ({confidence}) => isTold(confidence),
    of: (points) => [points.map((point) => point.confidence), points.map((point) => point.source_confidence)],
    read: ({confidence, source_confidence: source}) => [
      {colour: "series-3", name: "adapted", text: text(confidence, share)},
      {colour: "series-0", name: "source", text: text(source, share)},
    ]
  },
  {
    title: "Warning level",
    hint: "How much accuracy the source has probably lost, told without labels. Bad: it stays at act.",
    series: [{colour: "series-4", filled: true, stepped: true}],
    range: () => [0, 2.2],
    format: (value) => kLevels[value] ?? "",
    has: ({warning}) => isTold(warning),
    of: (points) => [points.map(({warning}) => isTold(warning) ? kLevels.indexOf(warning) : null)],
    read: ({warning}) => [{text: text(warning, (level) => level)}]
  },
  {
    title: "Answers that differ from the source",
    hint: "Good: level, below a third. Bad: a jump, or long above the dashed third.",
    series: [{colour: "series-1", filled: true}, {colour: "worse", dashed: true}],
    range: (low, high) => [0, Math.max(0.4, Math.ceil(high * 10) / 10)],
    format: (value) => percent(value),
    has: ({flip_rate: rate}) => isTold(rate),
    of: (points) => [points.map((point) => point.flip_rate), points.map(() => kThird)],
    read: ({flip_rate: rate}) => [{text: text(rate, share)}]
  },
  {
    title: "Rows that label chains answered",
    hint: "The others are answered by the source. Neither is bad: chains answer where labels persist.",
    series: [{colour: "series-5", filled: true}],
    range: () => [0, 1],
    format: (value) => percent(value),
    has: ({chains}) => isTold(chains),
    of: (points) => [points.map(({chains}) => chains)],
    read: ({chains}) => [{text: text(chains, share)}]
  },
  {
    title: "How far classes are apart",
    hint: "Mean angle between two prototypes. Good: level. Bad: it shrinks, classes run into each other.",
    series: [{colour: "series-2"}],
    range: around(10, 0, 180),
    format: (value) => `${value}°`,
    has: ({dispersion, movement}) => isTold(dispersion) && hasMoved(movement),
    of: (points) => [points.map(({dispersion}) => (dispersion ?? null) && dispersion / kDegree)],
    read: ({dispersion}) => [{text: text(dispersion, (value) => degrees(value, 1))}]
  },
  {
    title: "Traffic",
    hint: "Rows answered in a second.",
    series: [{colour: "series-8", filled: true}],
    range: (low, high) => [0, Math.max(1, high * 1.15)],
    format: (value) => count(value),
    has: () => true,
    of: (points) => [points.map(({rows, span}) => rows / Math.max(span, 1e-3))],
    read: ({rows, span}) => [{text: `${count(Math.round(rows / Math.max(span, 1e-3)))} rows/s`}]
  },
];

export const largeCharts = () => {
  let points = [];
  const all =
    kCharts.map((chart) => ({...chart, drawn: timeChart({...chart, read: (index) => chart.read(points[index])})}));
  byId("large").replaceChildren(...all.map(({drawn}) => drawn.node));
  return {
    show: (history) => {
      ({points} = history);
      for (const {drawn, has, of} of all) {
        drawn.node.hidden = !points.some(has);
        if (!drawn.node.hidden) drawn.show([points.map(({time}) => time), ...of(points)]);
      }
    },
    remove: () => all.forEach(({drawn}) => drawn.remove()),
  };
};
