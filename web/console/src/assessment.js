// Assesses the figures of a stream by the rules of docs/health.md, "worry when".
import {early, recent} from "./history.js";
import {degrees, duration, isBreak, kLevelWords, kModes, percent, share, whoAnswers} from "./words.js";

const kMinPoints = 12;  // points before anything can be compared with how it began
const kMinRows = 500;  // rows before the warning level counts: its memory

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

// Needs no comparison with the beginning: the card says how the source did.
const lostAccuracy = (points) => {
  const level = levelOf(points), rows = points.reduce((sum, point) => sum + point.rows, 0);
  if (rows < kMinRows || !["watch", "act"].includes(level)) return [];
  return [{
    level: level === "act" ? "worse" : "notice",
    text: `${kLevelWords[level]} since its card was made. Label some recent rows to find out` +
      `${level === "act" ? "; if it has, train a new head" : ""}.`
  }];
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

// The current warning level; null where there is none.
export const levelOf = (points) => points.at(-1)?.warning ?? null;

// The worst first; null where it is too early to judge.
export const warnings = (history, events) => {
  const {classes} = history, points = sinceBreak(history.points, events), lost = lostAccuracy(points);
  if (points.length < kMinPoints) return lost.length ? lost : null;
  const begin = early(points), now = recent(points);
  const others = [collapse, swallowing, disagreement, runaway].map((rule) => rule(begin, now, classes)).filter(Boolean);
  return [...lost, ...others].sort((a, b) => (b.level === "worse") - (a.level === "worse"));
};

// One sentence for who looks for the first time, and the figures behind it.
export const sentence = (mode, found, points) => {
  const {state} = kModes[mode] ?? {state: mode};
  if (!points.length) return `${state}. No traffic since the service began.`;
  if (found === null) return `${state}. Too early to judge.`;
  if (found.some(({level}) => level === "worse")) return `${state}. Something is wrong.`;
  if (found.length) return `${state}. Worth a look.`;
  const level = levelOf(points);
  return level === "fine" ? `${state}. Nothing unusual.` : level ? `${state}. Too early to judge.` : `${state}.`;
};

export const detail = (mode, all, events, time) => {
  if (!all.length) return "The adapted state is kept; charts start with the next batch.";
  const points = sinceBreak(all, events);
  if (!points.length) return "The stream was reset; charts start with the next batches.";
  const now = recent(points), parts = [];
  const differ = mode === "shadow" ? "would differ" : "differ";
  if (isKnown(now.guard)) parts.push(`${whoAnswers(now.guard, mode)}.`);
  if (isKnown(now.flip_rate)) parts.push(`${share(now.flip_rate)} of answers ${differ} from the source.`);
  const quiet = time - points.at(-1).time;
  if (quiet > 60) parts.push(`No traffic for ${duration(quiet)}.`);
  return parts.join(" ");
};
