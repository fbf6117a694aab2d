// What the service offers, as functions. Addresses are relative to the page.

export class Refused extends Error {
  constructor(status, message) { super(message); this.status = status; }
}

const kToken = "stad-token";
let askToken = async () => null;
export const whenTokenIsNeeded = (ask) => { askToken = ask; };
export const hasToken = () => sessionStorage.getItem(kToken) !== null;

// Requests that are refused together ask once.
let asking = null;
const newToken = (refused) => asking ??= askToken(refused).finally(() => { asking = null; });

const attempt = (method, path, {body, signal} = {}) => {
  const token = sessionStorage.getItem(kToken);
  const headers = {...(token && {Authorization: `Bearer ${token}`}), ...(body && {"Content-Type": "application/json"})};
  return fetch(path, {method, headers, signal, body: body && JSON.stringify(body), cache: "no-store"});
};

const explain = async (answer) => {
  const told = await answer.json().catch(() => null);
  return new Refused(answer.status, told?.error ?? `The service answered ${answer.status}.`);
};

const request = async (method, path, options) => {
  for (let answer = await attempt(method, path, options);;) {
    if (answer.ok) return answer;
    const error = await explain(answer);
    if (answer.status !== 401) throw error;
    const token = await newToken(hasToken());
    if (token === null) throw error;
    sessionStorage.setItem(kToken, token);
    answer = await attempt(method, path, options);
  }
};
const json = async (method, path, options) => {
  const answer = await request(method, path, options);
  return answer.status === 204 ? {} : answer.json().catch(() => ({}));
};

// The default stream has no name; in addresses it is a dash.
const addressName = (stream) => encodeURIComponent(stream === "" ? "-" : stream);
const of = (model, stream) =>
  `admin/models/${encodeURIComponent(model)}${stream === undefined ? "" : `/streams/${addressName(stream)}`}`;

export const models = async () => (await json("GET", "admin/models")).models;
export const streams = (model, after, limit) =>
  json("GET", `${of(model)}/streams?limit=${limit}${after === "" ? "" : `&after=${encodeURIComponent(after)}`}`);
export const setMode = (model, mode) => json("PUT", `${of(model)}/mode`, {body: {mode}});
export const snapshots = async (model, stream) => (await json("GET", `${of(model, stream)}/snapshots`)).snapshots;
export const takeSnapshot = (model, stream, note) => json("POST", `${of(model, stream)}/snapshots`, {body: {note}});
export const rollBack = (model, stream, snapshot) => json("POST", `${of(model, stream)}/rollback`, {body: {snapshot}});
export const reset = (model, stream) => json("POST", `${of(model, stream)}/reset`);
export const events = async (model, stream, limit) =>
  (await json("GET", `admin/events?model=${encodeURIComponent(model)}&stream=${addressName(stream)}&limit=${limit}`))
    .events;
export const live = (model, stream, signal) =>
  request("GET", `events?model=${encodeURIComponent(model)}&stream=${addressName(stream)}`, {signal});
