import assert from "node:assert/strict";
import {test} from "node:test";

import {ask, consoleOf, until} from "./open_page.mjs";

const console_ = consoleOf();

test("the page loads, draws every chart and complains of nothing", async () => {
  const page = await console_.openLive();
  assert.match(await page.locator("#sentence").textContent(), /^(Adapting|In shadow|Frozen)/);
  assert.ok(await page.locator("#large figure:visible canvas").count() >= 4);
  const [model] = (await ask(page, "admin/models")).models;
  const tiles = page.locator("#proportions figure");
  assert.equal(await tiles.count(), Math.min(24, model.classes.length));
  // Something was painted: not all pixels of a chart are alike.
  const colours = await page.locator("#large canvas").first().evaluate((canvas) => {
    const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });
  assert.ok(colours > 10, `${colours} colours`);
  await page.waitForTimeout(1500);
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("figures change without a touch", async () => {
  const page = await console_.openLive();
  const facts = await page.locator("#facts").textContent();
  await until(async () => await page.locator("#facts").textContent() !== facts, "rows and batches grow");
  await page.context().close();
});

test("the cursor is one for all charts, by mouse and by keys", async () => {
  const page = await console_.openLive(), whens = () => page.locator("#large figure:visible .when").allTextContents();
  assert.ok((await whens()).every((text) => text === ""));
  const box = await page.locator("#large .u-over").first().boundingBox();
  await page.mouse.move(box.x + 0.3 * box.width, box.y + 20);
  await until(async () => (await whens()).every((text) => /\d\d:\d\d:\d\d/.test(text)), "every chart tells the time");
  const marked = (await whens())[0];
  await page.mouse.move(5, 5);
  await page.locator("#charts").focus();
  await page.keyboard.press("Home");
  await until(async () => {
    const [first] = await whens();
    return first !== "" && first !== marked;
  }, "Home goes to the beginning");
  const [home] = await whens();
  await page.keyboard.press("ArrowRight");
  await until(async () => (await whens()).every((text) => text !== home), "an arrow goes on");
  await page.keyboard.press("Escape");
  await until(async () => (await whens()).every((text) => text === ""), "Escape leaves");
  await page.context().close();
});

test("a snapshot, a roll back and a reset go through a question and are done", async () => {
  const page = await console_.openLive();
  const target = await page.evaluate(() => location.hash.slice(1).split("/"));
  const path = `admin/models/${target[0]}/streams/${target[1] || "-"}/snapshots`;
  const before = (await ask(page, path)).snapshots.length;

  await page.locator("#snapshot").click();
  await page.locator("dialog input").fill("by the test");
  await page.locator("dialog button[type=submit]").click();
  await until(async () => /Snapshot \d+ was taken/.test(await page.locator("#done").textContent()), "it says so");
  await page.locator("#snapshots td", {hasText: "by the test"}).first().waitFor();
  const [taken] = (await ask(page, path)).snapshots;
  assert.equal(taken.note, "by the test");

  const back = page.getByRole("button", {name: `Roll back to snapshot ${taken.id}`});
  await back.click();
  assert.match(await page.locator("dialog").textContent(), /set aside.*A snapshot of the present is taken first/s);
  await page.locator("dialog button", {hasText: "Cancel"}).click();
  assert.equal((await ask(page, path)).snapshots[0].id, taken.id, "no means no");
  await back.click();
  await page.locator("dialog button[type=submit]").click();
  await page.locator("#snapshots td", {hasText: "before rollback"}).first().waitFor();
  await page.locator("#events li.rollback").first().waitFor();

  await page.locator("#reset").click();
  await page.locator("dialog button[type=submit]").click();
  await page.locator("#snapshots td", {hasText: "before reset"}).first().waitFor();
  await page.locator("#events li.reset").first().waitFor();
  await until(async () => (await page.locator("#sentence").textContent()).includes("Too early to judge"),
    "a fresh start is not judged");
  const {snapshots} = await ask(page, path);
  assert.ok(snapshots.length > before);
  assert.deepEqual(snapshots.slice(0, 2).map(({note}) => note), ["before reset", "before rollback"]);
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("keys alone do everything", async () => {
  const page = await console_.openLive();
  await page.locator("#level-words").waitFor();  // some rows after the reset before
  const focused = () => page.evaluate(() => document.activeElement.id);
  const order = [];
  for (let step = 0; step < 8; ++step) {
    await page.keyboard.press("Tab");
    order.push(await focused());
  }
  assert.deepEqual(order, ["model", "stream", "mode", "level-words", "snapshot", "reset", "window", "charts"]);
  await page.locator("#reset").focus();
  await page.keyboard.press("Enter");
  await page.locator("dialog[open]").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Cancel", "a hasty Enter does no harm");
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({state: "detached"});
  assert.equal(await focused(), "reset", "the focus comes back");

  await page.locator("#mode").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.locator("#mode.shadow").waitFor();
  await until(
    async () => (await page.locator("#sentence").textContent()).startsWith("In shadow"), "the sentence follows");
  await page.locator("#mode").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.locator("#mode.active").waitFor();

  await page.locator("#stream").focus();
  await page.keyboard.press("Enter");
  await page.locator("dialog .entry").first().waitFor();
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement.className), "entry");
  await page.keyboard.press("Enter");
  await page.locator("dialog").waitFor({state: "detached"});
  await page.locator("#live[data-state=live]").waitFor();
  await page.context().close();
});

test("a phone shows it without scrolling sideways", async () => {
  const page = await console_.openLive("", {viewport: {width: 390, height: 844}});
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await page.locator("#snapshots *").first().waitFor();
  assert.equal(await width(), 390);
  await page.locator("#stream").click();
  await page.locator("dialog .entry").first().waitFor();
  assert.equal(await width(), 390);
  await page.context().close();
});

for (const scheme of ["light", "dark"])
  test(`it is ${scheme} where the reader is, charts too`, async () => {
    const page = await console_.openLive("", {colorScheme: scheme});
    const bright = (text) => text.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3;
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    // The ink of the letters beside an axis, as bright as it is where it covers most.
    const ink = () => page.locator("#large canvas").first().evaluate((canvas) => {
      const {data} = canvas.getContext("2d").getImageData(0, 0, 40, canvas.height);
      const covering = Array.from({length: data.length / 4}, (_, index) => data.slice(4 * index, 4 * index + 4))
                         .filter((pixel) => pixel[3] > 200);
      return covering.reduce((sum, [red, green, blue]) => sum + (red + green + blue) / 3, 0) / covering.length;
    });
    const isDark = async () => bright(await paper()) < 100 && await ink() > 140;
    const isLight = async () => bright(await paper()) > 200 && await ink() < 120;
    await until(scheme === "dark" ? isDark : isLight, "as asked for");
    await page.emulateMedia({colorScheme: scheme === "dark" ? "light" : "dark"});
    await until(scheme === "dark" ? isLight : isDark, "as asked for later");
    await page.context().close();
  });
