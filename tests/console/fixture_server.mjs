// Serves the built page and answers as the service does, from figures in memory: what the page can be tested against
// without the service, and with errors that the service does not produce on demand.
import {readFile} from "node:fs/promises";
import {createServer} from "node:http";
import {extname, join, normalize} from "node:path";

import {advance, keep, makeService, modelLine, note, streamLine, streamWhole} from "./simulated_service.mjs";

export const kPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; frame-ancestors 'none'; form-action 'none'";
const kTypes = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml"
};

class HttpError extends Error {
  constructor(status, message) { super(message); this.status = status; }
}

const byCode = (a, b) => a < b ? -1 : a > b ? 1 : 0;

export class FixtureServer {
  // @param folder the built page; @param token asked for, unless null; @param period ms between points
  constructor({folder, token = null, period = 300}) {
    Object.assign(this, {folder, token, period, simulated: makeService(), asked: [], listeners: new Set(), port: 0});
  }

  async start() {
    this.server = createServer((request, response) => this.answer(request, response));
    await new Promise((resolve) => this.server.listen(this.port, "127.0.0.1", resolve));
    this.port = this.server.address().port;
    this.url = `http://127.0.0.1:${this.port}/`;
    this.timer = setInterval(() => this.tick(), this.period);
    return this;
  }
  // As if the machine had gone: every connection breaks.
  async stop() {
    clearInterval(this.timer);
    this.listeners.clear();
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  tick() {
    for (const target of new Set([...this.listeners].map((listener) => listener.target)))
      if (!target.silent) this.tell(target, "point", advance(target));
  }
  tell(target, type, data) {
    for (const listener of this.listeners)
      if (listener.target === target) listener.response.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  async answer(request, response) {
    const address = new URL(request.url, this.url);
    let text = "";
    for await (const piece of request) text += piece;
    response.setHeader("Content-Security-Policy", kPolicy);
    try {
      if (request.method === "GET" && (address.pathname === "/" || address.pathname.startsWith("/assets/")))
        return await this.file(address.pathname, response);
      if (this.token && request.headers.authorization !== `Bearer ${this.token}`)
        throw new HttpError(401, "a token is needed");
      this.asked.push(
        {method: request.method, path: address.pathname + address.search, body: text ? JSON.parse(text) : null});
      if (address.pathname === "/events") return this.listen(address, request, response);
      this.reply(response, 200, this.route(request.method, address, text ? JSON.parse(text) : {}));
    } catch (error) {
      this.reply(response, error.status ?? 500, {error: error.message});
    }
  }
  reply(response, status, body) {
    response.writeHead(status, {"Content-Type": "application/json"}).end(JSON.stringify(body));
  }
  async file(path, response) {
    const name = normalize(path === "/" ? "index.html" : path.slice(1));
    const content = await readFile(join(this.folder, name)).catch(() => {
      throw new HttpError(404, `${path}: no such page`);
    });
    response.writeHead(200, {"Content-Type": kTypes[extname(name)] ?? "application/octet-stream"}).end(content);
  }

  model(name) {
    return this.simulated.models.get(name) ?? (() => {
      throw new HttpError(404, `model ${name}: there is none of this name`);
    })();
  }
  stream(model, name) {
    return model.streams.get(name === "-" ? "" : name) ?? (() => {
      throw new HttpError(404, `stream ${name} of ${model.name}: there is none of this name`);
    })();
  }
  listen(address, request, response) {
    const name = address.searchParams.get("stream"), model = this.model(address.searchParams.get("model")),
          target = this.stream(model, name);
    if (target.damage) throw new HttpError(500, target.damage);
    response.writeHead(200, {"Content-Type": "text/event-stream", "Cache-Control": "no-store"});
    response.write(
      `: hello\n\nevent: hello\ndata: ${JSON.stringify(streamWhole(model, name === "-" ? "" : name, target))}\n\n`);
    const listener = {target, response};
    this.listeners.add(listener);
    request.on("close", () => this.listeners.delete(listener));
    response.on("close", () => this.listeners.delete(listener));
  }

  route(method, address, body) {
    const parts = address.pathname.split("/").slice(1).map(decodeURIComponent), query = address.searchParams;
    if (parts[0] === "v2" && parts[3] === "infer") return this.infer(this.model(parts[2]), body);
    if (parts[0] !== "admin") throw new HttpError(404, `${address.pathname}: no such page`);
    if (parts[1] === "events")
      return {
        events:
          this.stream(this.model(query.get("model")), query.get("stream")).events.slice(0, Number(query.get("limit")))
      };
    if (parts.length === 2) return {models: [...this.simulated.models.values()].map(modelLine)};
    const model = this.model(parts[2]);
    if (parts[3] === "mode") return this.setMode(model, body.mode);
    if (parts.length === 4) return this.list(model, query.get("after") ?? "", Number(query.get("limit") ?? 100));
    const target = this.stream(model, parts[4]), action = `${method} ${parts[5] ?? ""}`;
    if (["POST rollback", "POST reset"].includes(action)) target.damage = "";
    return this.act(model, target, action, body) ?? streamWhole(model, parts[4], target);
  }
  infer(model, {parameters = {}}) {
    const name = String(parameters.sequence_id ?? "");
    if (!model.streams.has(name)) this.simulated.begin(model, name);
    return {outputs: []};
  }
  setMode(model, mode) {
    for (const target of model.streams.values())
      this.tell(target, "event", note(model, target, "mode", `${model.name} went from ${model.mode} to ${mode}.`));
    model.mode = mode;
    return {};
  }
  list(model, after, limit) {
    const names = [...model.streams.keys()].sort(byCode).filter((name) => after === "" || name > after);
    return {
      streams: names.slice(0, limit).map((name) => streamLine(name, model.streams.get(name))),
      next: names.length > limit ? names[limit - 1] : null
    };
  }
  act(model, target, action, body) {
    const tell = (kind, detail) => this.tell(target, "event", note(model, target, kind, detail));
    if (action === "GET snapshots") return {snapshots: target.snapshots};
    if (action === "POST snapshots") {
      const {id} = keep(target, body.note ?? "");
      tell("snapshot", `Snapshot ${id} was taken${body.note ? `: ${body.note}` : ""}.`);
      return {id};
    }
    if (action === "POST rollback") {
      if (!target.snapshots.some(({id}) => id === body.snapshot))
        throw new HttpError(404, `snapshot ${body.snapshot}: there is none of this number`);
      keep(target, "before rollback");
      tell("rollback", `Rolled back to snapshot ${body.snapshot}.`);
      return {};
    }
    if (action === "POST reset") {
      keep(target, "before reset");
      tell("reset", "Everything learned was set aside.");
      return {};
    }
    return null;
  }
}
