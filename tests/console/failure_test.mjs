import assert from "node:assert/strict";
import {test} from "node:test";

import {consoleOf, onlyFixture, until} from "./open_page.mjs";

const console_ = consoleOf();

test("a roll back posts the number of the snapshot", onlyFixture, async () => {
  const page = await console_.openLive("#demo/harbour"), {server} = console_;
  const {id} = server.simulated.models.get("demo").streams.get("harbour").snapshots.at(-1);
  await page.getByRole("button", {name: `Roll back to snapshot ${id}`}).click();
  await page.locator("dialog button[type=submit]").click();
  await page.locator("#events li.rollback").waitFor();
  const posts = server.asked.filter(({method}) => method !== "GET");
  assert.deepEqual(
    posts, [{method: "POST", path: "/admin/models/demo/streams/harbour/rollback", body: {snapshot: id}}]);
  await page.context().close();
});

test("a damaged stream can be rolled back from the page", onlyFixture, async () => {
  const {server} = console_, stream = server.simulated.models.get("demo").streams.get("harbour");
  stream.damage = "the stored state of stream 'harbour' of model demo is damaged: roll it back, or reset it";
  const page = await console_.open("#demo/harbour");
  await page.getByText("Stopped: this stream cannot be continued.").waitFor();
  assert.match(await page.locator("#detail").textContent(), /^The stored state .* is damaged.*\.$/);
  assert.equal(await page.locator("#live").textContent(), "stopped");
  assert.equal(await page.locator("#charts").isVisible(), false);
  assert.ok(await page.locator("#snapshot").isDisabled());
  await page.getByRole("button", {name: "Roll back to snapshot"}).first().click();
  await page.locator("dialog button[type=submit]").click();
  await page.locator("#live[data-state=live]").waitFor();
  await page.locator("#large figure").first().waitFor();
  assert.ok(await page.locator("#snapshot").isEnabled());
  await page.context().close();
});

test("a collapse is said in words before anything is drawn", onlyFixture, async () => {
  const page = await console_.openLive("#demo/tunnel");
  assert.equal(await page.locator("#sentence").textContent(), "Adapting. Something is wrong.");
  assert.equal(await page.locator("#warnings .worse").count(), 2);
  const first = await page.locator("#warnings").boundingBox(), charts = await page.locator("#charts").boundingBox();
  assert.ok(first.y + first.height < charts.y && charts.y < 500);
  await page.context().close();
});

