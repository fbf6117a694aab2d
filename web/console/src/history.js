// A stream's history: points that follow each other in time.
import {kLevels} from "./words.js";

const kMost = 512;

const weighed = (a, b, first, second) => {
  if (first === null || first === undefined) return second;
  if (second === null || second === undefined) return first;
  if (Array.isArray(first)) return first.map((value, index) => weighed(a, b, value, second[index]));
  return a + b > 0 ? (a * first + b * second) / (a + b) : second;
};
const worse = (first, second) => kLevels[Math.max(kLevels.indexOf(first), kLevels.indexOf(second))] ?? null;

// Two neighbours as one: figures are weighed by the rows they are the means of, the warning level is the worse one, and
// who answers is who answered last.
export const merge = (first, second) => {
  const merged = {}, {warning, guard, ...figures} = second;
  for (const name of Object.keys(figures)) merged[name] = weighed(first.rows, second.rows, first[name], second[name]);
  return {...merged, warning: worse(first.warning, warning), guard: guard ?? first.guard, time: second.time,
    span: second.time - first.time + first.span, batches: first.batches + second.batches,
    rows: first.rows + second.rows};
};

// The points with one more; those that it covers give way to it, and a page that stays open for days keeps its size.
export const withPoint = (points, point) => {
  const begin = point.time - point.span;
  const before = points.filter((old) => old.time - old.span / 2 < begin);
  const all = [...before, point];
  if (all.length <= kMost) return all;
  const halved = [];
  for (let index = 0; index + 1 < all.length; index += 2) halved.push(merge(all[index], all[index + 1]));
  return all.length % 2 ? [...halved, all.at(-1)] : halved;
};

// As fine as can be seen: neighbours are merged until each point lasts so many seconds. Live points are finer than
// those of the past, and would be drawn as a scribble at the end.
export const thinned = (points, seconds) => points.reduce((all, point) => {
  const last = all.at(-1), gap = last && point.time - point.span - last.time;
  if (last && last.span < seconds && gap < seconds) all[all.length - 1] = merge(last, point);
  else all.push(point);
  return all;
}, []);

// The last points that together hold so many rows, as one.
export const recent = (points, rows = 1000) => {
  let sum = points.at(-1);
  for (let index = points.length - 2; index >= 0 && sum.rows < rows; --index) sum = merge(points[index], sum);
  return sum;
};

// How it began: the first tenth, at least three points.
export const early = (points) => points.slice(0, Math.max(3, Math.round(points.length / 10))).reduce(merge);
