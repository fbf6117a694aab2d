// What can be done to a stream, each behind a dialog that says what will happen.
import {ask, paragraph} from "./dialogs.js";
import {element} from "./elements.js";
import * as service from "./service.js";
import {clock, kModes, several, streamName} from "./words.js";

const kKept = "A snapshot of the present is taken first, so that you can come back.";
const short = (stream) => stream === "" ? "" : ` ${stream}`;

// Each gives a sentence to show when it was done, or null when it was not wanted.
export const takeSnapshot = async ({model, stream}) => {
  const given = await ask({
    title: "Take a snapshot?",
    content: [
      paragraph(`What ${streamName(stream)} has learned so far is kept, and you can roll back to it later. ` +
        "Nothing else changes."),
      element("label", {class: "field"}, "Note, if you like",
        element("input", {name: "note", maxlength: "200", autocomplete: "off"}))
    ],
    confirm: "Take it",
  });
  if (!given) return null;
  const {id} = await service.takeSnapshot(model, stream, given.note);
  return `Snapshot ${id} was taken.`;
};

export const rollBack = async ({model, stream}, snapshot) => {
  const given = await ask({
    title: `Roll back to snapshot ${snapshot.id}?`,
    content: [
      paragraph(`From the next batch on, ${streamName(stream)} answers as it did at ${clock(snapshot.created)}, ` +
        `after ${several(snapshot.batches, "batch")}. What it learned since is set aside.`),
      paragraph(kKept)
    ],
    confirm: "Roll back",
    danger: true,
  });
  if (!given) return null;
  await service.rollBack(model, stream, snapshot.id);
  return `Rolled back to snapshot ${snapshot.id}.`;
};

export const reset = async ({model, stream, batches}) => {
  const given = await ask({
    title: `Reset${short(stream)}?`,
    content: [
      paragraph(`From the next batch on, ${streamName(stream)} answers as the source does and learns anew. ` +
        `What it learned from ${several(batches, "batch")} is set aside.`),
      paragraph(kKept)
    ],
    confirm: "Reset",
    danger: true,
  });
  if (!given) return null;
  await service.reset(model, stream);
  return "Reset to the source.";
};

const modeChoice = (name, {means}, current) => element("label", {class: "choice"},
  element("input", {type: "radio", name: "mode", value: name, checked: name === current}),
  element("span", {}, element("b", {}, name), ` ${means}`));

export const changeMode = async ({model, mode}) => {
  const given = await ask({
    title: `Mode of ${model}`,
    content: [paragraph(`This concerns every stream of ${model}, from the next batch on.`),
      ...Object.entries(kModes).map(([name, words]) => modeChoice(name, words, mode))],
    confirm: "Change mode",
  });
  if (!given || given.mode === mode) return null;
  await service.setMode(model, given.mode);
  return `${model} is ${given.mode} now.`;
};
