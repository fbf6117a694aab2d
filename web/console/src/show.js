// Shows what is known.
import {byId, element} from "./elements.js";
import {showFigures, showNoTraffic} from "./empty.js";
import {thinned} from "./history.js";
import {detail, levelOf, sentence, warnings} from "./assessment.js";
import {largeCharts} from "./large_charts.js";
import {mode, modelNamed, page} from "./page.js";
import {smallMultiples} from "./small_multiples.js";
import {showTime} from "./time_chart.js";
import {count, durability, kLevelWords, noLevel} from "./words.js";

const kSteps = 200;  // of time that a chart can show
const kWarnings = 3;

export const showChosen = () => {
  const select = byId("model"), names = page.models.map(({name}) => name);
  if ([...select.options].map(({value}) => value).join("\n") !== names.join("\n"))  // an open list stays open
    select.replaceChildren(...names.map((name) => element("option", {value: name}, name)));
  select.value = page.model;
  byId("stream").textContent = page.stream === "" ? "default" : page.stream;
  byId("mode").textContent = mode() ?? "-";
  byId("mode").className = `badge ${mode() ?? ""}`;
  for (const id of ["model", "stream", "mode"]) byId(id).disabled = page.model === null;
  document.title = page.model === null ? "stad" : `${page.stream || page.model} - stad`;
};

const showLevel = ({history, method}) => {
  const level = levelOf(history.points), {points} = history;
  byId("level").hidden = !level;
  byId("no-level").hidden = Boolean(level) || !points.length;
  byId("no-level").textContent = noLevel(method);
  if (level) byId("level-words").textContent = `${kLevelWords[level]} (warning level ${level})`;
};

const showState = () => {
  const {history} = page.told, judged = warnings(history, page.events), found = (judged ?? []).slice(0, kWarnings);
  const words = sentence(mode(), judged, history.points);
  // Only when it changes, or it would be read aloud every second.
  if (byId("sentence").textContent !== words) byId("sentence").textContent = words;
  byId("sentence").className = found[0]?.level ?? (judged && levelOf(history.points) === "fine" ? "" : "early");
  byId("detail").textContent = detail(mode(), history.points, page.events, Date.now() / 1000);
  showLevel(page.told);
  byId("warnings").replaceChildren(...found.map(({level, text}) => element("p", {class: `notice ${level}`}, text)));
};

const showFacts = () => {
  const {method, options, batches, rows} = page.told;
  const set = Object.entries(options ?? {}).map(([name, value]) => `${name} = ${value}`).join(", ");
  byId("facts").replaceChildren(
    element("p", {}, `${count(rows)} rows in ${count(batches)} batches. Method ${method}${set ? ` (${set})` : ""}.`),
    element("p", {}, durability(modelNamed(page.model) ?? {})));
};

const timeShown = ({points}) => {
  const first = points[0].time - points[0].span, last = points.at(-1).time, window = Number(byId("window").value);
  return [window ? Math.max(first, last - window) : first, Math.max(last, first + 1)];
};

const drawCharts = (history) => {
  const range = timeShown(history);
  showTime(range, page.events);
  if (!page.charts.length)
    page.charts =
      [largeCharts(), smallMultiples("movement", history.classes), smallMultiples("proportions", history.classes)];
  const points = thinned(history.points, (range[1] - range[0]) / kSteps);
  for (const chart of page.charts) chart.show({...history, points}, range[0]);
};

let waiting = false;
const draw = () => {
  waiting = false;
  if (!page.told) return;
  const {history, batches} = page.told;
  if (!history.points.length && batches === 0) return showNoTraffic(modelNamed(page.model), page.stream);
  showFigures();
  byId("snapshot").disabled = false;
  byId("charts").hidden = !history.points.length;  // forgotten when the service ends; what was learned is not
  if (history.points.length) drawCharts(history);
  showState();
  showFacts();
};
// A stream that cannot be continued.
export const showStopped = (reason) => {
  showFigures();
  for (const id of ["charts", "level", "no-level"]) byId(id).hidden = true;
  byId("snapshot").disabled = true;
  byId("sentence").textContent = "Stopped: this stream cannot be continued.";
  byId("sentence").className = "worse";
  byId("detail").textContent = reason;
  byId("warnings").replaceChildren();
  byId("facts").replaceChildren();
};

export const drawSoon = () => { if (!waiting) { waiting = true; requestAnimationFrame(draw); } };
export const removeCharts = () => { page.charts.forEach((chart) => chart.remove()); page.charts = []; };