test("the level stands with its error rates a click away, and no accuracy is shown", onlyFixture, async () => {
  const page = await console_.openLive("#demo/crossing-north"), rates = page.locator("#level p");
  assert.equal(await page.locator("#sentence").textContent(), "Adapting. Nothing unusual.");
  assert.equal(await page.locator("#level-words").textContent(), "No sign of lost accuracy (warning level fine)");
  assert.equal(await rates.isVisible(), false);
  await page.locator("#level-words").click();
  assert.match(await rates.textContent(), /3\.8 %.*3\.5 %.*79 %/s);
  await page.waitForTimeout(1500);
  assert.ok(await rates.isVisible(), "it stays open while points come");
  assert.match(await page.locator("#detail").textContent(), /^Label chains answer \(zeta \d+/);
  assert.equal(await page.locator("#movement").isVisible(), false, "prototypes of stad-safe do not move");
  await page.context().close();
});

test("a stream without a level is not called usual", onlyFixture, async () => {
  const page = await console_.openLive("#animals/camera-000");
  assert.equal(await page.locator("#level").isVisible(), false);
  assert.match(await page.locator("#no-level").textContent(), /accuracy cannot be estimated without labels/);
  assert.doesNotMatch(await page.locator("#sentence").textContent(), /Nothing unusual/);
  await page.context().close();
});

test("one of many streams is found by the begin of its name, and pages follow each other", onlyFixture, async () => {
  const page = await console_.openLive("#animals/camera-000"), entries = page.locator("dialog .entry");
  assert.equal(await page.locator("#movement figure").count(), 24);
  await page.locator("#stream").click();
  await until(async () => await entries.count() === 50, "a page");
  await page.locator("dialog button", {hasText: "More"}).click();
  await until(async () => await entries.count() === 100, "the next page");
  await page.locator("dialog button", {hasText: "More"}).click();
  await until(async () => await entries.count() === 130, "the last page");
  assert.equal(await page.locator("dialog button", {hasText: "More"}).isVisible(), false);
  await page.locator("dialog input").fill("camera-12");
  await until(async () => await entries.count() === 11, "the name itself and ten that begin so");
  await entries.filter({hasText: "camera-127"}).click();
  await until(async () => await page.locator("#stream").textContent() === "camera-127", "it is chosen");
  await page.locator("#live[data-state=live]").waitFor();
  assert.equal(new URL(page.url()).hash, "#animals/camera-127");
  await page.reload();
  await until(async () => await page.locator("#stream").textContent() === "camera-127", "and still after a reload");
  await page.context().close();
});

test("a model is chosen, and says what a crash costs", onlyFixture, async () => {
  const page = await console_.openLive("#demo/harbour");
  assert.match(await page.locator("#facts").textContent(), /Up to 1 s of learning may be lost/);
  await page.locator("#model").selectOption("animals");
  await until(
    async () => /Nothing that was answered is lost/.test(await page.locator("#facts").textContent()), "its words");
  assert.equal(await page.locator("#mode").textContent(), "shadow");
  await page.context().close();
});

test("where nothing was sent there is a line to send something, and then the figures", onlyFixture, async () => {
  const page = await console_.open("#quiet/");
  await page.locator("#empty h1", {hasText: "No stream yet: send a batch"}).waitFor();
  const line = await page.locator("#empty code").textContent();
  assert.ok(line.includes(`${console_.server.url}v2/models/quiet/infer`) && line.includes("$(seq -s, 64)"), line);
  console_.server.infer(console_.server.simulated.models.get("quiet"), {});
  await page.locator("#large figure").first().waitFor();
  assert.equal(await page.locator("#empty").isVisible(), false);
  await page.context().close();
});

test("after a restart of the service what was learned can be handled though there is nothing to draw", onlyFixture,
  async () => {
    const {server} = console_, harbour = server.simulated.models.get("demo").streams.get("harbour"), {points} = harbour;
    Object.assign(harbour, {silent: true, points: []});
    const page = await console_.open("#demo/harbour");
    await page.locator("#sentence", {hasText: "No traffic since the service began"}).waitFor();
    assert.equal(await page.locator("#charts").isVisible(), false);
    assert.ok(await page.locator("#snapshots button").first().isVisible());
    Object.assign(harbour, {silent: false, points});
    await page.locator("#large figure").first().waitFor();
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

test("a deleted stream is said to be gone", onlyFixture, async () => {
  const page = await console_.openLive("#demo/crossing-north"), {streams} = console_.server.simulated.models.get("demo");
  const target = streams.get("crossing-north");
  streams.delete("crossing-north");
  console_.server.tell(target, "gone", {});
  await page.locator("#empty h1", {hasText: "crossing-north was deleted"}).waitFor();
  await page.context().close();
});

test("an error is shown in the service's words", onlyFixture, async () => {
  const page = await console_.openLive("#demo/harbour"), {server} = console_;
  server.simulated.models.get("demo").streams.get("harbour").snapshots = [];
  await page.locator("#snapshots button").last().click();
  await page.locator("dialog button[type=submit]").click();
  await page.locator("#banner", {hasText: /snapshot \d+: there is none of this number/}).waitFor();
  await page.context().close();
});

test("the page survives a service that goes away and comes back", onlyFixture, async () => {
  const page = await console_.openLive("#demo/"), {server} = console_;
  await server.stop();
  await page.locator("#banner", {hasText: "Connection lost"}).waitFor();
  assert.equal(await page.locator("#live").textContent(), "not connected");
  assert.ok(await page.locator("#large canvas").first().isVisible(), "the figures stay");
  await server.start();
  await page.locator("#live[data-state=live]").waitFor();
  assert.equal(await page.locator("#banner").isVisible(), false);
  const facts = await page.locator("#facts").textContent();
  await until(async () => await page.locator("#facts").textContent() !== facts, "live again");
  await page.context().close();
});
