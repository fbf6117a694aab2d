// Assesses the figures of a stream by the rules of docs/health.md, "worry when".
import {early, recent} from "./history.js";
import {decimal, degrees, duration, interval, isBreak, kModes, percent, share} from "./words.js";

const kMinPoints = 12;  // points before anything can be compared with how it began

const isKnown = (value) => value !== null && value !== undefined;
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

const collapse = (begin, now) => {
  if (!isKnown(begin.dispersion) || !isKnown(now.dispersion) || now.dispersion > 0.8 * begin.dispersion) return null;
  return {
    level: "worse",
    text: `Classes are running into each other: they are ${percent(1 - now.dispersion / begin.dispersion)} ` +
      "closer together than in the beginning. Consider rolling back to an earlier snapshot."
  };
};

const swallowing = (begin, now, classes) => {
  const most = Math.max(...now.proportions), name = classes[now.proportions.indexOf(most)];
  if (classes.length < 3 || most < 0.8 || !(now.flip_rate > 1 / 3)) return null;
  return {
    level: "worse",
    text: `${percent(most)} of the answers are “${name}”, and the source would often say otherwise. ` +
      "The adaptation may have collapsed: consider rolling back."
  };
};

const disagreement = (begin, now) => !(now.flip_rate > 1 / 3) ? null : {
  level: "notice",
  text:
    `${percent(now.flip_rate)} of the answers differ from the source, more than a third. Check some of them by hand.`
};

const accuracyFalls = (begin, now) => {
  const before = begin.estimated_accuracy?.value, value = now.estimated_accuracy?.value;
  if (!isKnown(before) || !isKnown(value) || value > before - 0.08) return null;
  return {
    level: "notice",
    text: `Estimated accuracy fell from ${percent(before)} in the beginning to ${percent(value)}. ` +
      "Labels of recent rows, even a few, would tell more."
  };
};

const trustFalls = (begin, now, classes, points) => {
  const usual = median(points.map((point) => point.trust).filter(isKnown));
  if (!isKnown(now.trust) || usual < 0.4 || now.trust > usual / 2) return null;
  return {level: "notice", text: `Trust in the adaptation fell from ${decimal(usual)} to ${decimal(now.trust)}: ` +
    "the source answers more and more by itself."};
};

const runaway = (begin, now, classes) => {
  const moved = now.movement ?? [];
  if (moved.length < 3) return null;
  const most = Math.max(...moved), usual = median(moved);
  if (most < Math.PI / 8 || most < 2.5 * usual) return null;
  return {level: "notice", text: `“${classes[moved.indexOf(most)]}” has moved ${degrees(most)} from its source, ` +
    `the others about ${degrees(usual)}. Check answers of that class.`};
};

// The points of what answers now.
const sinceBreak = (points, events) => {
  const begun = Math.max(0, ...events.filter(({kind}) => isBreak(kind)).map(({time}) => time));
  return points.filter(({time, span}) => time - span >= begun);
};

// The worst first; null where it is too early to judge.
export const warnings = (history, events) => {
  const {classes} = history, points = sinceBreak(history.points, events);
  if (points.length < kMinPoints) return null;
  const begin = early(points), now = recent(points);
  const all = [collapse, swallowing, disagreement, accuracyFalls, trustFalls, runaway]
    .map((rule) => rule(begin, now, classes, points)).filter(Boolean);
  return all.sort((a, b) => (b.level === "worse") - (a.level === "worse"));
};

// One sentence for who looks for the first time, and the figures behind it.
export const sentence = (mode, found, points) => {
  const {state} = kModes[mode] ?? {state: mode};
  if (!points.length) return `${state}. No traffic since the service began.`;
  if (found === null) return `${state}. Too early to judge.`;
  if (found.some(({level}) => level === "worse")) return `${state}. Something is wrong.`;
  return found.length ? `${state}. Worth a look.` : `${state}. Nothing unusual.`;
};

export const detail = (mode, all, events, time) => {
  if (!all.length) return "The adapted state is kept; charts start with the next batch.";
  const points = sinceBreak(all, events);
  if (!points.length) return "The stream was reset; charts start with the next batches.";
  const now = recent(points), parts = [];
  const differ = mode === "shadow" ? "would differ" : "differ";
  if (isKnown(now.flip_rate)) parts.push(`${share(now.flip_rate)} of answers ${differ} from the source`);
  if (isKnown(now.estimated_accuracy)) parts.push(`estimated accuracy ${interval(now.estimated_accuracy)}`);
  const quiet = time - points.at(-1).time;
  return `${parts.length ? `${parts.join("; ")}.` : ""}${quiet > 60 ? ` No traffic for ${duration(quiet)}.` : ""}`
    .trim();
};
