// Puts the page together: follows what is chosen, and does what is asked.
import * as actions from "./actions.js";
import {chooseStream} from "./choose_stream.js";
import {askToken} from "./dialogs.js";
import {byId, element} from "./elements.js";
import {showEmpty, showNoModel, showNoTraffic} from "./empty.js";
import {follow} from "./follow.js";
import {withPoint} from "./history.js";
import {showEvents, showSnapshots} from "./lists.js";
import {chosen, modelNamed, page} from "./page.js";
import * as service from "./service.js";
import {drawSoon, removeCharts, showChosen, showStopped} from "./show.js";
import {moveCursor} from "./time_chart.js";
import {asSentence, streamName} from "./words.js";

const kEventsShown = 50;
const kQuiet = 15_000;  // ms, after which the words are looked at again though nothing came
const kPoll = 3000;  // ms, while there is no model

const showProblem = (error, again) => {
  byId("banner").hidden = false;
  byId("banner").replaceChildren(element("span", {}, error.message),
    ...(again ? [element("button", {type: "button", click: again}, "Try again")] : []));
};

const showConnection = (state, seconds, reason, status) => {
  if (state === "lost" && status === 500) return showFailed(reason).catch(showProblem);
  const live = byId("live"), banner = byId("banner"), before = live.dataset.state;
  live.dataset.state = state;
  live.textContent = {connecting: "connecting", live: "live", absent: "waiting", lost: "not connected"}[state];
  byId("figures").classList.toggle("stale", state === "lost");
  banner.hidden = state !== "lost";
  if (state === "lost")
    banner.replaceChildren(
      element("span", {},
        `${reason ? asSentence(reason) : "Connection lost; the figures stand still."} ` +
          `Trying again in ${Math.ceil(seconds)} s.`),
      element("button", {type: "button", click: () => page.connection.now()}, "Try now"));
  if (state === "absent" && before !== "absent") showAbsent().catch(showProblem);
};

// The service has the stream but cannot continue it, mostly since its stored state is damaged. What can be done is to
// roll it back or to reset it.
const showFailed = (reason) => {
  byId("live").dataset.state = "failed";
  byId("live").textContent = "stopped";
  byId("banner").hidden = true;
  removeCharts();
  page.told = null;
  showStopped(asSentence(reason));
  return Promise.all([fetchSnapshots(), fetchEvents()]);
};

const showAbsent = async () => {
  await fetchModels();
  const model = modelNamed(page.model);
  if (model) showNoTraffic(model, page.stream);
  else showEmpty(`${page.model} was removed`, "Choose another model above.");
};

// ---- what is known

// Of several questions under way the last one counts: answers may overtake each other, and what is shown may be another
// stream by then.
const latest = (ask, show) => {
  let asked = 0;
  return async () => {
    const number = ++asked, {model, stream} = page, answer = await ask(model, stream);
    if (number === asked && model === page.model && stream === page.stream) show(answer);
  };
};
const fetchSnapshots = latest(service.snapshots,
  (lines) => showSnapshots(lines, (line) => act((name) => actions.rollBack(name, line))));
const fetchEvents = latest((model, stream) => service.events(model, stream, kEventsShown), (events) => {
  page.events = events;
  showEvents(events);
  drawSoon();
});
const fetchModels = async () => {
  page.models = await service.models();
  showChosen();
};

const tellers = {
  hello: (stream) => {
    removeCharts();
    page.told = stream;
    drawSoon();
    return Promise.all([fetchSnapshots(), fetchEvents(), fetchModels()]);
  },
  point: (point) => {
    const {history} = page.told;
    page.told = {...page.told, batches: page.told.batches + point.batches, rows: page.told.rows + point.rows,
      history: {...history, points: withPoint(history.points, point)}};
    drawSoon();
  },
  event: () => Promise.all([fetchSnapshots(), fetchEvents(), fetchModels()]),
  gone: () => {
    page.connection.close();
    removeCharts();
    page.told = null;
    byId("live").textContent = "";
    showEmpty(`${streamName(page.stream)} was deleted`.replace(/^t/, "T"), "Choose another stream above.");
  },
};

const open = (model, stream) => {
  page.connection?.close();
  removeCharts();
  Object.assign(page, {model, stream, told: null, events: []});
  history.replaceState(null, "", `#${encodeURIComponent(model)}/${encodeURIComponent(stream)}`);
  showChosen();
  byId("done").textContent = "";
  page.connection = follow((signal) => service.live(model, stream, signal), {
    event: (type, data) => tellers[type]?.(data)?.catch(showProblem),
    state: showConnection,
    refused: (error) => showProblem(error, () => open(model, stream)),
  });
};

// The stream last seen of a model, or its first one.
const openModel = async (model, stream) => {
  if (stream === undefined) stream = (await service.streams(model, "", 1)).streams[0]?.stream ?? "";
  open(model, stream);
};

const addressed = () => location.hash.slice(1).split("/").map(decodeURIComponent);

const start = async () => {
  byId("banner").hidden = true;
  try {
    await fetchModels();
    if (!page.models.length) {
      showNoModel();
      return setTimeout(start, kPoll);
    }
    const [model, stream] = addressed();
    await (modelNamed(model) ? openModel(model, stream) : openModel(page.models[0].name));
  } catch (error) {
    showProblem(error.status ? error : new Error("The service does not answer."), start);
  }
};

// ---- what can be done

const act = async (action) => {
  try {
    byId("done").textContent = await action(chosen()) ?? "";
    if (!page.told) page.connection.now();
    await fetchModels();
    drawSoon();
  } catch (error) {
    showProblem(error.status === 403 ? new Error(`Your token does not allow that: ${error.message}`) : error);
  }
};

byId("snapshot").addEventListener("click", () => act(actions.takeSnapshot));
byId("reset").addEventListener("click", () => act(actions.reset));
byId("mode").addEventListener("click", () => act(actions.changeMode));
byId("window").addEventListener("change", drawSoon);
byId("model").addEventListener("change", (event) => openModel(event.target.value).catch(showProblem));
byId("stream").addEventListener("click", async () => {
  const stream = await chooseStream(page.model, page.stream);
  if (stream !== null) open(page.model, stream);
});
byId("charts").addEventListener("keydown", (event) => {
  if (!["ArrowLeft", "ArrowRight", "Home", "End", "Escape"].includes(event.key)) return;
  event.preventDefault();
  moveCursor(event.key);
});
byId("charts").addEventListener("blur", () => moveCursor("Escape"));
addEventListener("hashchange", () => {
  const [model, stream] = addressed();
  if (modelNamed(model) && (model !== page.model || stream !== page.stream))
    openModel(model, stream).catch(showProblem);
});
service.whenTokenIsNeeded(askToken);
setInterval(drawSoon, kQuiet);
start();
