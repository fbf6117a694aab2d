import assert from "node:assert/strict";
import {test} from "node:test";

import {chartNamed} from "./check_report.mjs";
import {fixturePage, textsOf} from "./fixture_page.mjs";

const fixture = fixturePage();

test("pointing at a line chart names every method with its figure and spread", async () => {
  const {page} = fixture;
  const chart = chartNamed(page, "accuracy by batch size");
  await chart.locator("svg.canvas").hover({position: {x: 60, y: 100}});
  assert.equal(await chart.locator(".tip .head").textContent(), "batch size 1");
  assert.deepEqual(await textsOf(chart.locator(".tip tr")),
    ["oracle92.00", "stad-vmf80.00 \u00b1 1.50", "source60.00", "tent30.00 \u00b1 6.00"]);
  await page.mouse.move(0, 0);
  assert.equal(await chart.locator(".tip").isVisible(), false);
});

test("pointing at a scatter plot names the nearest mark, its x and its y", async () => {
  const {page} = fixture;
  const chart = chartNamed(page, "accuracy and cost");
  await chart.scrollIntoViewIfNeeded();
  const mark = await chart.locator('g[data-name="lame"] .mark').boundingBox();
  await page.mouse.move(mark.x + mark.width / 2 + 4, mark.y + mark.height / 2 + 3);
  assert.equal(await chart.locator(".tip .head").textContent(), "lame");
  const rows = await textsOf(chart.locator(".tip tr"));
  assert.match(rows.join(), /^milliseconds a batch1\.33,accuracy in %\d+\.\d \u00b1 1\.2$/);
});

test("pointing at a map names the series", async () => {
  const {page} = fixture;
  const chart = chartNamed(page, "after the drift");
  await chart.locator("svg.canvas").hover();
  assert.match(await chart.locator(".tip").textContent(), /^(class \d|prototypes)$/);
});

test("arrow keys walk through the figures", async () => {
  const {page} = fixture;
  const chart = chartNamed(page, "error by severity"), head = chart.locator(".tip .head");
  await chart.locator("svg.canvas").focus();
  const heads = [];
  for (const key of ["ArrowRight", "ArrowRight", "End", "ArrowRight", "ArrowLeft", "Home"]) {
    await page.keyboard.press(key);
    heads.push(await head.textContent());
  }
  assert.deepEqual(heads, ["mild", "fair", "harsh", "harsh", "fair", "mild"]);
  await page.keyboard.press("Escape");
  assert.equal(await chart.locator(".tip").isVisible(), false);
});

test("pointing at a name of the legend lets the other series step back", async () => {
  const {page} = fixture;
  const chart = chartNamed(page, "error by severity");
  await chart.locator('.legend li[data-name="tent"]').hover();
  assert.equal(await chart.locator('g.faded[data-name="sar"]').count(), 1);
  assert.equal(await chart.locator('g.faded[data-name="tent"]').count(), 0);
  await page.mouse.move(0, 0);
  assert.equal(await page.locator("g.faded").count(), 0);
});

test("the figures of a line chart open as a table", async () => {
  const {page} = fixture;
  const chart = chartNamed(page, "gaps");
  await chart.locator("summary").click();
  await chart.locator("details table").waitFor();
  assert.deepEqual(await textsOf(chart.locator("details tbody tr")),
    ["170.0 \u00b1 2.0", "271.0 \u00b1 2.0", "473.0", "674.0 \u00b1 1.0", "773.0 \u00b1 3.0"]);
});

test("reading leaves no error behind", () => {
  assert.deepEqual(fixture.page.errors, []);
  assert.deepEqual(fixture.page.foreignRequests, []);
});
