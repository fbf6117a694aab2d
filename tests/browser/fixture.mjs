// A report with every allowed field and some invalid values: see web/report/page.js.

// The same numbers on every run, between 0 and 1.
const makeRandom = (seed) => () => {
  seed = (seed * 1664525 + 1013904223) % 4294967296;
  return seed / 4294967296;
};
const random = makeRandom(7);
const around = (centre, width) => centre + width * (random() + random() + random() - 1.5);

const kMethods = ["t3a", "lame", "tent", "cotta", "rotta", "sar", "norm", "shot", "stad-vmf", "stad-gauss"];

const curve = (level, slope) =>
  Array.from({length: 24}, (_, step) => [1930 + 4 * step, around(level - slope * step, 1.5), 1 + random()]);

const methodSeries = (points) => [
  {name: "source", reference: true, points: points(68, 1.2)},
  ...kMethods.map((name, index) => ({name, points: points(70 + 2.2 * index, 1.1 - 0.1 * index)})),
];

const timeChart = (title) => ({title, x_label: "year", y_label: "accuracy in %", series: methodSeries(curve)});

const batchSizes = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048];
const batchChart = {
  title: "accuracy by batch size", x_label: "batch size", y_label: "accuracy in %", x_scale: "log", y_digits: 2,
  note: "Mean and standard deviation of five seeds.",
  series: [
    {name: "source", reference: true, points: batchSizes.map((size) => [size, 60])},
    {name: "oracle", reference: true, points: batchSizes.map((size) => [size, 92])},
    {name: "tent", mark: "ring",
      points: batchSizes.map((size) => [size, 30 + 4.6 * Math.log2(size), 6 - 0.45 * Math.log2(size)])},
    {name: "stad-vmf", mark: "diamond", points: batchSizes.map((size) => [size, 80 + 0.6 * Math.log2(size), 1.5])},
  ],
};

const costChart = {
  title: "accuracy and cost", kind: "points", x_label: "milliseconds a batch", y_label: "accuracy in %", x_scale: "log",
  series: [
    {name: "source", reference: true, points: [[0.4, 61.2]]},
    ...kMethods.map((name, index) => ({
      name, mark: ["dot", "ring", "cross", "diamond"][index % 4], points: [[0.7 * 1.9 ** index, around(75, 9), 1.2]],
    })),
  ],
};

// Ten clusters of a hundred samples, and the estimated centre of each class.
const centres = Array.from({length: 10}, () => [around(0, 60), around(0, 40)]);
const map = (title) => ({
  title, kind: "points", axes: false,
  series: [
    ...centres.map(([x, y], index) => ({
      name: `class ${index}`, points: Array.from({length: 100}, () => [around(x, 8), around(y, 8)]),
    })),
    {name: "prototypes", reference: true, mark: "diamond", points: centres},
  ],
});

const corruptions = ["gaussian noise", "shot noise", "impulse noise", "defocus blur", "glass blur", "motion blur",
  "zoom blur", "snow", "frost", "fog", "brightness", "contrast", "elastic transform", "pixelate", "jpeg compression"];
const corruptionChart = {
  title: "accuracy by corruption", x_label: "corruption", y_label: "accuracy in %",
  x_names: corruptions.map((name, x) => [x, name]),
  series: ["source", "tent", "stad-gauss"].map((name, index) =>
    ({name, points: corruptions.map((_, x) => [x, around(55 + 12 * index, 8)])})),
};

const severityChart = {
  title: "error by severity", x_label: "severity", y_label: "error", y_digits: 3,
  x_names: [[1, "mild"], [2, "fair"], [3, "harsh"]],
  series: [{name: "tent", points: [[1, 0.12], [2, 0.19], [3, 0.42]]},
    {name: "sar", points: [[1, 0.11], [2, 0.16], [3, 0.25]]}],
};

const row = (name, best, second) => [name, ...Array.from({length: 12}, (_, column) => {
  const text = around(75, 12).toFixed(1);
  if (column === best) return {text, rank: 1, tone: "better", note: "\u00b1 0.4"};
  if (column === second) return {text, rank: 2, note: "\u00b1 1.1"};
  if (column === 11) return {text: "out of memory", tone: "faint"};
  return {text, tone: column === 7 ? "worse" : undefined, note: "\u00b1 0.9"};
})];

const mainTable = {
  caption: "Accuracy in %, mean and standard deviation over five seeds. Bold is best, underlined second.",
  groups: [{title: "Yearbook", span: 4}, {title: "EVIS", span: 4}, {title: "FMoW-Time", span: 4}],
  columns: ["method", ...["uniform", "sorted", "online", "batch of 1"].flatMap((name) => [name, name, name]).slice(0, 12)],
  rows: [
    row("source", -1, -1),
    {heading: "adapt the features"}, row("batch norm", 2, 5), row("tent", -1, 1), row("a method with a very long name", 8, 9),
    {heading: "adapt the classifier"}, row("t3a", -1, 3), row("lame", 6, 10), row("stad-vmf", 1, 2), row("stad-gauss", 3, 6),
  ],
};

const dataTable = {
  caption: "What was run",
  columns: ["data", "what it is", "classes", "samples", "fetched"],
  rows: [["Yearbook", "Portraits of pupils, 1930 to 2013; the hair changes, the task does not", 2, "37 921", "yes"],
    ["EVIS", "Vehicles and electronics found by year", 10, "57 600", "yes"],
    ["FMoW-Time", "Satellite views of land use", 62, "141 696", null]],
};

const steps = {x_label: "step", y_label: "accuracy in %"};
const poorCharts = [
  {...steps, title: "a single x", series: [{name: "tent", points: [[3, 71, 2]]}, {name: "sar", points: [[3, 75]]}]},
  {...steps, title: "gaps", series: [{name: "empty", points: []}, {name: "tent",
    points: [[1, 70, 2], [2, 71, 2], [3, null], [4, 73, null], [5, null, 1], null, [6, 74, 1], [7, 73, 3]]}]},
  {...steps, title: "a constant", series: [{name: "tent", points: [[1, 0], [2, 0], [3, 0]]}]},
  {...steps, title: "nothing at all", series: [{name: "tent", points: []}, {name: "sar"}]},
];

export const report = {
  title: "Ten methods on three drifting streams <b>&amp; more</b>",
  intro: ["A report of everything the page can show. Text stays text: <script>alert(1)</script>.",
    "Figures are invented."],
  sections: [
    {title: "Summary", text: ["Which method should be used, and when."], tables: [mainTable],
      list: ["stad-vmf keeps its figures with batches of one.", "lame is best where classes come sorted."]},
    {title: "Data", text: ["Three streams with time stamps."], tables: [dataTable],
      notice: "FMoW-Time was not found in data/fmow; its columns are from the last run that had it."},
    {title: "Accuracy over time", text: ["Bands are a standard deviation wide on either side."],
      charts: [timeChart("Yearbook"), timeChart("EVIS"), timeChart("FMoW-Time")]},
    {title: "Batch size", charts: [batchChart]},
    {title: "Accuracy and cost", charts: [costChart]},
    {title: "Corruptions", charts: [corruptionChart, severityChart]},
    {title: "Where the features lie", text: ["A map of a thousand samples before and after."],
      charts: [map("before the drift"), map("after the drift")]},
    {title: "Summary", text: ["A section of the same title, with charts that have little to draw."], charts: poorCharts},
  ],
  footer: ["Made by hand."],
};
