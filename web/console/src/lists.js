// Snapshots and events.
import {byId, element} from "./elements.js";
import {bytes, clock, count, kEvents} from "./words.js";

const rollBackButton = (line, rollBack) => element("button", {type: "button", "aria-haspopup": "dialog",
  "aria-label": `Roll back to snapshot ${line.id}`, click: () => rollBack(line)}, "Roll back");

const snapshotRow = (line, rollBack) => element("tr", {},
  element("th", {scope: "row"}, `${line.id}`),
  element("td", {}, clock(line.created)),
  element("td", {class: "prose"}, line.note || "-"),
  element("td", {}, count(line.batches)),
  element("td", {class: "wide"}, bytes(line.bytes)),
  element("td", {}, rollBackButton(line, rollBack)));

const snapshotTable = (lines, rollBack) => {
  const head = ["", "taken", "note", "batches"].map((name) => element("th", {scope: "col"}, name));
  head.push(element("th", {scope: "col", class: "wide"}, "size"), element("th"));
  const rows = lines.map((line) => snapshotRow(line, rollBack));
  return element("div", {class: "scroll", tabindex: "0", role: "group", "aria-label": "Snapshots"},
    element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows)));
};

const nothing = (tag, words) => element(tag, {class: "note"}, words);

export const showSnapshots = (lines, rollBack) => {
  const place = byId("snapshots"), {activeElement} = document;
  const focused = place.contains(activeElement) && activeElement.getAttribute("aria-label");
  place.replaceChildren(lines.length ? snapshotTable(lines, rollBack) :
    nothing("p", "None yet. A snapshot keeps what was learned so far; you can roll back to it at any time."));
  if (focused) place.querySelector(`[aria-label="${focused}"]`)?.focus();
};

const eventItem = ({time, kind, detail}) => element("li", {class: kind},
  element("time", {datetime: new Date(1000 * time).toISOString()}, clock(time)),
  element("span", {}, detail || kEvents[kind] || kind));

export const showEvents = (events) => byId("events").replaceChildren(...(events.length ? events.map(eventItem) :
  [nothing("li", "Nothing yet. Snapshots, roll backs, resets and changes of mode will be listed here.")]));
