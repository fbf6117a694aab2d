// The six charts that say how a stream fares.
import {byId} from "./elements.js";
import {timeChart} from "./time_chart.js";
import {count, decimal, degrees, interval, percent, share} from "./words.js";

const kThird = 1 / 3;
const kDegree = Math.PI / 180;

// Steps of nice size around what is shown, so that noise does not fill the chart.
const around = (step, least, most) => (low, high) =>
  [Math.max(least, Math.floor(low / step - 0.2) * step), Math.min(most, Math.ceil(high / step + 0.2) * step)];

const text = (value, words) => value === null || value === undefined ? "not known" : words(value);

// `of` draws the columns out of points; a chart whose `needs` is told by no point is left out.
const kCharts = [
  {
    title: "How sure the answers are",
    hint: "Good: adapted at or above source. Bad: both sink, the data drift faster than the adaptation follows.",
    series: [{colour: "series-3"}, {colour: "series-0", dashed: true}],
    range: around(0.1, 0, 1),
    format: (value) => percent(value),
    needs: "confidence",
    of: (points) => [points.map((point) => point.confidence), points.map((point) => point.source_confidence)],
    read: ({confidence, source_confidence: source}) => [
      {colour: "series-3", name: "adapted", text: text(confidence, share)},
      {colour: "series-0", name: "source", text: text(source, share)},
    ]
  },
  {
    title: "Estimated accuracy",
    hint: "Told without labels. Good: high and level. Bad: it falls; plan with the low end of the band.",
    series: [{colour: "series-4"}, {colour: "series-4", hidden: true}, {colour: "series-4", hidden: true}],
    bands: [[3, 2]],
    range: around(0.1, 0, 1),
    format: (value) => percent(value),
    needs: "estimated_accuracy",
    of: (points) => ["value", "low", "high"].map(
      (name) => points.map((point) => point.estimated_accuracy?.[name] ?? null)),
    read: ({estimated_accuracy: told}) => [{text: text(told, interval)}]
  },
  {
    title: "Answers that differ from the source",
    hint: "Good: level, below a third. Bad: a jump, or long above the dashed third.",
    series: [{colour: "series-1", filled: true}, {colour: "worse", dashed: true}],
    range: (low, high) => [0, Math.max(0.4, Math.ceil(high * 10) / 10)],
    format: (value) => percent(value),
    needs: "flip_rate",
    of: (points) => [points.map((point) => point.flip_rate), points.map(() => kThird)],
    read: ({flip_rate: rate}) => [{text: text(rate, share)}]
  },
  {
    title: "Trust in the adaptation",
    hint: "1: the adapted classifier answers. 0: the source does. Bad: it falls and stays down.",
    series: [{colour: "series-5"}],
    range: () => [0, 1],
    format: (value) => value.toFixed(1),
    needs: "trust",
    of: (points) => [points.map((point) => point.trust)],
    read: ({trust}) => [{text: text(trust, decimal)}]
  },
  {
    title: "How far classes are apart",
    hint: "Mean angle between two prototypes. Good: level. Bad: it shrinks, classes run into each other.",
    series: [{colour: "series-2"}],
    range: around(10, 0, 180),
    format: (value) => `${value}°`,
    needs: "dispersion",
    of: (points) => [points.map(({dispersion}) => (dispersion ?? null) && dispersion / kDegree)],
    read: ({dispersion}) => [{text: text(dispersion, (value) => degrees(value, 1))}]
  },
  {
    title: "Traffic",
    hint: "Rows answered in a second.",
    series: [{colour: "series-8", filled: true}],
    range: (low, high) => [0, Math.max(1, high * 1.15)],
    format: (value) => count(value),
    needs: "rows",
    of: (points) => [points.map(({rows, span}) => rows / Math.max(span, 1e-3))],
    read: ({rows, span}) => [{text: `${count(Math.round(rows / Math.max(span, 1e-3)))} rows/s`}]
  },
];

const isTold = (points, name) => points.some((point) => point[name] !== null && point[name] !== undefined);

export const largeCharts = () => {
  let points = [];
  const all =
    kCharts.map((chart) => ({...chart, drawn: timeChart({...chart, read: (index) => chart.read(points[index])})}));
  byId("large").replaceChildren(...all.map(({drawn}) => drawn.node));
  return {
    show: (history) => {
      ({points} = history);
      for (const {drawn, needs, of} of all) {
        drawn.node.hidden = !isTold(points, needs);
        if (!drawn.node.hidden) drawn.show([points.map(({time}) => time), ...of(points)]);
      }
    },
    remove: () => all.forEach(({drawn}) => drawn.remove()),
  };
};
