// One small chart a class, all on one scale: names tell the classes apart, not colours.
import {byId, element} from "./elements.js";
import {timeChart} from "./time_chart.js";
import {degrees, percent, share} from "./words.js";

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

const kLeast = 1e-3;  // below it there is nothing to see: prototypes that stay at the source

const kKinds = {
  movement: {
    title: "How far each class has moved",
    colour: "series-3",
    filled: false,
    hint: "Angle between a class's prototype and where the source had it. Dashed: the middle one of all classes. " +
      "Good: classes move together, slowly. Bad: one runs away from the others.",
    words: (value) => degrees(value),
    scale: (most) => Math.max(Math.PI / 18, 1.1 * most),
    reference: (points, field) => points.map((point) => median(point[field]))
  },
  proportions: {
    title: "What is answered",
    colour: "series-4",
    filled: true,
    hint: "Share of the answers that each class gets. Dashed: its mean over the time shown. " +
      "Good: close to the shares you expect. Bad: one class swallows the others, or one that should occur is gone.",
    words: share,
    scale: (most) => Math.min(1, Math.max(0.1, 1.1 * most)),
    reference: (points, field, index) => {
      const usual = mean(points.map((point) => point[field][index]));
      return points.map(() => usual);
    }
  },
};

// @param field "movement" or "proportions": of a point, and the section's id
export const smallMultiples = (field, classes) => {
  const kind = kKinds[field], section = byId(field), scaleWords = element("span", {class: "scale"});
  let points = [], top = 1;
  const tiles = classes.map((name, index) => timeChart({
    title: name,
    small: true,
    series: [{colour: kind.colour, filled: kind.filled}, {colour: "series-0", dashed: true}],
    range: () => [0, top],
    format: kind.words,
    read: (at) => [{text: kind.words(points[at][field][index])}],
  }));
  section.replaceChildren(element("h2", {}, kind.title), element("p", {class: "note"}, kind.hint, " ", scaleWords),
    element("div", {class: "tiles"}, ...tiles.map(({node}) => node)));
  return {
    show: (history, from) => {
      points = history.points.filter((point) => point.time >= from && point[field]?.length);
      const most = Math.max(0, ...points.flatMap((point) => point[field]));
      section.hidden = most < kLeast;
      if (section.hidden) return;
      top = kind.scale(most);
      scaleWords.textContent = `All on one scale, 0 to ${field === "movement" ? degrees(top) : percent(top)}.`;
      const time = points.map((point) => point.time);
      tiles.forEach((tile, index) =>
        tile.show([time, points.map((point) => point[field][index]), kind.reference(points, field, index)]));
    },
    remove: () => {
      tiles.forEach((tile) => tile.remove());
      section.replaceChildren();
    },
  };
};
