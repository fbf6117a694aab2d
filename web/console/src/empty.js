// What is shown where there is nothing to show yet, with the line that changes it.
import {byId, element} from "./elements.js";
import {hasToken} from "./service.js";

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const address = (path) => new URL(path, document.baseURI.split("#")[0]).href;
const curl = (path, data) => [`curl ${quoted(address(path))}`, "-H 'Content-Type: application/json'",
  ...(hasToken() ? [`-H "Authorization: Bearer $STAD_TOKEN"`] : []), `-d ${data}`].join(" \\\n  ");

// Figures count up to the dimension: any row will do to see the page at work.
const inferLine = ({name, dimension}, stream) => {
  const parameters = stream === "" ? "" : `"parameters":{"sequence_id":${JSON.stringify(stream)}},`;
  const before = `{${parameters}"inputs":[{"name":"features","datatype":"FP32","shape":[1,${dimension}],"data":[`;
  return curl(`v2/models/${encodeURIComponent(name)}/infer`, `${quoted(before)}"$(seq -s, ${dimension})"']}]}'`);
};
const modelLine = () => curl("admin/models", `'{"name":"mine","source":"head.npz"}'`);

const copyable = (line) => {
  const code = element("code", {tabindex: "0"}, line), button = element("button", {type: "button"}, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(line);
      button.textContent = "Copied";
    } catch {  // browsers allow it on encrypted and local pages only
      getSelection().selectAllChildren(code);
      button.textContent = "Selected";
    }
  });
  return element("div", {class: "copyable"}, element("pre", {}, code), button);
};

export const showEmpty = (title, words, line) => {
  byId("figures").hidden = true;
  byId("empty").hidden = false;
  byId("empty").replaceChildren(element("h1", {}, title), element("p", {}, words), ...(line ? [copyable(line)] : []));
};

export const showNoModel = () =>
  showEmpty("No model yet", "Name one in stad.toml, or add one from the shell:", modelLine());
export const showNoTraffic = (model, stream) =>
  showEmpty(stream === "" ? "No stream yet: send a batch" : `Nothing was sent to ${stream} yet: send a batch`,
    "This page shows it as soon as it arrives. To try, from the shell:", inferLine(model, stream));

export const showFigures = () => {
  byId("empty").hidden = true;
  byId("figures").hidden = false;
};
