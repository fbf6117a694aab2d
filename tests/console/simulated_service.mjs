// The models, streams, snapshots and events that the fixture serves, kept in memory and changed by requests.
import {simulation} from "./simulation.mjs";

const kPoints = 120, kSpan = 10;
const now = () => Date.now() / 1000;

const kTraffic = ["car", "pedestrian", "bicycle", "bus", "truck", "van"];
const kSpecies = [
  "badger", "bear", "beaver", "bison", "boar", "crane", "deer", "duck", "eagle", "fox", "goose", "hare", "heron",
  "lynx", "marten", "moose", "otter", "owl", "rabbit", "raven", "stork", "swan", "weasel", "wolf"
];

const stream = (classes, options = {}) => {
  const start = now() - kPoints * kSpan, next = simulation({classes, start, span: kSpan, length: kPoints, ...options});
  const points = Array.from({length: kPoints}, next);
  const sum = (name) => points.reduce((total, point) => total + point[name], 0);
  return {classes, next, points, batches: sum("batches"), rows: sum("rows"), updated: now(), snapshots: [], events: []};
};

const model = (name, classes, streams, more = {}) => ({
  name,
  method: "stad-safe",
  options: {},
  mode: "active",
  classes,
  dimension: 512,
  source: "5d1e3f0a",
  durability: "interval",
  interval: 1,
  on_disk: true,
  streams,
  ...more
});

// What `Model` and `Stream` of the service look like.
export const modelLine = ({streams, ...rest}) => ({
  ...rest,
  streams: {resident: streams.size, kept: streams.size},
  batches: [...streams.values()].reduce((sum, {batches}) => sum + batches, 0),
  rows: [...streams.values()].reduce((sum, {rows}) => sum + rows, 0)
});
export const streamLine = (name, {batches, rows, updated}) =>
  ({stream: name, batches, rows, updated, bytes: 84_112, resident: true});
export const streamWhole = (owner, name, {classes, points, batches, rows}) => {
  const last = points.at(-1);
  return {
    model: owner.name,
    stream: name,
    mode: owner.mode,
    method: owner.method,
    options: owner.options,
    classes,
    batches,
    rows,
    resident: true,
    dirty: false,
    history: {classes, points},
    health: last &&
      {
        confidence: last.confidence, flip_rate: last.flip_rate, warning: last.warning, guard: last.guard,
          dispersion: last.dispersion, movement: last.movement,
          evidence: last.proportions.map((share) => 1000 * share)
      }
  };
};

export const note = (owner, target, kind, detail, time = now()) => {
  const event = {time, kind, detail};
  target.events.unshift(event);
  return event;
};

let lastSnapshot = 11;
export const keep = (target, text, time = now(), batches = target.batches) => {
  const line = {id: ++lastSnapshot, created: time, note: text, batches, bytes: 84_112};
  target.snapshots.unshift(line);
  return line;
};

// The next point, as of now.
export const advance = (target) => {
  const time = now(), span = Math.min(kSpan, time - target.points.at(-1).time), whole = target.next();
  const point = {...whole, time, span, rows: Math.round(whole.rows * span / kSpan), batches: 1};
  target.points.push(point);
  target.batches += point.batches;
  target.rows += point.rows;
  target.updated = point.time;
  return point;
};

export const makeService = () => {
  const crossing = stream(kTraffic, {seed: 7});
  const demo = model("demo", kTraffic, new Map([["", stream(kTraffic, {seed: 3})], ["crossing-north", crossing],
    ["harbour", stream(kTraffic, {seed: 5})], ["tunnel", stream(kTraffic, {seed: 9, collapse: 1})]]));
  for (const [name, target] of demo.streams) {
    const first = keep(target, "after the first hour", now() - 900, 310);
    note(demo, target, "snapshot", `Snapshot ${first.id} was taken: after the first hour.`, now() - 900);
    note(demo, target, "mode", `${demo.name} went from shadow to active.`, now() - 700);
    const second = keep(target, "", now() - 260, 940);
    note(demo, target, "snapshot", `Snapshot ${second.id} was taken${name === "" ? "" : ` of ${name}`}.`, now() - 260);
  }
  const wild = Array.from({length: 130}, (_, index) => [`camera-${String(index).padStart(3, "0")}`, null]);
  const animals =
    model("animals", kSpecies, new Map(wild.map(([name], index) => [name, stream(kSpecies, {seed: 20 + index, guarded: false})])),
      {method: "stad-vmf", options: {window: 3}, mode: "shadow", durability: "batch", dimension: 1024});
  const quiet = model("quiet", ["no", "yes"], new Map(), {durability: "none", dimension: 64});
  return {models: new Map([demo, animals, quiet].map((each) => [each.name, each])), begin: (owner, name) => {
    owner.streams.set(name, stream(owner.classes, {seed: 99}));
    return owner.streams.get(name);
  }};
};
