// The dialog in which a stream is found. Names are sorted, so what begins with the typed letters comes after them, and
// a service with a million streams is asked for one page at a time.
import {element} from "./elements.js";
import * as service from "./service.js";
import {ago, several, streamName} from "./words.js";

const kPage = 50;

const entry = (line, choose, current) => element("li", {},
  element("button", {
    type: "button",
    class: "entry",
    "aria-current": line.stream === current && "true",
    click: () => choose(line.stream)
  },
    element("span", {}, streamName(line.stream)),
    element("small", {},
      line.rows === undefined ? "this name exactly" : `${several(line.rows, "row")}, ${ago(line.updated)}`)));

// Arrow keys walk from the field through the list.
const walk = (dialog, event) => {
  const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
  if (!step) return;
  event.preventDefault();
  const stops = [...dialog.querySelectorAll("input, .entry")];
  stops[stops.indexOf(document.activeElement) + step]?.focus();
};

export const chooseStream = (model, current) => new Promise((resolve) => {
  const search = element("input", {
    type: "search",
    "aria-label": "Begin of the name",
    placeholder: "Begin of the name",
    autocomplete: "off",
    spellcheck: "false"
  });
  const list = element("ul", {class: "entries"}), problem = element("p", {role: "status"});
  const more = element("button", {type: "button", hidden: true}, "More");
  const dialog = element("dialog", {class: "chooser", "aria-label": "Choose a stream"},
    element("h2", {}, `Streams of ${model}`), search, list, problem, more,
    element("div", {class: "buttons"}, element("button", {type: "button", click: () => dialog.close()}, "Cancel")));
  let chosen = null, next = null, asked = 0;
  const choose = (stream) => { chosen = stream; dialog.close(); };

  const fetchPage = async (after, fresh) => {
    const turn = ++asked, typed = search.value;
    try {
      const page = await service.streams(model, after, kPage);
      if (turn !== asked) return;
      const found = page.streams.filter(({stream}) => stream.startsWith(typed));
      const exact = fresh && typed !== "" ? [{stream: typed}] : [];
      if (fresh) list.replaceChildren();
      list.append(...[...exact, ...found].map((line) => entry(line, choose, current)));
      next = found.length === page.streams.length ? page.next : null;  // beyond the typed letters nothing fits
      more.hidden = next === null;
      problem.textContent = list.childElementCount ? "" : "No stream yet.";
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  more.addEventListener("click", async () => {
    const last = list.lastElementChild;
    await fetchPage(next, false);
    last?.nextElementSibling?.firstElementChild.focus();
  });
  search.addEventListener("input", () => fetchPage(search.value, true));
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && search.value !== "") choose(search.value);
  });
  dialog.addEventListener("keydown", (event) => walk(dialog, event));
  dialog.addEventListener("close", () => { dialog.remove(); resolve(chosen); });
  document.body.append(dialog);
  dialog.showModal();
  fetchPage("", true);
});
